package cmd_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// placeholder stands for what a text of the program takes from elsewhere: an id, or a number that ends a word.
const placeholder = "1"

var (
	formatVerb = regexp.MustCompile(`%(\[\d+\])?[a-z]`)
	namedShell = regexp.MustCompile("`(reseller [a-z-][^`]+)`") // not `reseller %ss list`
)

// textOf returns the text of an expression, as far as the source has it. ok is false if it has none.
func textOf(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return placeholder, false
		}
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, isLeft := textOf(e.X)
		right, isRight := textOf(e.Y)
		return left + right, e.Op == token.ADD && (isLeft || isRight)
	}
	return placeholder, false
}

// TestNamedCommandsRun checks each command that a text of the program names, in hints, notes, errors and help: it is a
// command, has these flags and takes these arguments, and flags about a file come with one.
func TestNamedCommandsRun(t *testing.T) {
	commands := map[string]string{}
	for path := range packages(t, "") {
		files, err := filepath.Glob(filepath.Join("..", path, "*.go"))
		noError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			noError(t, err)
			ast.Inspect(parsed, func(n ast.Node) bool {
				e, isExpr := n.(ast.Expr)
				if !isExpr {
					return true
				}
				text, ok := textOf(e)
				for _, match := range namedShell.FindAllStringSubmatch(text, -1) {
					commands[match[1]] = file
				}
				return !ok
			})
		}
	}
	if len(commands) < 40 {
		t.Fatalf("got %d commands, want those of all texts", len(commands))
	}
	for command, file := range commands {
		t.Run(command, func(t *testing.T) {
			words := strings.Fields(strings.ReplaceAll(formatVerb.ReplaceAllString(command, placeholder), "'", ""))[1:]
			if words[0] == "help" {
				return // its topics are no commands
			}
			c, rest, err := newTree().Find(words)
			if err != nil || c.HasSubCommands() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") && rest[0] != placeholder {
				t.Fatalf("%s names no command (%v)", file, err)
			}
			if err := c.ParseFlags(rest); err != nil && !errors.Is(err, pflag.ErrHelp) && !errors.As(err, new(*pflag.ValueRequiredError)) {
				t.Fatalf("%s: %v", file, err) // the help names flags without a value
			}
			if err := c.ValidateArgs(c.Flags().Args()); err != nil && c.Flags().NArg() > 0 {
				t.Errorf("%s: %v", file, err)
			}
			if given := c.Flags().Lookup("file"); given != nil && !given.Changed && c.Flags().Changed("ignore-unknown") {
				t.Errorf("%s: the flags need --file", file)
			}
		})
	}
}
