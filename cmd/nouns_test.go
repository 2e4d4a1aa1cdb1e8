package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fixedNumbers are messages whose number is a limit of this program, or never 1.
var fixedNumbers = []string{
	"(not sent: %d rows of its %s were refused with this message)", "the first %d lines are empty", "%d consecutive calls failed",
	"%s is that of %d accounts", "%d accounts have this name", "an array of %d objects, not one", "a sheet has %d columns", "a row has %d columns, and a sheet",
	"the last %d days, %s to %s",
	"%d keywords were sent; the response", "which all have %d digits",
	"%s (%d times)",
}

// TestNumbersAgreeWithNouns looks for messages in which a noun in the plural follows a number: phrase.Count makes both,
// so that one row is not called "1 rows".
func TestNumbersAgreeWithNouns(t *testing.T) {
	inPlural := regexp.MustCompile(`%d (?:[a-z-]+ )?[a-z]+s\b`)
	notCounted := regexp.MustCompile(`(?:line|row|page|campaign|rank of) %d|%d (?:is|was|has|does)\b|(?:more than|by|has) %d (?:different )?(?:rows|bytes|pages|pixels|formats|levels|keywords|fields|days)|%d bytes`)
	seen := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "mock" || d.Name() == "tools"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			if found := inPlural.FindString(literal.Value); found != "" && !notCounted.MatchString(literal.Value) {
				for _, fixed := range fixedNumbers {
					if strings.Contains(literal.Value, fixed) {
						seen[fixed] = true
						return true
					}
				}
				t.Errorf("%s: got %s, want the number and the noun from phrase.Count", path, literal.Value)
			}
			return true
		})
		return nil
	})
	noError(t, err)
	for _, fixed := range fixedNumbers {
		if !seen[fixed] {
			t.Errorf("got no message with %q, want one, or none in this list", fixed)
		}
	}
}
