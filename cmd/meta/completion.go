// Package meta has the commands about this program itself: version, completion,
// and help with its topics. None of them reads the user's files.
package meta

import (
	"bytes"
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
		RunE: func(c *cobra.Command, args []string) error {
			write, err := script(c.Root(), args[0])
			if err != nil {
				return err
			}
			return f.Text(write)
		},
	}
}

// A replacement changes a text of the scripts that cobra generates.
type replacement struct{ old, new string }

// replacements make the scripts quote the words that they insert into the command line, and those that they take from it. As they
// are, bash and PowerShell insert the part that several words have in common without quotes, and fish evaluates the
// words of the line without theirs, so that a customer called "$(reboot)" would do it.
var replacements = map[string][]replacement{
	"bash": {
		{`COMPREPLY+=("$compline")`, `COMPREPLY+=("$comp${compline#"${compline%%$tab*}"}")`},
		{`COMPREPLY[0]=$(printf "%q" "${COMPREPLY[0]%%$tab*}")`, `COMPREPLY[0]=${COMPREPLY[0]%%$tab*}`},
		{
			"if (( ${#COMPREPLY[@]} == 1 )); then\n            COMPREPLY[0]=$(printf \"%q\" \"${COMPREPLY[0]}\")\n",
			"if (( ${#COMPREPLY[@]} > 0 )); then\n            IFS=$'\\n' read -ra COMPREPLY -d '' < <(printf \"%q\\n\" \"${COMPREPLY[@]}\")\n",
		},
	},
	"fish": {
		{"set -l args (commandline -opc)\n", "set -l args (commandline -opc)\n    set -l given (string escape -- $args[2..-1])\n"},
		{"__complete $args[2..-1] $lastArg", "__complete $given $lastArg"},
	},
	"powershell": {
		{`$CompletionText = "$($comp.Name)$Description"`, `$CompletionText = $($comp.Name.TrimEnd() | __reseller_escapeStringWithSpecialChars)`},
	},
}

func script(root *cobra.Command, shell string) (func(io.Writer) error, error) {
	generate := map[string]func(io.Writer) error{
		"bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) }, "zsh": root.GenZshCompletion,
		"fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) }, "powershell": root.GenPowerShellCompletionWithDesc,
	}[shell]
	if generate == nil {
		return nil, &cli.UsageError{
			Message: fmt.Sprintf("unknown shell %q", shell),
			Hint:    "supported shells: " + strings.Join(shells, ", "),
		}
	}
	return func(w io.Writer) error {
		var b bytes.Buffer
		if err := generate(&b); err != nil {
			return err
		}
		text := b.String()
		for _, r := range replacements[shell] {
			if strings.Count(text, r.old) != 1 {
				return fmt.Errorf("the script for %s does not have %q once", shell, r.old)
			}
			text = strings.Replace(text, r.old, r.new, 1)
		}
		_, err := io.WriteString(w, text)
		return err
	}, nil
}
