package cmd_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"reseller/cmd"
	"reseller/cmd/cli"
	"reseller/cmd/form"
)

// notAsked are the commands that report on a terminal, too, that something is missing, with the reason.
var notAsked = map[string]string{
	"apply":      "shells complete the name of a file, and a form does not; the hint says how to get one",
	"diff":       "likewise",
	"onboard":    "likewise",
	"completion": "shells run it when they start, where nobody expects a question",
	"mock reset": "only a confirmation is missing, which a question of its own asks for",
}

// notAskedForRest are the commands that ask only if nothing is given, with the reason.
var notAskedForRest = map[string]string{
	"config init": "a profile may have any of the values",
}

// missing is how errors begin that say what a command lacks. The last is that of cobra.
var missing = regexp.MustCompile(`^error: (missing: |nothing to |required flag)`)

// A terminal runs commands whose forms are canceled.
type terminal struct {
	t    *testing.T
	home string
}

// run runs a command with a form or without. It returns the exit code, what the command wrote to stderr, and the fields
// that the form asked for.
func (tm terminal) run(show bool, args ...string) (code int, written string, asked []*form.Field) {
	var stderr strings.Builder
	streams := cli.Streams{
		In: strings.NewReader("secret"), Out: &strings.Builder{}, Err: &stderr, Width: func() int { return 80 },
		Env: func(name string) (string, bool) {
			env := map[string]string{"HOME": tm.home, "RESELLER_TOKEN": "t", "RESELLER_BASE_URL": "http://127.0.0.1:9", "RESELLER_RETRIES": "0"}
			text, ok := env[name]
			return text, ok
		},
	}
	if show {
		streams.Form = func(_ context.Context, fm *form.Form) error {
			asked = fm.Fields
			return form.ErrCanceled
		}
	}
	code = cmd.Main(tm.t.Context(), args, streams, "test")
	return code, stderr.String(), asked
}

// sample returns a valid value of a field.
func sample(t *testing.T, field *form.Field) string {
	value := map[string]string{
		"email": "a@example.com", "country code": "US", "postal": "97201", "website url": "https://a.example.com", "URL": "https://a.example.com", "VALUE": "https://a.example.com", "PATH": "/a",
	}[field.Name]
	switch {
	case field.Words != nil:
		value = field.Words[0]
	case value == "":
		value = "1"
	}
	if field.Check != nil && field.Check(value) != nil {
		t.Errorf("%s: got %v for %q; give a valid value in sample", field.Name, field.Check(value), value)
	}
	return value
}

// give returns the words of a command line that give the fields except one.
func give(t *testing.T, fields []*form.Field, except int) []string {
	var words []string
	for i, field := range fields {
		switch {
		case i == except:
		case field.Secret:
			words = append(words, field.Flag)
		default:
			field.Value = sample(t, field)
			words = append(words, strings.Fields(field.Flag+" "+field.Value)...)
		}
	}
	return words
}

func namesOf(fields []*form.Field) []string {
	var list []string
	for _, field := range fields {
		list = append(list, field.Name)
	}
	return list
}

// TestMissingIsAskedFor runs each command without arguments. If that is a usage error without a terminal, a form asks on a
// terminal, for each missing value alone as well. After Ctrl-C, the hint says how to give it.
func TestMissingIsAskedFor(t *testing.T) {
	walk(newTree(), func(c *cobra.Command) {
		_, path, _ := strings.Cut(c.CommandPath(), " ")
		if c.HasSubCommands() && path != "reports backlinks" || path == "mock serve" || path == "" {
			return
		}
		t.Run(path, func(t *testing.T) {
			tm, words := terminal{t, t.TempDir()}, strings.Fields(path)
			if path == "auth login" {
				words = append(words, "--insecure-storage")
			}
			code, reported, _ := tm.run(false, words...)
			if code != cli.ExitUsage && !missing.MatchString(reported) {
				return
			}
			code, stderr, asked := tm.run(true, words...)
			if reason := notAsked[path]; reason != "" {
				if asked != nil || stderr != reported {
					t.Errorf("got a form for %v, want none: %s", namesOf(asked), reason)
				}
				return
			}
			if len(asked) == 0 {
				t.Fatalf("got no form, want one for what is %s", reported)
			}
			var needed []*form.Field
			for _, field := range asked {
				if !field.Optional {
					needed = append(needed, field)
				}
				if field.Name == "" || !field.Optional && field.MayBeEmpty && field.Name != "note" {
					t.Errorf("%s: got a field that may be empty, want a required one", field.Name)
				}
			}
			if code != 130 || !strings.Contains(stderr, "hint: without the form: `reseller ") {
				t.Errorf("after Ctrl-C: got exit code %d and %q, want 130 and how to go on", code, stderr)
			}
			for _, field := range asked {
				if !strings.Contains(stderr, field.Flag) {
					t.Errorf("after Ctrl-C: got no %s in %q, want it", field.Flag, stderr)
				}
			}
			if notAskedForRest[path] != "" {
				return
			}
			for i, field := range needed {
				if field.Flag == "" && slices.ContainsFunc(needed[i+1:], func(f *form.Field) bool { return f.Flag == "" }) {
					continue // the arguments behind it can't be given without it
				}
				_, stderr, rest := tm.run(true, append(slices.Clone(words), give(t, needed, i)...)...)
				rest = slices.DeleteFunc(rest, func(f *form.Field) bool { return f.Optional })
				if got, want := fmt.Sprint(namesOf(rest)), fmt.Sprint([]string{field.Name}); got != want {
					t.Errorf("with all but %s: got a form for %s, want one for %s: %s", field.Name, got, want, stderr)
				}
			}
			words = append(words, give(t, needed, -1)...)
			if _, reported, _ = tm.run(false, words...); !missing.MatchString(reported) {
				return
			}
			if _, _, rest := tm.run(true, words...); len(rest) == 0 {
				t.Errorf("%q: got no form, want one for what is %s", words, reported)
			}
		})
	})
}
