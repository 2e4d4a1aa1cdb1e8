package secret

import (
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// api is the origin that tests use.
const api = "https://api.example.com:443"

// jwt returns a token whose payload is the given JSON.
func jwt(payload string) string {
	return "eyJhbGciOiJub25lIn0." + base64.RawURLEncoding.EncodeToString([]byte(payload)) + ".c2ln"
}

// wantError fails the test unless err is of type T and its message and hint contain every part.
func wantError[T error](t *testing.T, err error, parts ...string) {
	t.Helper()
	var typed T
	if !errors.As(err, &typed) {
		t.Fatalf("got error %T %v, want %T", err, err, typed)
	}
	text := err.Error() + "\n" + hintOf(err)
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("got error and hint %q, want %q in it", text, part)
		}
	}
}

func wantText(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// readFile returns the content of a file.
func readFile(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	noError(t, err)
	return string(raw)
}

// listFiles returns the paths of everything in a folder, one per line.
func listFiles(t *testing.T, dir string) string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		paths = append(paths, path)
		return err
	})
	noError(t, err)
	return strings.Join(paths, "\n")
}

func hintOf(err error) string {
	var hinted interface{ Advice() string }
	if errors.As(err, &hinted) {
		return hinted.Advice()
	}
	return ""
}
