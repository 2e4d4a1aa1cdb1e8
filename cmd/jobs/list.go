package jobs

import (
	"context"

	"github.com/spf13/cobra"

	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

func newListCmd(f *cli.Frame) *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List the jobs on this machine",
		Long: "List the load jobs on this machine, oldest first. A job is running, stopped (resume it with `reseller jobs resume`) or\n" +
			"finished. The last 50 finished jobs are kept, and stopped ones for 90 days.",
		Example: "reseller jobs list\n" +
			"reseller jobs list -o csv\n" +
			"reseller jobs list --jq '.[] | select(.state == \"stopped\") | .job'",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runList(c.Context(), f.Session, f.Output) },
	}
	f.Flags.AddSelection(c)
	fields := &schema.Resource{Name: "jobs"}
	for _, name := range listColumns {
		fields.Fields = append(fields.Fields, schema.Field{Name: name, Use: schema.Read})
	}
	return f.SetPrinted(f.SetCompletionResource(c, fields), cli.Fields{Of: []shown{}, Names: listColumns})
}

func runList(ctx context.Context, session *cli.Session, to *cli.Output) error {
	store, err := session.Jobs()
	if err != nil {
		return err
	}
	all, err := store.List()
	if err != nil {
		return err
	}
	recs := make([]record.Record, len(all))
	for i, status := range all {
		reportDamage(session, status)
		recs[i] = columnsOf(status, listColumns)
	}
	return to.PrintRecords(ctx, "jobs", false, listColumns, recs...)
}
