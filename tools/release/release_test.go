package main

import (
	"compress/gzip"
	"debug/buildinfo"
	"encoding/hex"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// TestMain runs the tests in the root of the repository, where the program runs.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// built returns the path of a program of version v1.2.0 that lasts as long as the test.
func built(t *testing.T) string {
	t.Helper()
	path, err := buildProgram("v1.2.0")
	noError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(filepath.Dir(path)) })
	return path
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
			if got, err := findNotes(changelog, version); got != want || err != nil {
				t.Errorf("got %q, error %v, want %q", got, err, want)
			}
		})
	}
	for version, want := range map[string]string{"1.3.0": "no section 1.3.0", "1.1.0": "says nothing of 1.1.0"} {
		t.Run(version, func(t *testing.T) {
			if got, err := findNotes(changelog, version); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %q, error %v, want an error with %q", got, err, want)
			}
		})
	}
}

func TestDebianChangelog(t *testing.T) {
	notes, err := findNotes(changelog, "0.1.0-snapshot.abcdef")
	noError(t, err)
	got := debianChangelog("0.1.0-snapshot.abcdef", notes+"- "+strings.Repeat("word ", 30), time.Date(2026, 11, 22, 19, 4, 17, 0, time.UTC))
	want := "reseller (0.1.0~snapshot.abcdef) stable; urgency=medium\n\n  * A new thing, which takes two lines.\n  * An old thing.\n  *" +
		strings.Repeat(" word", 15) + "\n   " + strings.Repeat(" word", 15) + "\n\n -- " + maintainer + "  Sun, 22 Nov 2026 19:04:17 +0000\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestNotesOfTheNextRelease checks that the changelog of the repository has a section for
// changes that were not released.
func TestNotesOfTheNextRelease(t *testing.T) {
	if _, err := readNotes("0.0.0-snapshot.abcdef"); err != nil {
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
		"sorted, of another day": strings.Replace(head, "%s", "2026-11-24", 1) + x64 + arm64 + tail,
		"in another order":       strings.Replace(head, "%s", "2026-11-22", 1) + arm64 + x64 + tail,
	} {
		t.Run(name, func(t *testing.T) {
			dist := t.TempDir()
			path := filepath.Join(dist, "Reseller.installer.yaml")
			noError(t, os.WriteFile(path, []byte(text), 0o600))
			err := fixManifests(dist, time.Date(2026, 11, 23, 0, 30, 0, 0, time.FixedZone("", 3600)))
			if got, readErr := os.ReadFile(path); string(got) != want || err != nil || readErr != nil {
				t.Errorf("got\n%s\nerrors %v, %v, want\n%s", got, err, readErr, want)
			}
		})
	}
	for name, text := range map[string]string{"empty": "", "no installers": "ReleaseDate: x\n"} {
		t.Run(name, func(t *testing.T) {
			if got, err := fixManifest([]byte(text), time.Time{}); err == nil {
				t.Errorf("got %q, want an error", got)
			}
		})
	}
	if err := fixManifests(t.TempDir(), time.Time{}); err == nil {
		t.Error("a folder without a manifest: got no error")
	}
}

func TestLicenseTexts(t *testing.T) {
	dir := t.TempDir()
	below := filepath.Join(dir, "internal", "other", "leaf")
	m := module{"example.com/m v1.0.0", dir, []string{dir, below}}
	if got, err := licenseTexts(m); err == nil {
		t.Errorf("a module without a licence: got %q, want an error", got)
	}
	for _, folder := range []string{below, filepath.Join(below, "fonts"), filepath.Join(dir, "licenses")} {
		noError(t, os.MkdirAll(folder, 0o700))
	}
	for _, name := range []string{"LICENSE.txt", "NOTICE", "license_test.go", "README.md", "internal/other/LICENSE", "internal/other/leaf/fonts/OFL.txt", "licenses/ftl.txt"} {
		noError(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600))
	}
	if got, err := licenseTexts(m); err != nil || strings.Join(got, " ") != "LICENSE.txt NOTICE licenses/ftl.txt internal/other/LICENSE internal/other/leaf/fonts/OFL.txt" {
		t.Errorf("got %q, error %v, want the licences of all folders that are linked", got, err)
	}
}

// TestAddModules compares the modules with those that a program itself lists.
func TestAddModules(t *testing.T) {
	modules := map[string]module{}
	noError(t, addModules(modules, runtime.GOOS))
	info, err := buildinfo.ReadFile(built(t))
	noError(t, err)
	for _, dep := range info.Deps {
		if title := dep.Path + " " + dep.Version; modules[title].title != title {
			t.Errorf("the program contains %s, which is missing", title)
		}
	}
	if len(info.Deps) == 0 {
		t.Error("the program lists no modules")
	}
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
	dir := t.TempDir()
	if _, err := output(built(t), []string{}, "help", "--quiet", "--man", dir); err != nil {
		t.Fatal(err)
	}
	noError(t, compressManual(dir, time.Date(2026, time.November, 22, 23, 0, 0, 0, time.FixedZone("", -7200))))
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	noError(t, err)
	var pages []string
	for _, path := range paths {
		pages = append(pages, "man/"+filepath.Base(path))
		file, err := os.Open(path)
		noError(t, err)
		defer func() { _ = file.Close() }()
		page, err := gzip.NewReader(file)
		noError(t, err)
		text, err := io.ReadAll(page)
		if title, _, _ := strings.Cut(string(text), "\n"); err != nil || !strings.HasSuffix(title, ` "2026-11-23" "reseller v1.2.0"`) {
			t.Errorf("%s: got title %q, error %v, want the date and the version in it", filepath.Base(path), title, err)
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
