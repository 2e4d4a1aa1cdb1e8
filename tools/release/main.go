// Command release rewrites the manifests for winget below a folder that goreleaser has made so that they depend on the commit only:
// goreleaser lists the installers in any order and gives them the day of the build.
package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: go run -C tools ./release DIST DATE")
	}
	date, err := time.Parse(time.RFC3339, args[1])
	if err != nil {
		return err
	}
	return fixManifests(filepath.Join("..", args[0]), date)
}

func fixManifests(dist string, date time.Time) error {
	manifests := 0
	err := filepath.WalkDir(dist, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".installer.yaml") {
			return err
		}
		manifests++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if text, err = fixManifest(text, date); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return os.WriteFile(path, text, 0o644)
	})
	if err == nil && manifests == 0 {
		err = fmt.Errorf("%s: no manifest for winget", dist)
	}
	return err
}

func fixManifest(text []byte, date time.Time) ([]byte, error) {
	var document yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&document); err != nil {
		return nil, err
	}
	day, installers := field(document.Content[0], "ReleaseDate"), field(document.Content[0], "Installers")
	if day.IsZero() || installers.IsZero() {
		return nil, errors.New("the manifest has no ReleaseDate or no Installers")
	}
	day.Value = date.UTC().Format(time.DateOnly)
	slices.SortFunc(installers.Content, func(a, b *yaml.Node) int {
		return cmp.Compare(field(a, "InstallerUrl").Value, field(b, "InstallerUrl").Value)
	})
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	err := errors.Join(encoder.Encode(&document), encoder.Close())
	return b.Bytes(), err
}

// field returns the value of a key, a zero node if there is none.
func field(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return &yaml.Node{}
}
