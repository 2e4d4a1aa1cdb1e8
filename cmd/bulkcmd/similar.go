package bulkcmd

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/cmd/cli"
)

// AddAllowSimilar adds the flag that also creates accounts of customers that the service holds under another identifier.
func (ff *FileFlags) AddAllowSimilar(c *cobra.Command) {
	c.Flags().BoolVar(&ff.allowSimilar, "allow-similar", false, "also create accounts whose name, e-mail and phone one with another identifier has")
}

// RefuseSimilar makes rows of l invalid that would make a second account of a customer, unless a flag allows them.
func (ff *FileFlags) RefuseSimilar(session *cli.Session, outcome *cli.Outcome, l *Command) {
	if ff.allowSimilar {
		l.JobKey = append(l.JobKey, "--allow-similar")
	}
	if !ff.allowSimilar && !ff.resendExisting {
		ff.RefuseFound(session, outcome, l)
	}
}

// RefuseFound makes the rows of l invalid with which its snapshot finds fault. A job keeps the numbers of these rows.
func (ff *FileFlags) RefuseFound(session *cli.Session, outcome *cli.Outcome, l *Command) {
	l.Prepare = func(ctx context.Context, c *client.Client, source *rows.Source, latest *job.Status) (p Prepared, err error) {
		var faults []rows.Fault
		switch load := l.New(c); {
		case latest != nil && latest.State != job.JobFinished:
			if latest.Kept == nil {
				break
			}
			if err = json.Unmarshal(latest.Kept, &faults); err != nil {
				err = fmt.Errorf("the header of job %s: %w", latest.ID, err)
			}
		case load.Schema.ReadOnly && !source.HoldsReadOnly: // the rows say nothing that could be wrong
		default:
			faults, p.First, err = bulk.Check(ctx, source, load.Operation, session.Flags.DryRun)
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
