package cmd_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"reseller/cmd"
	"reseller/cmd/cli"
)

// TestDates runs every command that takes dates: -7d is seven days that end today, and the period without
// dates is thirty.
func TestDates(t *testing.T) {
	var dated []*cobra.Command
	walk(newTree(), func(c *cobra.Command) {
		c.LocalNonPersistentFlags().VisitAll(func(flag *pflag.Flag) {
			if isDate := slices.Contains([]string{"DATE", "MONTH"}, cli.ValueWord(flag)); isDate && !slices.Contains(dated, c) {
				dated = append(dated, c)
			}
		})
	})
	if len(dated) < 8 { // all reports but the backlinks of today, and summary and movers
		t.Fatalf("got %d commands with dates, want at least 8", len(dated))
	}
	for _, c := range dated {
		t.Run(c.CommandPath(), func(t *testing.T) {
			line := append(strings.Fields(c.CommandPath())[1:], "--account", "1", "--campaign", "2", "--compare", "previous", "--base-url", "http://127.0.0.1:1", "--retries", "0")
			run := func(dates ...string) (stderr, weekAgo, monthAgo, today string) {
				for {
					now := time.Now()
					var errors bytes.Buffer
					streams := cli.Streams{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &errors, Env: func(name string) (string, bool) { return "t", name == "RESELLER_TOKEN" }}
					cmd.Main(t.Context(), append(slices.Clip(line), dates...), streams, "test")
					if time.Now().YearDay() == now.YearDay() { // it was not midnight in between
						return errors.String(), now.AddDate(0, 0, -6).Format(time.DateOnly), now.AddDate(0, 0, -29).Format(time.DateOnly), now.Format(time.DateOnly)
					}
				}
			}
			// The error of a period that is upside down tells what its days are.
			stderr, weekAgo, _, _ := run("--from", "-7d", "--to", "2000-01-01")
			if want := fmt.Sprintf("error: --from %s is after --to 2000-01-01\n", weekAgo); stderr != want {
				t.Errorf("got %q, want %q", stderr, want)
			}
			stderr, _, _, today := run("--from", "9999-01-01")
			if want := fmt.Sprintf("error: --from 9999-01-01 is after today, %s\n", today); stderr != want {
				t.Errorf("got %q, want %q", stderr, want)
			}
			stderr, _, monthAgo, today := run()
			if want := fmt.Sprintf("note: no dates given: reporting the last 30 days, %s to %s\n", monthAgo, today); !strings.HasPrefix(stderr, want) {
				t.Errorf("got %q, want it to begin with %q", stderr, want)
			}
		})
	}
}
