// Package meta has the commands about this program itself: version, completion,
// and help with its topics. None of them reads the user's files.
package meta

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func Completion(f *cli.Frame) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the completion script for a shell",
		Long: `Print a script with which a shell completes commands, flags and values, such as the ids of accounts and campaigns,
jobs, profiles and columns. Accounts and campaigns are read from the service, if it answers within a quarter of a second,
and kept for five minutes in the cache folder of the user. Their names are shown beside the ids; a name or an identifier
is completed if it has only letters, digits, dots, dashes and underscores. To install the script for every new shell:

  bash        reseller completion bash >~/.local/share/bash-completion/completions/reseller
  zsh         reseller completion zsh >"${fpath[1]}/_reseller"
  fish        reseller completion fish >~/.config/fish/completions/reseller.fish
  powershell  reseller completion powershell | Out-String | Invoke-Expression   (in your profile)

The script for bash needs the package bash-completion.`,
		Example: `reseller completion bash
reseller completion zsh --output-file _reseller`,
		Args:              cli.Args(1, "bash, zsh, fish or powershell"),
		ValidArgsFunction: cobra.FixedCompletions(shells, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			write := map[string]func(io.Writer) error{
				"bash":       func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
				"zsh":        root.GenZshCompletion,
				"fish":       func(w io.Writer) error { return fishScript(root, w) },
				"powershell": root.GenPowerShellCompletionWithDesc,
			}[args[0]]
			if write == nil {
				return cli.Usagef("unknown shell %q", args[0]).Hinted("supported shells: " + strings.Join(shells, ", "))
			}
			var script strings.Builder
			if err := write(&script); err != nil {
				return err
			}
			return f.Output.Text(script.String())
		},
	}
}

// fishScript writes the script for fish. The script evaluates the words of the command line, from which fish has removed the
// quotes: a customer's name between quotes would be run, so the words are quoted again.
func fishScript(root *cobra.Command, w io.Writer) error {
	var script strings.Builder
	if err := root.GenFishCompletion(&script, true); err != nil {
		return err
	}
	const words = "    set -l args (commandline -opc)\n"
	_, err := io.WriteString(w, strings.Replace(script.String(), words, words+"    set args $args[1] (string escape -- $args)[2..-1]\n", 1))
	return err
}
