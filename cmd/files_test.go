package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// eachFile calls visit with each source file of the program, tests and their helpers
// apart.
func eachFile(t *testing.T, visit func(file string, set *token.FileSet, tree *ast.File)) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && name != "..") {
			return filepath.SkipDir
		}
		name := strings.TrimPrefix(filepath.ToSlash(path), "../")
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "tools/") {
			return nil
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, path, nil, 0)
		if err == nil {
			visit(name, set, tree)
		}
		return err
	})
	noError(t, err)
}

// eachCall calls visit with each call of a package's function in the program: the file,
// the function as package.Name, and the source of the call.
func eachCall(t *testing.T, visit func(file, function, source string)) {
	t.Helper()
	calls := 0
	eachFile(t, func(file string, set *token.FileSet, tree *ast.File) {
		ast.Inspect(tree, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if selector, ok := call.Fun.(*ast.SelectorExpr); ok {
				if pkg, ok := selector.X.(*ast.Ident); ok {
					visit(file, pkg.Name+"."+selector.Sel.Name, sourceOf(t, set, call))
					calls++
				}
			}
			return true
		})
	})
	if calls == 0 {
		t.Error("got no calls, want some")
	}
}

func sourceOf(t *testing.T, set *token.FileSet, n ast.Node) string {
	t.Helper()
	var source strings.Builder
	if err := printer.Fprint(&source, set, n); err != nil {
		t.Error(err)
	}
	return source.String()
}

// TestFilesAreWrittenInOnePlace checks that the program opens a file for writing, or
// renames one, in client/atomicfile only. The other places write no file as a whole, and
// say which of its dangers they meet.
func TestFilesAreWrittenInOnePlace(t *testing.T) {
	others := map[string]string{
		"output/file.go":                  "asks whether a file may be written; writes pipes and devices, which can't be replaced",
		"client/bulk/wal/log.go":          "appends to a journal, in a folder that trust.CheckFolder has found safe",
		"client/bulk/history/history.go":  "appends to the history, which trust.Check has found safe, or creates it",
		"client/bulk/job/memory.go":       "renames a journal within its folder, which trust.CheckFolder has found safe",
		"client/atomicfile/unnamed.go":    "creates temporary files that have no name",
		"client/mock/database/file.go":    "makes a database of the mock, which imports nothing of the client",
		"client/mock/database/bolt.go":    "opens a database of the mock for bbolt",
		"client/trust/owner_unix.go":      "opens for reading only",
		"client/atomicfile/lock_unix.go":  "opens a temporary file to lock it",
		"client/atomicfile/lock_other.go": "renames a temporary file",
		"client/atomicfile/atomicfile.go": "the one place",
	}
	eachCall(t, func(file, function, source string) {
		switch function {
		case "os.OpenFile", "os.Create", "os.CreateTemp", "os.WriteFile", "os.Rename", "os.Link", "os.Symlink", "os.Truncate", "bolt.Open", "bbolt.Open":
			if others[file] == "" {
				t.Errorf("%s: %s: write the file by client/atomicfile", file, source)
			}
		}
	})
}

// TestReadsAreBounded checks that whatever the program reads into memory as a whole has
// a limit.
func TestReadsAreBounded(t *testing.T) {
	others := map[string]string{
		"client/transport/debug.go":     "the body of a request, which this program made",
		"client/bulk/job/boot_linux.go": "a file of the kernel",
	}
	eachCall(t, func(file, function, source string) {
		switch function {
		case "os.ReadFile", "ioutil.ReadAll", "ioutil.ReadFile":
			if others[file] == "" {
				t.Errorf("%s: %s: give it a limit by trust.ReadFile or cli.ReadInput", file, source)
			}
		case "io.ReadAll":
			if !strings.Contains(source, "io.LimitReader(") && !strings.Contains(source, "http.MaxBytesReader(") && others[file] == "" {
				t.Errorf("%s: %s: give it a limit by io.LimitReader", file, source)
			}
		}
	})
}

// TestNoPathIsAPattern checks that no path is matched as a pattern: a folder of the user
// may have the characters of one in its name.
func TestNoPathIsAPattern(t *testing.T) {
	eachCall(t, func(file, function, source string) {
		switch function {
		case "filepath.Glob", "filepath.Match", "path.Match", "fs.Glob":
			t.Errorf("%s: %s: read the folder instead", file, source)
		}
	})
}

// TestEveryGoroutineReportsItsPanic checks that each goroutine of the program defers
// crash.Recover, as its last deferred call: Go ends a program in which a goroutine panics
// with exit code 2, which says that nothing was sent.
func TestEveryGoroutineReportsItsPanic(t *testing.T) {
	goroutines := 0
	eachFile(t, func(file string, set *token.FileSet, tree *ast.File) {
		ast.Inspect(tree, func(n ast.Node) bool {
			var body ast.Expr
			switch n := n.(type) {
			case *ast.GoStmt:
				body = n.Call.Fun
			case *ast.CallExpr:
				if selector, ok := n.Fun.(*ast.SelectorExpr); ok && selector.Sel.Name == "Go" && len(n.Args) == 1 {
					body = n.Args[0]
				}
			}
			if body == nil {
				return true
			}
			goroutines++
			last := ""
			if function, ok := body.(*ast.FuncLit); ok {
				for _, statement := range function.Body.List {
					if deferred, ok := statement.(*ast.DeferStmt); ok {
						last = sourceOf(t, set, deferred.Call)
					}
				}
			}
			if last != "crash.Recover()" {
				t.Errorf("%s: got the last deferred call %q in a goroutine, want crash.Recover()", set.Position(n.Pos()), last)
			}
			return true
		})
	})
	if goroutines == 0 {
		t.Error("got no goroutines, want some")
	}
}
