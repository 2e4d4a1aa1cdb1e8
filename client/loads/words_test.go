package loads

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/decode"
)

// TestWordsOfPrograms looks for the flags of commands in all texts that errors and notes of loads can have: a program is told none.
func TestWordsOfPrograms(t *testing.T) {
	ofCommands := regexp.MustCompile(`--[a-z]|Ctrl-C|this command|same command`)
	notOfPrograms := regexp.MustCompile(`^(--sheet %s|--encoding %s|unknown (format|encoding) %s|for which to try --encoding |, --keyword-separator |--keyword-separator ')` +
		`|leave --input-format out$|--csv-safe puts|takes ids in a text`)
	unsaid := map[string]bool{}
	for words := range programWords {
		unsaid[words] = true
	}
	for _, dir := range []string{"../bulk", "../schema", "../xlsx", "."} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || path == "loads.go" {
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
				delete(unsaid, text)
				if _, isSaid := programWords[text]; !isSaid && ofCommands.MatchString(text) && !notOfPrograms.MatchString(text) {
					t.Errorf("%s: %q is told to programs, too", path, text)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(unsaid) > 0 {
		t.Errorf("no text has the words %v", unsaid)
	}
}

// TestProgramIsTold checks that errors, hints and rejects are in the words of a program, and that paths, values and the messages of
// the service stay as they are.
func TestProgramIsTold(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusUnprocessableEntity)
		}
		_, _ = io.WriteString(w, `{"data":[],"error":false,"messages":["see --verify, or the same command"]}`)
	}))
	t.Cleanup(server.Close)
	c, err := client.New(client.Options{BaseURL: server.URL})
	noError(t, err)
	load := Keywords(c)
	load.Schema.Strict = true
	dir := filepath.Join(t.TempDir(), "--map")
	noError(t, os.Mkdir(dir, 0o700))
	var notes []string
	run := func(name, text string) (rejects string, err error) {
		path := filepath.Join(dir, name)
		noError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err = load.Run(t.Context(), path, newStore(t), bulk.Options{
			OnInvalid: bulk.Skip, Rejects: path + ".rejects", Note: func(note string) { notes = append(notes, note) },
		})
		data, _ := os.ReadFile(path + ".rejects")
		return string(data), err
	}
	for name, c := range map[string]struct{ file, text, want string }{
		"path":     {"rows", "x;y\n1;2\n", "the format of " + filepath.Join(dir, "rows") + " is unknown: give a name that ends with the format, one of "},
		"columns":  {"a.csv", "keyword,--map\na,b\n", "line 1, --map: unknown column: use Load.Schema.Map or Load.Schema.IgnoreUnknown"},
		"encoding": {"b.csv", "keyword,account_id\xe9\n", "line 1: has bytes that are no text in UTF-8: save it as UTF-8"},
		"json":     {"c.json", "{}\n{}", "line 2: a second object: for one object per line, use a name that ends with .ndjson"},
		"workbook": {"d.xlsx", "a", filepath.Join(dir, "d.xlsx") + " is not a workbook (.xlsx), which is a zip archive"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := run(c.file, c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
			if issues, ok := errors.AsType[*decode.Error](err); ok && strings.Contains(issues.Hint, "--") {
				t.Errorf("got the hint %s", issues.Hint)
			}
		})
	}
	_, err = run("e.tsv", "account_id\tcampaign_id\tkeyword\tkeyword_type\n1\t101\t\"a\"\ttarget\n1\t101\t\"a\"\ttarget\n")
	noError(t, err)
	if said := strings.Join(notes, "\n"); !strings.Contains(said, "a name that ends with .csv takes them off") || !strings.Contains(said, "line 3 repeats line 2") {
		t.Errorf("got the notes %s, want those of the file", said)
	}
	rejects, err := run("rows.csv", "account_id,campaign_id,keyword,keyword_type\n1,101, --strict,target\n1,101,a,target\n")
	noError(t, err)
	for _, want := range []string{`--strict"" would be repaired to ""--strict"", which Load.Schema.Strict refuses`, "see --verify, or the same command"} {
		if !strings.Contains(rejects, want) {
			t.Errorf("got the rejects %s, want %s in them", rejects, want)
		}
	}
}
