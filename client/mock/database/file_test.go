package database

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gofrs/flock"
	bolt "go.etcd.io/bbolt"
	"golang.org/x/sync/semaphore"
)

type city struct{ Name string }

var cityTable = Table[city]{"cities", 11}

// seedCities gives reseller 1 the city 11, and reseller 2 the city 12.
func seedCities(tx *Tx) error {
	if err := cityTable.Create(tx); err != nil {
		return err
	}
	for reseller, name := range []string{"Graz", "Linz"} {
		if err := addCity(tx, int64(reseller+1), name); err != nil {
			return err
		}
	}
	return nil
}

func addCity(tx *Tx, reseller int64, name string) error {
	return cityTable.Put(tx, city{name}, reseller, cityTable.NextID(tx))
}

func newFile(t *testing.T) *File {
	t.Helper()
	return New(filepath.Join(t.TempDir(), "deep", "mock.db"), seedCities)
}

// names lists the cities of a reseller in the order of their keys.
func names(t *testing.T, f *File, reseller int64) string {
	t.Helper()
	var raws [][]byte
	noError(t, f.View(t.Context(), func(tx *Tx) error { raws = cityTable.Copy(tx, nil, reseller); return nil }))
	cities, err := cityTable.Decode(raws)
	noError(t, err)
	var all []string
	for _, c := range cities {
		all = append(all, c.Name)
	}
	return strings.Join(all, " ")
}

func TestTable(t *testing.T) {
	f := newFile(t)
	err := f.Update(t.Context(), func(tx *Tx) error {
		if err := addCity(tx, 1, "<Wien>"); err != nil {
			return err
		}
		if got := cityTable.LastID(tx); got != 13 {
			t.Errorf("last id: got %d, want 13", got)
		}
		if got, want := string(cityTable.bucket(tx).Get(encodeKey([]int64{1, 13}))), `{"Name":"<Wien>"}`; got != want {
			t.Errorf("raw: got %s, want %s", got, want)
		}
		var c city
		if found, err := cityTable.Get(tx, &c, 1, 11); !found || err != nil || c.Name != "Graz" {
			t.Errorf("get: got %v %v %v, want Graz", c, found, err)
		}
		if found, err := cityTable.Get(tx, &c, 1, 12); found || err != nil {
			t.Errorf("get of another reseller's: got %v %v, want nothing", found, err)
		}
		if !cityTable.Has(tx, 2, 12) || cityTable.Has(tx, 1, 12) {
			t.Error("has: want city 12 for reseller 2 only")
		}
		return cityTable.bucket(tx).Put(encodeKey([]int64{3, 1}), []byte("no JSON"))
	})
	noError(t, err)
	if got, want := names(t, f, 1), "Graz <Wien>"; got != want {
		t.Errorf("reseller 1: got %q, want %q", got, want)
	}
	t.Run("damaged record", func(t *testing.T) {
		err := f.View(t.Context(), func(tx *Tx) error {
			_, err := cityTable.Get(tx, &city{}, 3, 1)
			return err
		})
		if err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("got error %v, want damaged", err)
		}
		if _, err := cityTable.Decode([][]byte{[]byte("no JSON")}); err == nil {
			t.Error("decode: got no error")
		}
	})
	t.Run("missing table", func(t *testing.T) {
		err := f.View(t.Context(), func(tx *Tx) error { Table[city]{"towns", 1}.Has(tx, 1); return nil })
		if err == nil || !strings.Contains(err.Error(), "no table towns") {
			t.Errorf("got error %v, want no table towns", err)
		}
	})
	t.Run("copy of some", func(t *testing.T) {
		_ = f.View(t.Context(), func(tx *Tx) error {
			got := cityTable.Copy(tx, func(raw []byte) bool { return bytes.Contains(raw, []byte("Graz")) }, 1)
			if len(got) != 1 {
				t.Errorf("got %q, want Graz", got)
			}
			return nil
		})
	})
}

func TestRollback(t *testing.T) {
	f := newFile(t)
	stop := errors.New("stop")
	for name, run := range map[string]func() error{
		"by the transaction": func() error {
			return f.Update(t.Context(), func(tx *Tx) error { return errors.Join(addCity(tx, 1, "Wels"), stop) })
		},
		"by OnCommit": func() error {
			f.OnCommit = func(*Tx) error { return stop }
			defer func() { f.OnCommit = nil }()
			return f.Update(t.Context(), func(tx *Tx) error { return addCity(tx, 1, "Wels") })
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := run(); !errors.Is(err, stop) {
				t.Errorf("got error %v, want %v", err, stop)
			}
			if got, want := names(t, f, 1), "Graz"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			_ = f.View(t.Context(), func(tx *Tx) error {
				if got := cityTable.LastID(tx); got != 12 {
					t.Errorf("last id: got %d, want 12", got)
				}
				return nil
			})
		})
	}
}

