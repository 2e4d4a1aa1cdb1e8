// Package meta has the commands about this program itself: version, completion,
// and help with its topics. None of them reads the user's files.
package meta

import (
	"embed"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

// Completion returns the command `reseller completion`.
func Completion(f *cli.Factory) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the completion script for a shell",
		Long: `Print a script with which a shell completes commands, flags and values, such as the ids and names of accounts and
campaigns, jobs, profiles and columns. Accounts and campaigns are read from the service, if it answers within a quarter
of a second, and kept for five minutes in the cache folder of the user. To install it for every new shell:

  bash        reseller completion bash >~/.local/share/bash-completion/completions/reseller
  zsh         reseller completion zsh >"${fpath[1]}/_reseller"
  fish        reseller completion fish >~/.config/fish/completions/reseller.fish
  powershell  reseller completion powershell | Out-String | Invoke-Expression   (in your profile)`,
		Example: `reseller completion bash
reseller completion zsh --output-file _reseller`,
		Args:              cli.ExactArgs("bash, zsh, fish or powershell"),
		ValidArgsFunction: cobra.FixedCompletions(shells, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := script(args[0])
			if err != nil {
				return err
			}
			return f.Text(func(w io.Writer) error {
				_, err := w.Write(text)
				return err
			})
		},
	}
}

//go:embed scripts
var scripts embed.FS

// script returns the script for a shell.
func script(shell string) ([]byte, error) {
	text, err := scripts.ReadFile("scripts/completion." + shell)
	if err != nil {
		return nil, &cli.UsageError{
			Message: fmt.Sprintf("unknown shell %q", shell),
			Hint:    "supported shells: " + strings.Join(shells, ", "),
		}
	}
	return text, nil
}
