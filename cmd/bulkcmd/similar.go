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

// AddAllowSimilar adds the flag that also sends accounts that may be others which the service holds.
func AddAllowSimilar(c *cobra.Command, allowed *bool) {
	c.Flags().BoolVar(allowed, "allow-similar", false, "also send accounts that have the name, e-mail and phone, or get the identifier, of another one")
}

// RefuseSimilar makes rows of l invalid that would make a second account of a customer, or an identifier that of two, unless a
// flag allows them.
func (ff *FileFlags) RefuseSimilar(session *cli.Session, outcome *cli.Outcome, l *Command) {
	if ff.AllowSimilar {
		l.JobKey = append(l.JobKey, "--allow-similar")
	}
	if !ff.AllowSimilar && !ff.resendExisting {
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
		case load.Schema.IsDoubtful != nil && !source.HoldsDoubtful: // the rows say nothing that could be wrong
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