func TestContextEndsTheWait(t *testing.T) {
	f := newFile(t)
	noError(t, f.turn.Acquire(t.Context(), 1)) // a transaction that runs
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.View(ctx, func(*Tx) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
}

func TestResetFile(t *testing.T) {
	seeded := func(t *testing.T, f *File) {
		noError(t, f.Update(t.Context(), func(tx *Tx) error { return addCity(tx, 1, "Wels") }))
	}
	overwrite := func(text string) func(*testing.T, *File) {
		return func(t *testing.T, f *File) {
			seeded(t, f)
			noError(t, os.WriteFile(f.Path(), []byte(text), 0o600))
		}
	}
	for name, c := range map[string]struct {
		prepare func(*testing.T, *File)
		refused bool
	}{
		"no file":    {func(*testing.T, *File) {}, false},
		"sound":      {seeded, false},
		"empty":      {overwrite(""), false},
		"other file": {overwrite(strings.Repeat("text ", 5000)), true},
		"cut short": {func(t *testing.T, f *File) {
			seeded(t, f)
			noError(t, os.Truncate(f.Path(), int64(2*os.Getpagesize())))
		}, false},
		"other database": {func(t *testing.T, f *File) {
			noError(t, os.MkdirAll(filepath.Dir(f.Path()), 0o700))
			db, err := bolt.Open(f.Path(), 0o600, nil)
			noError(t, err)
			noError(t, db.Close())
		}, true},
		"folder": {func(t *testing.T, f *File) {
			noError(t, os.MkdirAll(f.Path(), 0o700))
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFile(t)
			c.prepare(t, f)
			err := f.Reset()
			var bad *Error
			switch {
			case c.refused && (!errors.As(err, &bad) || bad.Path != f.Path() || !strings.Contains(err.Error(), f.Path())):
				t.Errorf("got error %v, want one that names %s", err, f.Path())
			case !c.refused && err != nil:
				t.Errorf("got error %v", err)
			case !c.refused:
				if got, want := names(t, f, 1), "Graz"; got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			}
		})
	}
}

// TestResetOfAMappedFile resets a database that can't be replaced while it is mapped, as on
// Windows, but moved.
func TestResetOfAMappedFile(t *testing.T) {
	defer func(was func(string, string) error) { rename = was }(rename)
	f := newFile(t)
	noError(t, f.Update(t.Context(), func(tx *Tx) error { return addCity(tx, 1, "Wels") }))
	rename = func(from, to string) error {
		if _, err := os.Lstat(to); err == nil {
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrPermission}
		}
		return os.Rename(from, to)
	}
	for range 2 {
		noError(t, f.Reset())
	}
	if got, want := names(t, f, 1), "Graz"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := os.Lstat(f.Path() + ".old"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got error %v, want no old database to be left", err)
	}
}

// A seed that fails leaves no database behind.
func TestSeedFails(t *testing.T) {
	f := newFile(t)
	stop := errors.New("stop")
	f.seed = func(*Tx) error { return stop }
	if err := f.View(t.Context(), func(*Tx) error { return nil }); !errors.Is(err, stop) {
		t.Errorf("got error %v, want %v", err, stop)
	}
	if _, err := os.Stat(f.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestFileIsUsedUnderItsLock checks that others find the file locked while it is used, and that it is not used without its lock.
func TestFileIsUsedUnderItsLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mock.db")
	f := &File{path: path, turn: semaphore.NewWeighted(1)}
	noError(t, f.exclusively(t.Context(), func() error {
		if got, err := flock.New(path + lockSuffix).TryLock(); got || err != nil {
			t.Errorf("another process gets the lock: %t, %v; want it to wait", got, err)
		}
		return nil
	}))
	f.path = filepath.Join(filepath.Dir(path), strings.Repeat("m", 256-len(lockSuffix))) // whose lock file has too long a name
	if err := f.exclusively(t.Context(), func() error { return nil }); err == nil {
		t.Error("the file is used without its lock")
	}
}

// TestDatabaseOfAnotherVersion checks that a database with another layout is told as one, and that it can be replaced.
func TestDatabaseOfAnotherVersion(t *testing.T) {
	f := newFile(t)
	look := func() error { return f.View(t.Context(), func(*Tx) error { return nil }) }
	noError(t, look())
	noError(t, transact(f.path, true, func(tx *Tx) error { return tx.bolt.Bucket(formatTable).Put(formatTable, []byte("earlier")) }))
	if err := look(); !errors.Is(err, errVersion) {
		t.Errorf("got error %v, want %v", err, errVersion)
	}
	noError(t, f.Reset())
	noError(t, look())
}
