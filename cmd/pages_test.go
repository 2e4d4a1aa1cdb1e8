package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"reseller/client/portfolio"
	"reseller/client/schema"
)

// readPage returns the text of a page of the repository.
func readPage(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", path))
	noError(t, err)
	return string(text)
}

var (
	testFunc   = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	namedTest  = regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
	namedStory = regexp.MustCompile("`TestStories/([\\w/]+)`")
	namedFile  = regexp.MustCompile("`(\\w+/[\\w/.]+\\.(?:go|md|yaml))")
)

// checkNames checks that the tests, stories and files that a page names exist.
func checkNames(t *testing.T, page string) {
	t.Helper()
	tests := map[string]bool{}
	for path := range packages(t, "") {
		files, err := filepath.Glob(filepath.Join("..", path, "*_test.go"))
		noError(t, err)
		for _, file := range files {
			for _, match := range testFunc.FindAllStringSubmatch(readPage(t, strings.TrimPrefix(filepath.ToSlash(file), "../")), -1) {
				tests[match[1]] = true
			}
		}
	}
	for _, match := range namedTest.FindAllStringSubmatch(page, -1) {
		if !tests[match[1]] {
			t.Errorf("the page names %s, which no package has", match[1])
		}
	}
	exists := func(path string) {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("the page names a file that is not there: %v", err)
		}
	}
	for _, match := range namedStory.FindAllStringSubmatch(page, -1) {
		exists("testdata/stories/" + match[1] + ".txtar")
	}
	for _, match := range namedFile.FindAllStringSubmatch(page, -1) {
		exists(filepath.Join("..", match[1]))
	}
}

// TestSecurityPage checks that each promise of SECURITY.md, which is a row of a table
// there, names a test that exists.
func TestSecurityPage(t *testing.T) {
	text := readPage(t, "SECURITY.md")
	promises := 0
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| promise ") {
			continue
		}
		promises++
		if !namedTest.MatchString(line) && !namedStory.MatchString(line) {
			t.Errorf("a promise names no test: %s", line)
		}
	}
	if promises == 0 {
		t.Error("got no promises, want some")
	}
	checkNames(t, text)
}

// TestColumnNamesOfTheGuide compares the other names of columns in docs/spreadsheets.md with
// those of the fields. With -update it writes them.
func TestColumnNamesOfTheGuide(t *testing.T) {
	var fields []string
	keywords := portfolio.New().Resource().Field("keywords").ForeignSynonyms()
	names := map[string][]string{"keywords": slices.Concat(schema.KeywordListSynonyms, slices.Concat(keywords[:]...))}
	for _, res := range []*schema.Resource{&schema.AccountsV2, &schema.AccountsV1, &schema.Keywords, &schema.Notes, &schema.StatusChange, &schema.Credentials, &schema.Plans, &schema.Campaigns} {
		for _, f := range res.Having(schema.Create | schema.Update) {
			if !slices.Contains(fields, f.Name) {
				fields = append(fields, f.Name)
			}
			foreign := f.ForeignSynonyms()
			for _, name := range slices.Concat([]string{f.ReadName()}, f.Aliases, f.ColumnSynonyms, slices.Concat(foreign[:]...)) {
				if name != f.Name && !slices.Contains(names[f.Name], name) {
					names[f.Name] = append(names[f.Name], name)
				}
			}
		}
	}
	const head = "| field | other names of its column |\n|---|---|\n"
	page := readPage(t, "docs/spreadsheets.md")
	before, after, found := strings.Cut(page, head)
	_, after, whole := strings.Cut(after, "\nThe exact name")
	if !found || !whole {
		t.Fatalf("got no table of names in docs/spreadsheets.md, want one with the head\n%s", head)
	}
	var table strings.Builder
	for _, field := range append(fields, "keywords") {
		if names[field] != nil {
			fmt.Fprintf(&table, "| `%s` | %s |\n", field, strings.Join(names[field], ", "))
		}
	}
	compareGolden(t, "../docs/spreadsheets.md", before+head+table.String()+"\nThe exact name"+after)
}

// TestDependenciesPage checks that docs/dependencies.md tells of each module that go.mod
// requires directly, and of no other.
func TestDependenciesPage(t *testing.T) {
	modules := func(path string, pattern *regexp.Regexp) (found []string) {
		for _, match := range pattern.FindAllStringSubmatch(readPage(t, path), -1) {
			if match[2] != "indirect" {
				found = append(found, match[1])
			}
		}
		slices.Sort(found)
		return found
	}
	want := modules("go.mod", regexp.MustCompile(`(?m)^(?:require )?\t?([\w./-]+) v[\w.-]+(?: // (.*))?$`))
	got := modules("docs/dependencies.md", regexp.MustCompile("(?m)^\\| `([\\w./-]+)` \\|()"))
	if len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("got the modules\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
