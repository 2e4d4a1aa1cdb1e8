package cmd_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"reseller/cmd"
	"reseller/cmd/cli"
	"reseller/cmd/complete"
)

// newTree is the whole command tree, on streams that lead nowhere.
func newTree() *cobra.Command {
	f := cli.NewFrame(cli.Streams{
		In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &bytes.Buffer{},
		Env: func(string) (string, bool) { return "", false },
	}, "")
	return cmd.New(f)
}

// walk visits every command that the help shows.
func walk(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			walk(sub, visit)
		}
	}
}

// TestSurface compares all commands and flags with a file, since scripts rely on
// them: one that is removed or changed shows in the file's diff.
func TestSurface(t *testing.T) {
	var b strings.Builder
	walk(newTree(), func(c *cobra.Command) {
		fmt.Fprintf(&b, "%s\n", c.UseLine())
		set := c.LocalNonPersistentFlags()
		if !c.HasParent() {
			set = c.PersistentFlags()
		}
		set.VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" {
				fmt.Fprintf(&b, "%s --%s %s\n", c.CommandPath(), f.Name, f.Value.Type())
			}
		})
	})
	compareGolden(t, "../.surface", b.String())
}

// TestReference checks that the reference has the help of all commands.
func TestReference(t *testing.T) {
	var out bytes.Buffer
	streams := cli.Streams{Out: &out, Err: &bytes.Buffer{}, Env: func(string) (string, bool) { return "", false }}
	if code := cmd.Main(t.Context(), []string{"help", "--markdown"}, streams, ""); code != 0 {
		t.Fatalf("got exit code %d, want 0: %s", code, streams.Err)
	}
	walk(newTree(), func(c *cobra.Command) {
		if !strings.Contains(out.String(), fmt.Sprintf("## %s\n\n```text\n%s", c.CommandPath(), cli.HelpText(c))) {
			t.Errorf("got no help of %s, want it", c.CommandPath())
		}
	})
}

// TestHelpIsComplete checks that every command says what it does, and every leaf
// shows how.
func TestHelpIsComplete(t *testing.T) {
	walk(newTree(), func(c *cobra.Command) {
		t.Run(c.CommandPath(), func(t *testing.T) {
			if c.Short == "" || strings.HasSuffix(c.Short, ".") {
				t.Errorf("got short help %q, want a text without a full stop", c.Short)
			}
			if !c.HasAvailableSubCommands() && c.Example == "" {
				t.Error("got no example")
			}
			for line := range strings.SplitSeq(cli.HelpText(c), "\n") {
				if len(line) > 160 {
					t.Errorf("got a line of %d characters, want at most 160: %s", len(line), line)
				}
			}
		})
	})
}

// TestHelpIsShort checks that --help of each command has at most twelve flags in at most forty lines, in a pipe and on a
// terminal of 80 columns, and that each other flag is in the help of all flags, once.
func TestHelpIsShort(t *testing.T) {
	walk(newTree(), func(c *cobra.Command) {
		for _, tty := range []bool{false, true} {
			t.Run(fmt.Sprint(c.CommandPath(), tty), func(t *testing.T) {
				words := append(strings.Fields(c.CommandPath())[1:], "--help")
				_, text, _ := session{tty: tty}.run(t, words...)
				flags := regexp.MustCompile(`(?m)^  (?:-\w,|   ) --([\w-]+)`)
				if n := strings.Count(text, "\n"); n > 40 || n < 5 || len(flags.FindAllString(text, -1)) > 12 {
					t.Errorf("got %d lines and %d flags, want at most 40 and 12:\n%s", n, len(flags.FindAllString(text, -1)), text)
				}
				code, all, _ := session{}.run(t, append(words, "--all")...)
				var got, want []string
				for _, match := range flags.FindAllStringSubmatch(all, -1) {
					got = append(got, match[1])
				}
				set := c.LocalFlags()
				set.VisitAll(func(flag *pflag.Flag) {
					if !flag.Hidden && flag.Name != "help" {
						want = append(want, flag.Name)
					}
				})
				slices.Sort(got)
				if slices.Sort(want); code != 0 || !slices.Equal(got, want) {
					t.Errorf("--all: got exit code %d and flags %q, want 0 and %q", code, got, want)
				}
			})
		}
	})
	if code, _, errs := (session{}).run(t, "version", "--all"); code != 2 || !strings.Contains(errs, "--all") {
		t.Errorf("--all without --help: got exit code %d, want 2: %s", code, errs)
	}
}

// TestHelpSaysWhatAnotherMachineDoes checks that the help of each write that takes a file, or that is
// remembered, says what becomes of it on a machine without the journal.
func TestHelpSaysWhatAnotherMachineDoes(t *testing.T) {
	writes := 0
	walk(newTree(), func(c *cobra.Command) {
		if c.Flags().Lookup("rejects") == nil && c.Flags().Lookup("resend-sent") == nil {
			return
		}
		writes++
		if !strings.Contains(strings.Join(strings.Fields(strings.ToLower(c.Long)), " "), "another machine") {
			t.Errorf("%s: got no word of another machine, want one", c.CommandPath())
		}
	})
	if writes != 12 {
		t.Errorf("got %d writes, want 12", writes)
	}
}

