// Package meta has the commands about this program itself: version, completion,
// and help with its topics. None of them reads the user's files.
package meta

import (
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
		Long: `Print a script with which a shell completes commands, flags and values. Completion reads only the names of
profiles from the configuration file and never calls the service. To install it for every new shell:

  bash        reseller completion bash >~/.local/share/bash-completion/completions/reseller
  zsh         reseller completion zsh >"${fpath[1]}/_reseller"
  fish        reseller completion fish >~/.config/fish/completions/reseller.fish
  powershell  reseller completion powershell | Out-String | Invoke-Expression   (in your profile)`,
		Example: `reseller completion bash
reseller completion zsh --output-file _reseller`,
		Args:              cli.ExactArgs("bash, zsh, fish or powershell"),
		ValidArgsFunction: cobra.FixedCompletions(shells, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(c *cobra.Command, args []string) error {
			write, err := script(c.Root(), args[0])
			if err != nil {
				return err
			}
			return f.Text(write)
		},
	}
}

func script(root *cobra.Command, shell string) (func(io.Writer) error, error) {
	switch shell {
	case "bash":
		return func(w io.Writer) error { return root.GenBashCompletionV2(w, true) }, nil
	case "zsh":
		return root.GenZshCompletion, nil
	case "fish":
		return func(w io.Writer) error { return root.GenFishCompletion(w, true) }, nil
	case "powershell":
		return root.GenPowerShellCompletionWithDesc, nil
	}
	return nil, &cli.UsageError{
		Message: fmt.Sprintf("unknown shell %q", shell),
		Hint:    "supported shells: " + strings.Join(shells, ", "),
	}
}
