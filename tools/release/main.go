// Command release makes the files that a release has beside the program: completions, manual pages, the
// reference, the licences of the linked modules, and notes. .goreleaser.yaml says when. Paths are relative to the root
// of the repository.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const usage = `usage: go run -C tools ./release assets DIR VERSION DATE   write the files of a release to DIR
       go run -C tools ./release notes VERSION              print the section of CHANGELOG.md
       go run -C tools ./release manifests DIST DATE        let the manifests for winget below DIST depend on the commit only`

func main() {
	err := os.Chdir("..")
	if err == nil {
		err = run(os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 4 && args[0] == "assets":
		date, err := time.Parse(time.RFC3339, args[3])
		if err != nil {
			return err
		}
		return writeAssets(args[1], args[2], date)
	case len(args) == 2 && args[0] == "notes":
		notes, err := readNotes(args[1])
		fmt.Print(notes)
		return err
	case len(args) == 3 && args[0] == "manifests":
		date, err := time.Parse(time.RFC3339, args[2])
		if err != nil {
			return err
		}
		return fixManifests(args[1], date)
	}
	return errors.New(usage)
}

// writeAssets replaces the folder dir by one with the files of a release. They depend on the
// sources, the version and the date of the commit only.
func writeAssets(dir, version string, date time.Time) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "completions"), 0o755); err != nil {
		return err
	}
	program, err := buildProgram(version)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(filepath.Dir(program)) }()
	for shell, name := range map[string]string{"bash": "reseller.bash", "zsh": "_reseller", "fish": "reseller.fish", "powershell": "reseller.ps1"} {
		if _, err := output(program, []string{}, "completion", shell, "--output-file", filepath.Join(dir, "completions", name)); err != nil {
			return err
		}
	}
	if _, err := output(program, []string{}, "help", "--markdown", "--output-file", filepath.Join(dir, "reference.md")); err != nil {
		return err
	}
	if _, err := output(program, []string{}, "help", "--quiet", "--man", filepath.Join(dir, "man")); err != nil {
		return err
	}
	if err := compressManual(filepath.Join(dir, "man"), date); err != nil {
		return err
	}
	licenses, err := thirdPartyLicenses()
	if err != nil {
		return err
	}
	notes, err := readNotes(version)
	if err != nil {
		return err
	}
	changelog, err := compress([]byte(debianChangelog(version, notes, date)))
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{"THIRD-PARTY-LICENSES.txt": []byte(licenses), "changelog.gz": changelog} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func buildProgram(version string) (string, error) {
	dir, err := os.MkdirTemp("", "release-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "reseller")
	_, err = output("go", append(os.Environ(), "CGO_ENABLED=0"), "build", "-trimpath", "-ldflags", "-s -w -X main.version="+version, "-o", path, ".")
	return path, err
}

func output(program string, env []string, args ...string) (string, error) {
	c := exec.CommandContext(context.Background(), program, args...)
	c.Env = env
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", filepath.Base(program), strings.Join(args, " "), err, errs.String())
	}
	return string(out), nil
}

// compressManual replaces each manual page of a folder by its gzip file, and gives it the date of the release.
func compressManual(dir string, date time.Time) error {
	dated := fmt.Appendf(nil, ` %q "reseller `, date.UTC().Format(time.DateOnly))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if text, err = compress(bytes.Replace(text, []byte(` "" "reseller `), dated, 1)); err != nil {
			return err
		}
		if err := errors.Join(os.WriteFile(path+".gz", text, 0o644), os.Remove(path)); err != nil {
			return err
		}
	}
	return nil
}

// compress returns a gzip file without a name and a time.
func compress(text []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(text)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}
