package complete_test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"reseller/cmd"
	"reseller/cmd/cli"
	"reseller/cmd/complete"
)

// TestFilesAreCompletedWhereTheyAreMeant checks that every flag and every argument has a completion of
// its own, but for flags that take a file: without one, shells offer the names of files.
func TestFilesAreCompletedWhereTheyAreMeant(t *testing.T) {
	f := cli.NewFrame(cli.Streams{}, "")
	root := cmd.New(f)
	complete.Register(root, f.Session)
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		t.Run(strings.ReplaceAll(c.CommandPath(), " ", "_"), func(t *testing.T) {
			if c.ValidArgsFunction == nil {
				t.Error("the arguments have no completion, want one")
			}
			c.LocalFlags().VisitAll(func(flag *pflag.Flag) {
				_, completed := c.GetFlagCompletionFunc(flag.Name)
				word := cli.ValueWord(flag)
				if isFile := word == "FILE"; flag.NoOptDefVal == "" && completed == isFile {
					t.Errorf("--%s takes a %s: got a completion of its own: %t, want %t", flag.Name, word, completed, !isFile)
				}
			})
		})
		for _, sub := range c.Commands() {
			check(sub)
		}
	}
	check(root)
}
