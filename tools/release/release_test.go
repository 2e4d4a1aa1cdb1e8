package release

import (
	"compress/gzip"
	"context"
	"debug/buildinfo"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// TestMain runs the tests in the root of the repository, where the program runs.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	if runtime.GOOS != "linux" {
		fmt.Println("a release is made on Linux: its scripts need GNU's date, sed and find")
		os.Exit(0)
	}
	code := m.Run()
	if dir, err := built(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// built returns the folder with the files of a snapshot, which it makes once.
var built = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "release-"); err == nil {
		_, err = output("", "assets", dir, "1.2.0-snapshot.abcdef", "2026-11-22T23:00:00-02:00")
	}
	return dir, err
})

// output runs one of the scripts beside the test.
func output(stdin, script string, args ...string) (string, error) {
	c := exec.CommandContext(context.Background(), filepath.Join("tools", "release", script), args...)
	c.Stdin = strings.NewReader(stdin)
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, errs.String())
	}
	return string(out), err
}

const changelog = `# Changelog

Some words.

## [Unreleased]

### Added

- A new thing, which takes
  two lines.

### Fixed

- An old thing.

## [1.2.0] - 2026-11-01

- The first.

## [1.1.0] - 2026-10-01
`

func TestFindNotes(t *testing.T) {
	for version, want := range map[string]string{
		"1.2.0":                 "- The first.\n",
		"v1.2.0":                "- The first.\n",
		"0.0.0-snapshot.abcdef": "### Added\n\n- A new thing, which takes\n  two lines.\n\n### Fixed\n\n- An old thing.\n",
	} {
		t.Run(version, func(t *testing.T) {
			if got, err := output(changelog, "notes", version); got != want || err != nil {
				t.Errorf("got %q, error %v, want %q", got, err, want)
			}
		})
	}
	for version, want := range map[string]string{"1.3.0": "says nothing of 1.3.0", "1.1.0": "says nothing of 1.1.0"} {
		t.Run(version, func(t *testing.T) {
			if got, err := output(changelog, "notes", version); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %q, error %v, want an error with %q", got, err, want)
			}
		})
	}
}

// TestNotesOfTheNextRelease checks that the changelog of the repository has a section for
// changes that were not released.
func TestNotesOfTheNextRelease(t *testing.T) {
	text, err := os.ReadFile("CHANGELOG.md")
	noError(t, err)
	if _, err := output(string(text), "notes", "0.0.0-snapshot.abcdef"); err != nil {
		t.Error(err)
	}
}

// TestFixManifests checks that manifests which differ in the day of the build and in the order
// of the installers become the same.
func TestFixManifests(t *testing.T) {
	const head = "# This file was generated.\nPackageVersion: 1.2.0\nReleaseDate: \"%s\"\nInstallers:\n"
	const arm64 = "  - Architecture: arm64\n    NestedInstallerFiles:\n      - RelativeFilePath: reseller.exe\n    InstallerUrl: https://example.com/arm64.zip\n"
	const x64 = "  - Architecture: x64\n    InstallerUrl: https://example.com/amd64.zip\n"
	const tail = "ManifestType: installer\n"
	want := strings.Replace(head, "%s", "2026-11-22", 1) + x64 + arm64 + tail
	for name, text := range map[string]string{
		"sorted, of another day":           strings.Replace(head, "%s", "2026-11-24", 1) + x64 + arm64 + tail,
		"in another order":                 strings.Replace(head, "%s", "2026-11-22", 1) + arm64 + x64 + tail,
		"without quotes":                   strings.Replace(head, `"%s"`, "2026-11-22", 1) + arm64 + x64 + tail,
		"with items of lists not indented": strings.NewReplacer("%s", "2026-11-22", "\n  ", "\n").Replace(head + arm64 + x64 + tail),
		"empty":                            "",
		"no installers":                    strings.Replace(head, "Installers", "Others", 1),
	} {
		t.Run(name, func(t *testing.T) {
			dist, want := t.TempDir(), want
			path := filepath.Join(dist, "Reseller.installer.yaml")
			noError(t, os.WriteFile(path, []byte(text), 0o600))
			_, err := output("", "manifests", dist, "2026-11-23T00:30:00+01:00")
			got, readErr := os.ReadFile(path)
			if strings.Contains(text, "\n- ") {
				want = strings.ReplaceAll(want, "\n  ", "\n")
			}
			if isWhole := strings.Contains(text, "x64"); (err == nil) != isWhole || readErr != nil || isWhole && string(got) != want {
				t.Errorf("got\n%s\nerrors %v, %v, want\n%s", got, err, readErr, want)
			}
		})
	}
	if _, err := output("", "manifests", t.TempDir(), "2026-11-23T00:30:00+01:00"); err == nil {
		t.Error("a folder without a manifest: got no error")
	}
}