// TestHelpFitsTheTerminal checks that the help of each command fits terminals, but for examples and single long words, and
// that no word of it is lost.
func TestHelpFitsTheTerminal(t *testing.T) {
	for _, width := range []int{40, 80, 200} {
		f := cli.NewFrame(cli.Streams{OutTTY: true, Width: func() int { return width }}, "")
		walk(newTree(), func(c *cobra.Command) {
			t.Run(fmt.Sprint(c.CommandPath(), width), func(t *testing.T) {
				text := cli.HelpText(c)
				got := f.Output.Fit(text)
				if words := strings.Join(strings.Fields(got), " "); words != strings.Join(strings.Fields(text), " ") {
					t.Errorf("got the words %s, want those of %s", words, text)
				}
				if c.Example != "" && !strings.Contains(got, "\n  "+strings.ReplaceAll(c.Example, "\n", "\n  ")+"\n") {
					t.Errorf("got %s, want the example as it is: %s", got, c.Example)
				}
				before, examples, _ := strings.Cut(got, "\nExamples:\n")
				_, after, _ := strings.Cut(examples, "\n\n")
				for line := range strings.SplitSeq(before+after, "\n") {
					if n := utf8.RuneCountInString(line); n > width && len(strings.Fields(line)) > 1 {
						t.Errorf("got a line of %d characters, want at most %d: %s", n, width, line)
					}
				}
			})
		})
	}
}

// TestHelpOfRoot checks that the first help fits a terminal of 80 columns and has each command once.
func TestHelpOfRoot(t *testing.T) {
	root := newTree()
	text := cli.HelpText(root)
	for line := range strings.SplitSeq(text, "\n") {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("got a line of %d characters, want at most 80: %s", n, line)
		}
	}
	for _, c := range root.Commands() {
		if n := strings.Count(text, "\n  "+c.Name()+" "); n != 1 && c.IsAvailableCommand() {
			t.Errorf("got %s %d times, want once", c.Name(), n)
		}
	}
	for _, g := range root.Groups() {
		if !strings.Contains(text, "\n"+g.Title+":\n  ") {
			t.Errorf("got no commands below %q", g.Title)
		}
	}
}

