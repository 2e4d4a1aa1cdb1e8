// Package database stores the records of the mock service in one file. Many services, in
// one process or in several, can use the file at the same time.
package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gofrs/flock"
	"golang.org/x/sync/semaphore"
)

// Error is the error of a database file that can't be used.
type Error struct {
	Path string
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("mock database %s: %v", e.Path, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// errForeign says that the file is not a database of the mock, so that the mock may neither use nor replace it.
var errForeign = errors.New("not a database of the mock service; move it away or use another path")

var errVersion = errors.New("from another version of this program; `reseller mock reset` makes a new one")

var errNotAFile = errors.New("not a file")

const lockSuffix = ".lock"

// File is a database file that several processes can use at the same time. bbolt lets only one process at a time open a file; the
// other processes try again every 50 ms, in no particular order. Therefore each transaction first waits for the other
// transactions of its process, and then for a lock on a file beside the database, which the kernel grants in the order of the
// requests. The database is open only during the transaction.
type File struct {
	path string
	turn *semaphore.Weighted // of the transaction that runs; a context can end the wait for it
	seed func(*Tx) error

	// OnCommit, unless it is nil, is called at the end of each write transaction.
	OnCommit func(*Tx) error
}

// New returns the database at a path and does not open it. If there is no file, the first
// transaction creates one, and seed stores its records.
func New(path string, seed func(*Tx) error) *File {
	return &File{path: path, turn: semaphore.NewWeighted(1), seed: seed}
}

func (f *File) Path() string { return f.path }

func (f *File) View(ctx context.Context, do func(*Tx) error) error {
	return f.run(ctx, false, do)
}

// Update runs do in a write transaction. It is rolled back if do returns an error.
func (f *File) Update(ctx context.Context, do func(*Tx) error) error {
	return f.run(ctx, true, func(tx *Tx) error {
		if err := do(tx); err != nil || f.OnCommit == nil {
			return err
		}
		return f.OnCommit(tx)
	})
}

func (f *File) run(ctx context.Context, write bool, do func(*Tx) error) error {
	return f.exclusively(ctx, func() error {
		if err := f.createIfMissing(); err != nil {
			return err
		}
		return transact(f.path, write, func(tx *Tx) error {
			switch {
			case !tx.hasFormatTable():
				return &Error{f.path, errForeign}
			case string(tx.bolt.Bucket(formatTable).Get(formatTable)) != format:
				return &Error{f.path, errVersion}
			}
			return do(tx)
		})
	})
}

// Reset replaces the database, which may be damaged, by a new one with the records of seed. It waits until no other transaction
// uses the file. A file that is not a database of the mock stays as it is, and Reset returns an error.
func (f *File) Reset() error {
	return f.exclusively(context.Background(), func() error {
		if err := f.createIfMissing(); err != nil {
			return err
		}
		if f.isForeign() {
			return &Error{f.path, errForeign}
		}
		return f.create()
	})
}

func (f *File) exclusively(ctx context.Context, do func() error) (err error) {
	if err := f.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer f.turn.Release(1)
	if err := f.checkKind(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return &Error{f.path, err}
	}
	lock := flock.New(f.path+lockSuffix, flock.SetPermissions(0o600))
	for err = lock.Lock(); errors.Is(err, syscall.EINTR); err = lock.Lock() {
	}
	if err != nil {
		return &Error{f.path, err}
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	return do()
}

// checkKind returns an error if there is a file that is not a database of the mock, so that no lock file is put beside it. Where
// there is a lock file, a database has been found before.
func (f *File) checkKind() error {
	if info, err := os.Lstat(f.path + lockSuffix); err == nil {
		if !info.Mode().IsRegular() { // a pipe would never be opened
			return &Error{f.path + lockSuffix, errNotAFile}
		}
		return nil
	}
	if missing, err := f.isMissing(); missing || err != nil {
		return err // a missing one is made under the lock
	}
	if f.isForeign() {
		return &Error{f.path, errForeign}
	}
	return nil // other damage shows when the file is used
}

// isForeign reports whether the file is not a database of the mock, not even a damaged one.
func (f *File) isForeign() bool {
	return !hasBoltPage(f.path) || errors.Is(transact(f.path, false, func(tx *Tx) error {
		if !tx.hasFormatTable() {
			return errForeign
		}
		return nil
	}), errForeign)
}

func (f *File) isMissing() (bool, error) {
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.Mode().IsRegular() && info.Size() == 0:
		return true, nil
	case err != nil:
		return false, &Error{f.path, err}
	case !info.Mode().IsRegular():
		return false, &Error{f.path, errNotAFile}
	}
	return false, nil
}

func (f *File) createIfMissing() error {
	if missing, err := f.isMissing(); !missing {
		return err
	}
	return f.create()
}

// create creates a database under another name and renames it, so that a process that is
// killed never leaves an incomplete database.
func (f *File) create() error {
	temporary := f.path + ".new"
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &Error{f.path, err}
	}
	// The file is a new one: a link that somebody has put there is not followed.
	made, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return &Error{f.path, err}
	}
	_ = made.Close()
	err = transact(temporary, true, func(tx *Tx) error {
		if err := f.seed(tx); err != nil {
			return err
		}
		b, err := tx.bolt.CreateBucket(formatTable)
		if err != nil {
			return err
		}
		return b.Put(formatTable, []byte(format))
	})
	if err != nil {
		return err
	}
	if err := replace(temporary, f.path); err != nil {
		return &Error{f.path, err}
	}
	return nil
}

// rename is a variable, so that a test renames as Windows does.
var rename = os.Rename

// replace renames a file to the name of another. Windows replaces no file that is mapped to
// memory, as a damaged database stays until the process ends. Such a file is moved away
// instead; if the process is killed then, there is no database, and the next one creates it.
func replace(from, to string) error {
	err := rename(from, to)
	if err == nil {
		return nil
	}
	old := to + ".old"
	_ = os.Remove(old) // of an earlier process
	if rename(to, old) != nil {
		return err
	}
	err = rename(from, to)
	_ = os.Remove(old)
	return err
}
