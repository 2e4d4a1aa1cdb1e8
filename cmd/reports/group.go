package reports

import (
	"time"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

func New(f *cli.Frame) *cobra.Command { return newGroup(f, time.Now) }

func newGroup(f *cli.Frame, now func() time.Time) *cobra.Command {
	commands := below("", now)
	commands["movers"], commands["summary"] = cli.With(newMoversCmd, now), cli.With(newSummaryCmd, now)
	commands["words"] = newWordsCmd
	commands["notes"] = cli.Group("notes", "Write to customers above their figures", cli.Commands{"init": cli.With(newNotesCmd, now)})
	return cli.Group("reports", "Report on campaigns", commands)(f)
}

func below(parent string, now func() time.Time) cli.Commands {
	commands := cli.Commands{}
	for i := range reports {
		if r := &reports[i]; r.parent == parent {
			commands[r.name] = func(f *cli.Frame) *cobra.Command {
				c := newReportCmd(f, now, r)
				f.AddCommands(c, below(r.path(), now))
				return c
			}
		}
	}
	return commands
}
