package loads

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"reseller/client"
	"reseller/client/bulk"
)

// TestOtherWords checks that paths, values and the messages of the service stay as they are.
func TestOtherWords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "--map-file", "the same command.csv")
	if _, err := Keywords(nil).Run(context.Background(), path, "", bulk.Options{}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got the error %v, want the path %s", err, path)
	}
	if got, want := inProgramWords(`"--map \" --map" can't be: --map`, ""), `"--map \" --map" can't be: Load.Schema.Map`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	refusal := &client.Error{Action: "list", HTTPStatus: 401, Messages: []string{"see --verify"}}
	if got := (&programError{errors.Join(refusal), ""}).Error(); got != refusal.Error() {
		t.Errorf("got %s, want %v", got, refusal)
	}
}

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
