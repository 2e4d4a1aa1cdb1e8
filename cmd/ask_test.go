package cmd_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"reseller/cmd"
	"reseller/cmd/cli"
	"reseller/cmd/form"
)

// notAsked are the commands that report on a terminal, too, that an argument is missing, with the reason.
var notAsked = map[string]string{
	"apply":       "shells complete the name of a file, and a form does not; the hint says how to get one",
	"diff":        "likewise",
	"onboard":     "likewise",
	"jobs import": "likewise",
	"completion":  "shells run it when they start, where nobody expects a question",
}

// TestMissingArgumentsAreAskedFor runs each command without arguments. Whatever it reports to be missing without a
// terminal, a form asks for on a terminal. After Ctrl-C, the hint says how to give it.
func TestMissingArgumentsAreAskedFor(t *testing.T) {
	flags := map[string][]string{ // with which something would be changed
		"accounts update": {"--phone", "1"}, "keywords update": {"--status", "activate"}, "campaigns notes update": {"--writer-instructions", "w"},
	}
	walk(newTree(), func(c *cobra.Command) {
		_, path, _ := strings.Cut(c.CommandPath(), " ")
		if c.HasSubCommands() && path != "reports backlinks" || path == "mock serve" || path == "" {
			return
		}
		t.Run(path, func(t *testing.T) {
			run := func(show func(context.Context, *form.Form) error) (int, string) {
				var stderr strings.Builder
				args := append(strings.Fields(path), flags[path]...)
				code := cmd.Main(t.Context(), args, cli.Streams{
					In: strings.NewReader(""), Out: &strings.Builder{}, Err: &stderr, Form: show, Width: func() int { return 80 },
					Env: func(name string) (string, bool) {
						env := map[string]string{"HOME": t.TempDir(), "RESELLER_TOKEN": "t", "RESELLER_BASE_URL": "http://127.0.0.1:9", "RESELLER_RETRIES": "0"}
						text, ok := env[name]
						return text, ok
					},
				}, "test")
				return code, stderr.String()
			}
			code, reported := run(nil)
			if !strings.HasPrefix(reported, "error: missing: ") {
				return
			}
			if code != cli.ExitUsage {
				t.Errorf("without a terminal: got exit code %d, want %d", code, cli.ExitUsage)
			}
			var asked []string
			code, stderr := run(func(_ context.Context, fm *form.Form) error {
				for _, field := range fm.Fields {
					asked = append(asked, field.Name)
					if field.Name != "note" && field.Check("") == nil { // a note may be empty
						t.Errorf("%s: got no error for an empty value, want one", field.Name)
					}
				}
				return form.ErrCanceled
			})
			if reason := notAsked[path]; reason != "" {
				if asked != nil || stderr != reported {
					t.Errorf("got a form for %v, want none: %s", asked, reason)
				}
				return
			}
			if asked == nil || slices.Contains(asked, "") {
				t.Fatalf("got a form for %q, want one for what is %s", asked, reported)
			}
			if code != 130 || !strings.Contains(stderr, "hint: to go on without the form, give ") {
				t.Errorf("after Ctrl-C: got exit code %d and %q, want 130 and how to go on", code, stderr)
			}
		})
	})
}
