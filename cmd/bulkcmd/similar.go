package bulkcmd

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/cmd/cli"
)

// AddAllowSimilar adds the flag that also creates accounts of customers that the service holds under another identifier.
func (ff *FileFlags) AddAllowSimilar(c *cobra.Command) {
	c.Flags().BoolVar(&ff.allowSimilar, "allow-similar", false, "also create accounts whose name, e-mail and phone one with another identifier has")
}

// RefuseSimilar makes rows of l invalid that would make a second account of a customer, unless a flag allows them. It returns the
// check that finds them, nil for none.
func (ff *FileFlags) RefuseSimilar(session *cli.Session, outcome *cli.Outcome, l *Command) *loads.Similar {
	if ff.allowSimilar {
		l.JobKey = append(l.JobKey, "--allow-similar")
	}
	if ff.allowSimilar || ff.resendExisting {
		return nil
	}
	similar := &loads.Similar{}
	ff.RefuseFound(session, outcome, l, similar.Check)
	return similar
}

// RefuseFound makes the rows of l invalid for which check, which reads the service, finds a fault. A job keeps the numbers of
// these rows.
func (ff *FileFlags) RefuseFound(session *cli.Session, outcome *cli.Outcome, l *Command, check func(context.Context, *client.Client, *rows.Source) ([]rows.Fault, error)) {
	l.Prepare = func(ctx context.Context, c *client.Client, source *rows.Source, latest *job.Status) (p Prepared, err error) {
		var faults []rows.Fault
		switch {
		case latest == nil || latest.State == job.JobFinished:
			faults, err = check(ctx, c, source)
		case latest.Kept != nil:
			if err = json.Unmarshal(latest.Kept, &faults); err != nil {
				err = fmt.Errorf("the header of job %s: %w", latest.ID, err)
			}
		}
		if faults != nil {
			p.Keep = faults
		}
		if err == nil {
			err = ff.Refuse(session, outcome, faults)
		}
		return p, err
	}
}
