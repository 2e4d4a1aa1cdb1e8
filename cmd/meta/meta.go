// Package meta has the commands about this program itself: version, completion,
// and help with its topics. None of them reads the user's files.
package meta

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/record"
	"reseller/cmd/cli"
	"reseller/output"
	"reseller/output/encode"
)

// Version returns the command `reseller version`.
func Version(f *cli.Factory) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the version of this program",
		Long:  "Show the version of this program. Formats other than table include the Go version, operating system and\narchitecture that it was built for.",
		Example: `reseller version
reseller version -o json
reseller version --jq .version`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return version(c.Context(), f) },
	}
}

// version takes the format from the flag or the variable only, since it must not read
// the configuration file.
func version(ctx context.Context, f *cli.Factory) error {
	format, err := f.Flags.Format()
	if format == "" && err == nil {
		name, _ := f.Env("RESELLER_OUTPUT")
		format, err = output.ParseFormat(name)
	}
	if err != nil {
		return err
	}
	if format == encode.Table {
		return f.Line("reseller " + f.Version)
	}
	rec := cli.RecordOf(struct {
		Version string `json:"version"`
		Go      string `json:"go"`
		OS      string `json:"os"`
		Arch    string `json:"arch"`
	}{f.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH})
	shape := output.Shape{Single: true}
	for _, name := range []string{"version", "go", "os", "arch"} {
		shape.Columns = append(shape.Columns, output.Column{Name: name})
	}
	return f.Written(func(w io.Writer) error {
		printer, err := output.New(w, output.Options{
			Format: format, JQ: f.Flags.JQ, Columns: f.Flags.Columns, Sort: f.Flags.Sort, NoHeader: f.Flags.NoHeader,
			TTY: f.OutTTY && f.Flags.OutputFile == "",
		})
		if err != nil {
			return err
		}
		return printer.Print(ctx, shape, func(yield func(record.Record, error) bool) { yield(rec, nil) })
	})
}

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
