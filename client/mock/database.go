package mock

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// DatabaseError says which database file can't be used, and why.
type DatabaseError struct {
	Path string
	Err  error
}

func (e *DatabaseError) Error() string {
	return fmt.Sprintf("mock database %s: %v", e.Path, e.Err)
}

func (e *DatabaseError) Unwrap() error { return e.Err }

// errForeign marks a file that is not the mock's to replace.
var errForeign = errors.New("not a database of the mock service; move it away if it is in the way")

// store is a database file that several processes use at once. bbolt gives a file
// to one process at a time and polls for it every 50 ms, unfairly. So each request
// waits its turn inside the process, then for a lock beside the file (in the
// kernel's queue), and has the file open for one transaction only.
type store struct {
	path string
	turn chan struct{} // one element: the in-process mutex, which a context can leave
	// ending, unless nil, sees each write transaction at its end.
	ending func(*bolt.Tx) error
}

func newStore(path string) *store {
	return &store{path: path, turn: make(chan struct{}, 1)}
}

// view runs fn in a read transaction. What fn keeps it must copy.
func (s *store) view(ctx context.Context, fn func(*bolt.Tx) error) error {
	return s.run(ctx, false, fn)
}

// update runs fn in a write transaction that is kept unless fn returns an error.
func (s *store) update(ctx context.Context, fn func(*bolt.Tx) error) error {
	return s.run(ctx, true, func(tx *bolt.Tx) error {
		if err := fn(tx); err != nil || s.ending == nil {
			return err
		}
		return s.ending(tx)
	})
}

func (s *store) run(ctx context.Context, write bool, fn func(*bolt.Tx) error) error {
	return s.hold(ctx, func() error {
		if err := s.create(); err != nil {
			return err
		}
		return transact(s.path, write, func(tx *bolt.Tx) error {
			if b := tx.Bucket(bucketMark); b == nil || string(b.Get(bucketMark)) != markText {
				return &DatabaseError{s.path, errForeign}
			}
			return fn(tx)
		})
	})
}

// hold runs do while no one else, here or in another process, uses the file.
func (s *store) hold(ctx context.Context, do func() error) (err error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return &DatabaseError{s.path, err}
	}
	lock := flock.New(s.path+".lock", flock.SetPermissions(0o600))
	for err = lock.Lock(); errors.Is(err, syscall.EINTR); err = lock.Lock() {
	}
	if err != nil {
		return &DatabaseError{s.path, err}
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	return do()
}

// create makes a seeded database where there is none. It is made under another
// name and then put in place, so a killed process never leaves half of one.
func (s *store) create() error {
	info, err := os.Stat(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.Mode().IsRegular() && info.Size() == 0:
		return s.renew()
	case err != nil:
		return &DatabaseError{s.path, err}
	case !info.Mode().IsRegular():
		return &DatabaseError{s.path, errors.New("not a file")}
	}
	return nil
}

func (s *store) renew() error {
	fresh := s.path + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &DatabaseError{s.path, err}
	}
	if err := transact(fresh, true, seed); err != nil {
		return err
	}
	if err := os.Rename(fresh, s.path); err != nil {
		return &DatabaseError{s.path, err}
	}
	return nil
}

// Reset begins the database of path afresh, damaged or not; commands that use it
// at the same time are waited for. Any other file is left alone.
func Reset(path string) error {
	s := newStore(path)
	return s.hold(context.Background(), func() error {
		if err := s.create(); err != nil {
			return err
		}
		err := transact(path, false, func(tx *bolt.Tx) error {
			if tx.Bucket(bucketMark) == nil {
				return errForeign
			}
			return nil
		})
		if errors.Is(err, errForeign) || err != nil && !wasDatabase(path) {
			return &DatabaseError{path, errForeign}
		}
		return s.renew()
	})
}

// transact opens the file, runs one transaction and closes it.
//
// NoSync and NoGrowSync: a process that is killed leaves what it wrote in the
// kernel's cache, and a transaction's pages are all written before the one page
// that makes them valid; so nothing is lost or torn. Only a power failure can
// damage the file, and then the mock's data is begun afresh.
func transact(path string, write bool, fn func(*bolt.Tx) error) (err error) {
	if err := inspect(path); err != nil {
		return err
	}
	// A damaged file makes bbolt panic, or read behind the end of the file, which
	// is a fault of the memory map. The database can't be closed then (its mutexes
	// may be held), but its file can.
	var file *os.File
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			if file != nil {
				release(file)
				_ = file.Close()
			}
			err = &DatabaseError{path, fmt.Errorf("damaged (%v)", p)}
		}
	}()
	db, err := bolt.Open(path, 0o600, &bolt.Options{
		Timeout: 10 * time.Second, NoSync: true, NoGrowSync: true, NoStatistics: true, FreelistType: bolt.FreelistMapType,
		OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
			var err error
			file, err = os.OpenFile(name, flag, mode)
			return file, err
		},
	})
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return &DatabaseError{path, errors.New("in use by another program")}
	case err != nil:
		return &DatabaseError{path, err}
	}
	if write {
		err = db.Update(fn)
	} else {
		err = db.View(fn)
	}
	return errors.Join(err, db.Close())
}

// wasDatabase tells a damaged database from a file of another kind, which is
// not to be replaced: one of its first two pages still has the mark of bbolt.
func wasDatabase(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	for _, page := range []int64{0, int64(os.Getpagesize())} {
		var mark [4]byte
		if _, err := f.ReadAt(mark[:], page+16); err == nil && binary.NativeEndian.Uint32(mark[:]) == magic {
			return true
		}
	}
	return false
}

// magic marks the pages that describe a database of bbolt.
const magic = 0xED0CDAED

// inspect refuses a database that was written without its list of free pages, as
// the mock never does: opening it would write to it, and where it is damaged too,
// bbolt would panic in a goroutine of its own.
func inspect(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil // a new file; what else may be wrong, opening it will tell
	}
	defer func() { _ = f.Close() }()
	var page [56]byte // 16 of the page, then magic, version, page size, flags, root (16), free list
	if _, err := f.ReadAt(page[:], 0); err != nil {
		return nil
	}
	const none = ^uint64(0)
	if binary.NativeEndian.Uint32(page[16:]) == magic && binary.NativeEndian.Uint64(page[48:]) == none {
		return &DatabaseError{path, errForeign}
	}
	return nil
}