func TestLicenseTexts(t *testing.T) {
	dir := t.TempDir()
	below := filepath.Join(dir, "internal", "other", "leaf")
	if got, err := output("", "licenses", dir, dir, below); err == nil {
		t.Errorf("a module without a licence: got %q, want an error", got)
	}
	for _, folder := range []string{below, filepath.Join(below, "fonts"), filepath.Join(dir, "licenses")} {
		noError(t, os.MkdirAll(folder, 0o700))
	}
	for _, name := range []string{"LICENSE.txt", "NOTICE", "license_test.go", "README.md", "internal/other/LICENSE", "internal/other/leaf/fonts/OFL.txt", "licenses/ftl.txt"} {
		noError(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600))
	}
	noError(t, os.WriteFile(filepath.Join(below, "COPYING"), []byte("NOTICE"), 0o600))
	got, err := output("", "licenses", dir, dir, below)
	if want := "LICENSE.txt NOTICE licenses/ftl.txt internal/other/LICENSE internal/other/leaf/fonts/OFL.txt"; err != nil || strings.Join(strings.Fields(got)[2:], " ") != want {
		t.Errorf("got %q, error %v, want the licences of all folders that are linked, each text once", got, err)
	}
}

// TestLicensesAreComplete compares the modules that have licences with those that the program itself lists.
func TestLicensesAreComplete(t *testing.T) {
	dir, err := built()
	noError(t, err)
	licenses, err := os.ReadFile(filepath.Join(dir, "THIRD-PARTY-LICENSES.txt"))
	noError(t, err)
	program := filepath.Join(t.TempDir(), "reseller")
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	noError(t, build.Run())
	info, err := buildinfo.ReadFile(program)
	noError(t, err)
	for _, dep := range info.Deps {
		if !strings.Contains(string(licenses), "\n"+strings.Repeat("=", 78)+"\n"+dep.Path+" "+dep.Version+"\n") {
			t.Errorf("the program contains %s %s, which is missing", dep.Path, dep.Version)
		}
	}
	if len(info.Deps) == 0 || !strings.Contains(string(licenses), "\nGo and its standard library go1.") {
		t.Errorf("got %d modules, and want the licence of Go", len(info.Deps))
	}
}

// TestDebianChangelog checks the form of the changelog of the Debian package.
func TestDebianChangelog(t *testing.T) {
	dir, err := built()
	noError(t, err)
	lines := strings.Split(unzipped(t, filepath.Join(dir, "changelog.gz")), "\n")
	first, last := lines[0], lines[len(lines)-2]
	if first != "reseller (1.2.0~snapshot.abcdef) stable; urgency=medium" || last != " -- The maintainers of reseller <maintainers@reseller.invalid>  Mon, 23 Nov 2026 01:00:00 +0000" {
		t.Errorf("got %q and %q", first, last)
	}
	items := 0
	for _, line := range lines[2 : len(lines)-3] {
		isItem := strings.HasPrefix(line, "  * ")
		if !isItem && !strings.HasPrefix(line, "    ") || len([]rune(line)) > 80 || strings.TrimSpace(line) != strings.TrimLeft(line, " ") {
			t.Errorf("got the line %q", line)
		}
		if isItem {
			items++
		}
	}
	if items == 0 {
		t.Error("got no changes")
	}
}

// unzipped returns the content of a gzip file.
func unzipped(t *testing.T, path string) string {
	t.Helper()
	file, err := os.Open(path)
	noError(t, err)
	defer func() { _ = file.Close() }()
	text, err := gzip.NewReader(file)
	noError(t, err)
	content, err := io.ReadAll(text)
	noError(t, err)
	return string(content)
}

