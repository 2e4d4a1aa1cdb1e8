package mock

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"reseller/client/mock/database"
)

func TestFreshDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "mock.db")
	c := start(t, Options{Path: path})
	if runtime.GOOS != "windows" {
		for name, mode := range map[string]os.FileMode{path: 0o600, path + ".lock": 0o600, filepath.Dir(path): 0o700 | os.ModeDir} {
			if info, err := os.Stat(name); err != nil || info.Mode() != mode {
				t.Errorf("%s: got mode %v, error %v, want %v", name, info.Mode(), err, mode)
			}
		}
	}
	c.ok("POST", "/api/v2/accounts", createV2, nil)
	again := start(t, Options{Path: path})
	find1(t, again, "/api/v2/accounts", 8)
	noError(t, os.Remove(path))
	var list []object
	if c.ok("GET", "/api/v2/accounts", "", &list); len(list) != 5 { // the file is gone: a new one is made
		t.Errorf("got %d accounts, want 5", len(list))
	}
}

// unusable checks that a file is refused by name and without a panic, at once and
// by a running service, and is left as it is.
func unusable(t *testing.T, path string) {
	t.Helper()
	before, err := os.ReadFile(path)
	noError(t, err)
	_, err = Open(Options{Path: path})
	var bad *database.Error
	if !errors.As(err, &bad) || bad.Path != path || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
	s := newService(Options{Path: path})
	c := (&client{t: t, s: s}).as(1)
	for range 3 { // the damage must not leave a lock behind
		c.refused("GET", keywordsPath, "", 500, path)
		c.refused("POST", keywordsPath, keywordBody("a"), 500, path)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("the file was changed")
	}
}

func TestUnusableDatabase(t *testing.T) {
	sound := func(path string) { start(t, Options{Path: path}) }
	foreign := func(path string) {
		db, err := bolt.Open(path, 0o600, nil)
		noError(t, err)
		noError(t, db.Update(func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte("theirs")); return err }))
		noError(t, db.Close())
	}
	for name, prepare := range map[string]func(path string){
		"text":                      func(path string) { _ = os.WriteFile(path, []byte("hello\n"), 0o600) },
		"zeros":                     func(path string) { _ = os.WriteFile(path, make([]byte, 1<<16), 0o600) },
		"garbage":                   func(path string) { _ = os.WriteFile(path, bytes.Repeat([]byte("garbage "), 9999), 0o600) },
		"foreign":                   foreign,
		"cut short":                 func(path string) { sound(path); _ = os.Truncate(path, int64(2*os.Getpagesize())) },
		"cut to nothing but a page": func(path string) { sound(path); _ = os.Truncate(path, int64(os.Getpagesize())) },
		"pages overwritten": func(path string) {
			sound(path)
			raw, _ := os.ReadFile(path)
			for i := 2 * os.Getpagesize(); i < len(raw); i++ {
				raw[i] = 0xA5
			}
			_ = os.WriteFile(path, raw, 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "mock.db")
			prepare(path)
			unusable(t, path)
			err := Reset(path)
			theirs := strings.HasPrefix(name, "foreign") || name == "text" || name == "zeros" || name == "garbage"
			if theirs != (err != nil) {
				t.Errorf("Reset: %v", err)
			}
		})
	}
	folder := t.TempDir()
	if _, err := Open(Options{Path: folder}); err == nil || !strings.Contains(err.Error(), folder) {
		t.Errorf("a folder as database: %v", err)
	}
}

// What a power failure leaves of a file written without sync (pages of zeros, pages
// of another time in their place, an end that is missing) neither panics nor hangs.
func TestDamagedPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mock.db")
	start(t, Options{Path: path})
	sound, err := os.ReadFile(path)
	noError(t, err)
	size := os.Getpagesize()
	numbers := rand.New(rand.NewPCG(1, 1))
	for range 60 {
		raw := bytes.Clone(sound)
		pages := len(raw) / size
		for range 1 + numbers.IntN(4) {
			page := raw[numbers.IntN(pages)*size:][:size]
			if numbers.IntN(2) == 0 {
				clear(page)
			} else {
				copy(page, sound[numbers.IntN(pages)*size:])
			}
		}
		if numbers.IntN(3) == 0 {
			raw = raw[:numbers.IntN(len(raw))]
		}
		noError(t, os.WriteFile(path, raw, 0o600))
		s := newService(Options{Path: path})
		c := (&client{t: t, s: s}).as(1)
		for _, o := range operations() {
			c.send(o[0], o[1], keywordBody("a"))
		}
	}
}
