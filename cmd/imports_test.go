package cmd_test

import (
	"errors"
	"go/build"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sharedImports are the packages below cmd that the groups of commands share, and
// what each of them may import of the others.
var sharedImports = map[string][]string{
	"form":     nil,
	"opener":   nil,
	"cli":      {"form", "opener"},
	"fanout":   {"cli"},
	"complete": {"cli", "lookup"},
	"lookup":   {"cli", "form"},
	"resource": {"cli", "fanout", "form", "lookup"},
	"bulkcmd":  {"cli", "form", "lookup", "resource"},
}

// packages returns the path in the repository of each package below dir, with the import paths of those that it
// imports.
func packages(t *testing.T, dir string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(filepath.Join("..", dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); name == "testdata" || name == "tools" || strings.HasPrefix(name, ".") && name != ".." {
			return filepath.SkipDir
		}
		p, err := build.ImportDir(path, 0)
		if errors.As(err, new(*build.NoGoError)) {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel("..", path)
		found[filepath.ToSlash(rel)] = p.Imports
		return err
	})
	if err != nil || len(found) == 0 {
		t.Fatalf("got %d packages below %s (%v), want some", len(found), dir, err)
	}
	return found
}

// TestGroupsDoNotImportEachOther checks that a group of commands imports, of the
// packages below cmd, only the shared ones and those below itself.
func TestGroupsDoNotImportEachOther(t *testing.T) {
	for path, imports := range packages(t, "cmd") {
		name, below := strings.CutPrefix(path, "cmd/")
		if !below {
			continue // the root assembles all groups
		}
		t.Run(name, func(t *testing.T) {
			for _, other := range imports {
				other, below := strings.CutPrefix(other, "reseller/cmd/")
				allowed, isShared := sharedImports[name]
				switch _, otherShared := sharedImports[other]; {
				case !below, isShared && slices.Contains(allowed, other), !isShared && otherShared, strings.HasPrefix(other, name+"/"):
				default:
					t.Errorf("got an import of cmd/%s, want none", other)
				}
			}
		})
	}
}

// namedDeclaration matches a function, type or field that a page names, with or without its package, and namedSource a
// file without its folder.
var (
	namedDeclaration = regexp.MustCompile("`(?:[a-z]+\\.)?([A-Z][A-Za-z]+|[a-z]+[A-Z][A-Za-z]*)`")
	namedSource      = regexp.MustCompile("`([a-z_]+\\.go)`")
)

// TestArchitecture checks that docs/architecture.md has each package, and that the
// tests, files, functions and types that it names exist. The page does not need to have the groups of
// commands: root.go lists them.
func TestArchitecture(t *testing.T) {
	t.Parallel()
	text := readPage(t, "docs/architecture.md")
	var source strings.Builder
	for name := range packages(t, "") {
		files, err := filepath.Glob(filepath.Join("..", name, "*.go"))
		noError(t, err)
		for _, file := range files {
			source.WriteString("// " + filepath.Base(file) + "\n" + readPage(t, strings.TrimPrefix(filepath.ToSlash(file), "../")))
		}
		if name != "." && !isGroup(name) && !strings.Contains(text, "`"+name+"`") {
			t.Errorf("the page does not have the package `%s`", name)
		}
	}
	checkNames(t, text)
	for _, match := range namedDeclaration.FindAllStringSubmatch(text, -1) {
		if !regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type |\t)` + match[1] + `\b`).MatchString(source.String()) {
			t.Errorf("the page names %s, which no package declares", match[1])
		}
	}
	for _, match := range namedSource.FindAllStringSubmatch(text, -1) {
		if !strings.Contains(source.String(), "// "+match[1]+"\n") {
			t.Errorf("the page names %s, which no package has", match[1])
		}
	}
}

// isGroup reports whether a package has a group of commands.
func isGroup(name string) bool {
	below, ok := strings.CutPrefix(name, "cmd/")
	_, shared := sharedImports[below]
	return ok && !shared && !strings.Contains(below, "/")
}
