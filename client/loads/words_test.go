package loads

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestWordsOfPrograms looks for the flags of commands in all texts that errors and notes of loads can have: a program has none.
func TestWordsOfPrograms(t *testing.T) {
	flag := regexp.MustCompile(`--[a-z]`)
	ofCommands := []string{ // what no program can cause
		"--encoding", "--sheet %s", "--example is one of",
	}
	for _, dir := range []string{"../bulk", "../schema", "../xlsx", "."} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || path == "words.go" {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				literal, ok := n.(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					return true
				}
				text, _ := strconv.Unquote(literal.Value)
				for _, words := range ofCommands {
					text = strings.ReplaceAll(text, words, "")
				}
				if got := programWords.Replace(text); flag.MatchString(got) {
					t.Errorf("%s: got %q, want no flag", path, got)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
