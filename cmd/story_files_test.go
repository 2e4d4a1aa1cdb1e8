package cmd_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// write [-append] [-at=N] [-times=N] FILE TEXT writes a file. TEXT has the escapes of a string in Go, such as \n and
// \xff. -append keeps what the file holds. -at=N changes the bytes from N on and keeps the others; a negative N counts
// from the end. -times=N writes the text N times, with %d as the number of the time.
func write(ts *testscript.TestScript, neg bool, args []string) {
	flags, at, times := os.O_TRUNC, 0, 0
	for ; len(args) > 2; args = args[1:] {
		name, value, _ := strings.Cut(args[0], "=")
		switch number, err := strconv.Atoi(value); {
		case name == "-append":
			flags = os.O_APPEND
		case err == nil && name == "-at":
			flags, at = 0, number
		case err == nil && name == "-times":
			times = number
		default:
			ts.Fatalf("write: unknown flag %s", args[0])
		}
	}
	if neg || len(args) != 2 {
		ts.Fatalf("usage: write [-append] [-at=N] [-times=N] FILE TEXT")
	}
	text := unescape(ts, args[1])
	if times > 0 {
		var all strings.Builder
		for i := range times {
			all.WriteString(strings.ReplaceAll(text, "%d", strconv.Itoa(i+1)))
		}
		text = all.String()
	}
	file, err := os.OpenFile(ts.MkAbs(args[0]), os.O_CREATE|os.O_WRONLY|flags, 0o644)
	ts.Check(err)
	if at < 0 {
		info, err := file.Stat()
		ts.Check(err)
		at += int(info.Size())
	}
	if flags == os.O_APPEND {
		_, err = file.WriteString(text)
	} else {
		_, err = file.WriteAt([]byte(text), int64(at))
	}
	ts.Check(err)
	ts.Check(file.Close())
}

// unescape returns a text with what the escapes of a string in Go stand for.
func unescape(ts *testscript.TestScript, text string) string {
	unescaped, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
	if err != nil {
		ts.Fatalf("%q: %v", text, err)
	}
	return unescaped
}

// text NAME TEXT sets NAME to a text, which has the escapes of a string in Go.
func text(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: text NAME TEXT")
	}
	ts.Setenv(args[0], unescape(ts, args[1]))
}

// replace REGEXP TEXT FILE OUT writes the lines of FILE to OUT, with TEXT in place of what matches in them. FILE and OUT
// may be the same. TEXT may have $1 for the first group. Something must match.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: replace REGEXP TEXT FILE OUT")
	}
	what, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	content := ts.ReadFile(args[2])
	if !what.MatchString(content) {
		ts.Fatalf("nothing in %s matches %s", args[2], args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[3]), []byte(what.ReplaceAllString(content, args[1])), 0o600))
}

// names FOLDER prints the names in a folder.
func names(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: names FOLDER")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, entry := range entries {
		fmt.Fprintln(ts.Stdout(), entry.Name())
	}
}

// path NAME PATTERN sets NAME to the path of the file that matches. There must be exactly one.
func path(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: path NAME PATTERN")
	}
	found, err := filepath.Glob(ts.MkAbs(args[1]))
	ts.Check(err)
	if len(found) != 1 {
		ts.Fatalf("%s matches %q, want one file", args[1], found)
	}
	ts.Setenv(args[0], found[0])
}

// private PATH... checks that only their owner may read files and folders: those at the paths, and all below them.
func private(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: private PATH...")
	}
	for _, root := range args {
		ts.Check(filepath.WalkDir(ts.MkAbs(root), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			want := fs.FileMode(0o600)
			if d.IsDir() {
				want = 0o700
			}
			if err == nil && info.Mode().Perm() != want {
				err = fmt.Errorf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
			}
			return err
		}))
	}
}

// each WORDS COMMAND ARGS... runs a command for each of the words, which stands for {} in its arguments. It must succeed.
// Then stdout and stderr are those of all runs.
func each(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: each WORDS COMMAND ARGS...")
	}
	for word := range strings.FieldsSeq(args[0]) {
		command := make([]string, len(args)-1)
		for i, arg := range args[1:] {
			command[i] = strings.ReplaceAll(arg, "{}", word)
		}
		expect(ts, "0", command)
	}
}
