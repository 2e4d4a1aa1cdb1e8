// Package configtest has the helpers that the tests of reseller/config and of the
// packages below it share.
package configtest

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reseller/config/errdefs"
)

// API is the address that tests use.
const API = "https://api.example.com"

// JWT returns a token whose payload is the given JSON.
func JWT(payload string) string {
	return "eyJhbGciOiJub25lIn0." + base64.RawURLEncoding.EncodeToString([]byte(payload)) + ".c2ln"
}

// JWTUntil returns a token with a subject and a time of expiry.
func JWTUntil(subject int, expires time.Time) string {
	return JWT(fmt.Sprintf(`{"sub":%d,"exp":"%d"}`, subject, expires.Unix()))
}

// WantError fails the test unless err is of type T and its message and hint
// contain every part.
func WantError[T error](t *testing.T, err error, parts ...string) {
	t.Helper()
	var typed T
	if !errors.As(err, &typed) {
		t.Fatalf("got error %T %v, want %T", err, err, typed)
	}
	text := err.Error() + "\n" + errdefs.Hint(err)
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("got error and hint %q, want %q in it", text, part)
		}
	}
}

// WantText fails the test unless got is want.
func WantText(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// WantValue fails the test unless got is want and err is nil.
func WantValue[T comparable](t *testing.T, got T, err error, want T) {
	t.Helper()
	if got != want || err != nil {
		t.Errorf("got %v and error %v, want %v", got, err, want)
	}
}

// ReadFile returns the content of a file.
func ReadFile(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// ListFiles returns the paths of everything in a folder, one per line.
func ListFiles(t *testing.T, dir string) string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		paths = append(paths, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(paths, "\n")
}
