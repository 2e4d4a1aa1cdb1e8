package reports

import (
	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

func New(f *cli.Frame) *cobra.Command {
	commands := below("")
	commands["movers"], commands["summary"], commands["words"] = newMoversCmd, newSummaryCmd, newWordsCmd
	commands["notes"] = cli.Group("notes", "Write to customers above their figures", cli.Commands{"init": newNotesCmd})
	return cli.Group("reports", "Report on campaigns", commands)(f)
}

func below(parent string) cli.Commands {
	commands := cli.Commands{}
	for i := range reports {
		if r := &reports[i]; r.parent == parent {
			commands[r.name] = func(f *cli.Frame) *cobra.Command {
				c := newReportCmd(f, r)
				f.AddCommands(c, below(r.path()))
				return c
			}
		}
	}
	return commands
}