// TestWorkflows checks that each action is named by a commit, which nobody can move, and that
// only the job which publishes may write, what it publishes. Pushes and pull requests are checked as releases are, and the image
// is made of one that is named by its digest.
func TestWorkflows(t *testing.T) {
	dockerfile, err := os.ReadFile("Dockerfile")
	noError(t, err)
	for line := range strings.Lines(string(dockerfile)) {
		if image, isFrom := strings.CutPrefix(line, "FROM "); isFrom && !strings.Contains(image, "@sha256:") && strings.TrimSpace(image) != "scratch" {
			t.Errorf("%s is not named by a digest", strings.TrimSpace(image))
		}
	}
	files, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil || len(files) < 2 {
		t.Fatalf("got workflows %q, error %v, want at least two", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			noError(t, err)
			var workflow struct {
				On          map[string]any
				Permissions map[string]string
				Jobs        map[string]struct {
					Permissions map[string]string
					Steps       []struct{ Uses, Run string }
				}
			}
			noError(t, yaml.Unmarshal(text, &workflow))
			if len(workflow.Permissions) != 1 || workflow.Permissions["contents"] != "read" {
				t.Errorf("got permissions %v, want only to read", workflow.Permissions)
			}
			if file == ".github/workflows/ci.yml" {
				_, isPush := workflow.On["push"]
				if _, isPull := workflow.On["pull_request"]; !isPush || !isPull {
					t.Errorf("got events %v, want pushes and pull requests", workflow.On)
				}
			}
			may := map[string]string{"contents": "write", "id-token": "write", "attestations": "write"} // what publishes a release
			checks := ""
			for name, job := range workflow.Jobs {
				if job.Permissions != nil && (name != "release" || !maps.Equal(job.Permissions, may)) {
					t.Errorf("%s: got permissions %v, want those of the workflow", name, job.Permissions)
				}
				for _, step := range job.Steps {
					checks += step.Run + "\n"
					_, commit, _ := strings.Cut(step.Uses, "@")
					if hash, err := hex.DecodeString(commit); step.Uses != "" && (err != nil || len(hash) != 20) {
						t.Errorf("%s: %s is not named by a commit", name, step.Uses)
					}
				}
			}
			if !strings.Contains(checks, ".ci/run") || !strings.Contains(checks, "govulncheck@v") {
				t.Errorf("got steps\n%s\nwant .ci/run and govulncheck in them", checks)
			}
		})
	}
}

// TestSkippedSteps runs the end of .ci/run: it names each step that was skipped once, and a release fails with any.
func TestSkippedSteps(t *testing.T) {
	script, err := os.ReadFile(".ci/run")
	noError(t, err)
	_, end, ok := strings.Cut(string(script), "step \"what was skipped\"\n")
	if !ok {
		t.Fatal("got no step that says what was skipped at the end of .ci/run")
	}
	for _, c := range []struct{ release, skips, want string }{
		{"", "", "skipped: nothing"}, {"1", "", "skipped: nothing"}, {"", "wine keyring wine", "skipped: keyring, wine"},
		{"1", "wine keyring", "a release needs every step; skipped: keyring, wine"},
	} {
		t.Run(c.want, func(t *testing.T) {
			list := filepath.Join(t.TempDir(), "skipped")
			noError(t, os.WriteFile(list, nil, 0o600))
			run := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", "for step in "+c.skips+"; do .ci/skip $step reason >/dev/null; done\n"+end)
			run.Env = append(os.Environ(), "SKIPPED="+list, "RELEASE="+c.release)
			out, err := run.CombinedOutput()
			if strings.TrimSpace(string(out)) != c.want || (err != nil) != strings.HasPrefix(c.want, "a release needs") {
				t.Errorf("got %q, error %v, want %q", out, err, c.want)
			}
		})
	}
}

// TestManualIsWhole checks that each manual page has the date of the release, and that the cask installs all pages.
func TestManualIsWhole(t *testing.T) {
	dir, err := built()
	noError(t, err)
	paths, err := filepath.Glob(filepath.Join(dir, "man", "*"))
	noError(t, err)
	var pages []string
	for _, path := range paths {
		pages = append(pages, "man/"+filepath.Base(path))
		if title, _, _ := strings.Cut(unzipped(t, path), "\n"); !strings.HasSuffix(title, ` "2026-11-23" "reseller 1.2.0\-snapshot.abcdef"`) {
			t.Errorf("%s: got title %q, want the date and the version in it", filepath.Base(path), title)
		}
	}
	text, err := os.ReadFile(".goreleaser.yaml")
	noError(t, err)
	var config struct {
		Casks []struct{ Manpages []string } `yaml:"homebrew_casks"`
	}
	if err := yaml.Unmarshal(text, &config); err != nil || len(config.Casks) != 1 {
		t.Fatalf("got %d casks, error %v, want one", len(config.Casks), err)
	}
	if diff := cmp.Diff(pages, config.Casks[0].Manpages); diff != "" || len(pages) < 50 {
		t.Errorf("the cask does not install the pages that there are (-want +got):\n%s", diff)
	}
}

// TestChangelogRepeatsNoWord finds what the check of Debian's packages refuses.
func TestChangelogRepeatsNoWord(t *testing.T) {
	text, err := os.ReadFile("CHANGELOG.md")
	noError(t, err)
	before := ""
	for word := range strings.FieldsSeq(string(text)) {
		if word == before && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" {
			t.Errorf("got %q twice in a row in CHANGELOG.md", word)
		}
		before = word
	}
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