// TestManPages checks that the manual has a page for every command, with all its flags, and
// that no text of the help is taken for a request of the page's language.
func TestManPages(t *testing.T) {
	dir := t.TempDir()
	streams := cli.Streams{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Env: func(string) (string, bool) { return "", false }}
	if code := cmd.Main(t.Context(), []string{"help", "--man", dir}, streams, "1.2.3"); code != 0 {
		t.Fatalf("got exit code %d, want 0: %s", code, streams.Err)
	}
	requests := regexp.MustCompile(`^\.(TH|SH|PP|TP|B|RS|RE|nf|fi|nh|ad)( |$)`)
	read := func(t *testing.T, name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		noError(t, err)
		for i, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !requests.MatchString(line) {
				t.Errorf("line %d: got the request %q, want one of those that the page is made of", i+1, line)
			}
		}
		return strings.NewReplacer(`\-`, "-", `\fB`, "", `\fR`, "", `\(ga`, "`", `\(ti`, "~", `\(dq`, `"`, `\(aq`, "'", `\(ha`, "^", `\e`, `\`).Replace(string(text))
	}
	want := map[string]bool{"reseller-environment.7": true, "reseller-formatting.7": true, "reseller-jq.7": true, "reseller-exit-codes.7": true, "reseller-files.7": true, "reseller-flags.7": true, "reseller-help.1": true}
	walk(newTree(), func(c *cobra.Command) {
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		want[name] = true
		t.Run(name, func(t *testing.T) {
			text := read(t, name)
			texts := []string{c.Short, "reseller 1.2.3", c.CommandPath()}
			if got := strings.Contains(text, "has the options of every command"); got != c.HasParent() {
				t.Errorf("refers to the options of every command: got %t, want %t", got, c.HasParent())
			}
			c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
				if f.Name != "help" && !f.Hidden {
					texts = append(texts, "--"+f.Name)
				}
			})
			for _, part := range texts {
				if !strings.Contains(text, part) {
					t.Errorf("got no %q in:\n%s", part, text)
				}
			}
		})
	})
	entries, err := os.ReadDir(dir)
	noError(t, err)
	for _, entry := range entries {
		if !want[entry.Name()] {
			t.Errorf("got the page %s, of no command and no topic", entry.Name())
		}
		delete(want, entry.Name())
		read(t, entry.Name())
	}
	if len(want) > 0 {
		t.Errorf("got no pages %v", want)
	}
}

// An askedContext counts how often anything asks whether it has ended.
type askedContext struct {
	context.Context
	asked *int
}

func (c askedContext) Done() <-chan struct{} { *c.asked++; return c.Context.Done() }
func (c askedContext) Err() error            { *c.asked++; return c.Context.Err() }

// TestHelpReadsNothing runs help, version and completion and counts how often
// they read the environment, without which no file, keyring or service is found, and
// whether they ask for the end of their context, for which cli.Signals would start threads.
func TestHelpReadsNothing(t *testing.T) {
	lines := [][]string{{"version"}, {"completion", "bash"}, {"completion", "zsh"}, {"completion", "fish"}, {"completion", "powershell"}, {"help", "exit-codes"}, {"help", "guide", "onboard"}, {"__complete", "accounts", ""}, {"__complete", "accounts", "list", "--columns", ""}, {"__complete", "accounts", "list", "--output", ""}}
	walk(newTree(), func(c *cobra.Command) {
		lines = append(lines, append(strings.Fields(c.CommandPath())[1:], "--help"))
	})
	for _, args := range lines {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			reads, asked := 0, 0
			var out, errs bytes.Buffer
			streams := cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(name string) (string, bool) {
				if name != "RESELLER_OUTPUT" && name != "RESELLER_TOKEN" { // which need no file to be understood
					reads++
				}
				return "", false
			}, Width: func() int { return 80 }}
			if code := cmd.Main(askedContext{t.Context(), &asked}, args, streams, "test"); code != 0 || out.Len() == 0 || reads > 0 || asked > 0 {
				t.Errorf("got exit code %d, %d bytes, %d reads of the environment, %d questions to the context, want 0, some, 0, 0: %s", code, out.Len(), reads, asked, errs.String())
			}
		})
	}
}

// TestHelpOfUnknownCommands asks every group for the help of a command that it does not have, which is an error.
func TestHelpOfUnknownCommands(t *testing.T) {
	walk(newTree(), func(c *cobra.Command) {
		if !c.HasSubCommands() {
			return
		}
		words := append(strings.Fields(c.CommandPath())[1:], "nosuch")
		for _, args := range [][]string{append(words, "--help"), append(words, "-h", "--all"), append([]string{"--help"}, words...)} {
			code, out, errs := session{}.run(t, args...)
			if code != 2 || out != "" || !strings.Contains(errs, "unknown command ") || !strings.Contains(errs, fmt.Sprintf("for %q\n", c.CommandPath())) {
				t.Errorf("%q: got exit code %d, want 2 and the unknown command: %s%s", args, code, errs, out)
			}
		}
	})
}

// TestBranchesAreComplete checks that a command of the branch that Main builds
// for a command line is the same as in the whole tree.
func TestBranchesAreComplete(t *testing.T) {
	walk(newTree(), func(c *cobra.Command) {
		t.Run(c.CommandPath(), func(t *testing.T) {
			var want, got bytes.Buffer
			args := append(strings.Fields(c.CommandPath())[1:], "--help")
			root := newTree()
			root.SetOut(&want)
			root.SetArgs(args)
			noError(t, root.Execute())
			streams := cli.Streams{Out: &got, Err: &got, Env: func(string) (string, bool) { return "", false }}
			if code := cmd.Main(t.Context(), args, streams, "test"); code != 0 || got.String() != want.String() {
				t.Errorf("got exit code %d, help\n%s\nwant\n%s", code, got.String(), want.String())
			}
		})
	})
}

// TestFilesAreCompletedWhereTheyAreMeant checks that every flag and every argument has a completion of
// its own, but for flags that take a file: without one, shells offer the names of files.
func TestFilesAreCompletedWhereTheyAreMeant(t *testing.T) {
	f := cli.NewFrame(cli.Streams{}, "")
	root := cmd.New(f)
	complete.Register(root, f.Session)
	walk(root, func(c *cobra.Command) {
		if c.ValidArgsFunction == nil {
			t.Errorf("%s: the arguments have no completion, want one", c.CommandPath())
		}
		c.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			_, completed := c.GetFlagCompletionFunc(flag.Name)
			if word := cli.ValueWord(flag); flag.NoOptDefVal == "" && completed == (word == "FILE") {
				t.Errorf("%s --%s takes a %s: got a completion of its own: %t", c.CommandPath(), flag.Name, word, completed)
			}
		})
	})
}

// TestTextsAreUTF8 gives each flag that takes a text, and is not the name of a file, bytes that are no text.
func TestTextsAreUTF8(t *testing.T) {
	tried := 0
	walk(newTree(), func(c *cobra.Command) {
		if !c.Runnable() {
			return
		}
		words := strings.Fields(c.CommandPath())[1:]
		c.Flags().VisitAll(func(flag *pflag.Flag) {
			if word := cli.ValueWord(flag); !strings.HasPrefix(flag.Value.Type(), "string") || word == "FILE" || word == "DIR" {
				return
			}
			tried++
			args := append(slices.Clone(words), "--"+flag.Name, "caf\xe9", "--server", "mock", "--no-input")
			if code, out, errs := (session{home: t.TempDir()}).run(t, args...); code != cli.ExitUsage || out != "" || strings.Contains(errs, "\xe9") {
				t.Errorf("%s --%s: got exit code %d, output %q and error %q, want %d", c.CommandPath(), flag.Name, code, out, errs, cli.ExitUsage)
			}
		})
	})
	if tried < 200 {
		t.Errorf("tried %d flags, want more", tried)
	}
}
