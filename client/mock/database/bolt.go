package database

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// formatTable is the name of the bucket, and of the key in it, whose value is format. Other databases do not have this bucket.
var formatTable = []byte("mark")

// format names the layout of the tables. A new layout gets a new name.
const format = "reseller mock service 2"

func (tx *Tx) hasFormatTable() bool { return tx.bolt.Bucket(formatTable) != nil }

// transact opens the file, runs one transaction and closes the file.
//
// NoSync and NoGrowSync are safe when a process is killed: the kernel still has everything
// that the process wrote, and a transaction writes the page that makes its other pages
// valid last. Only a power failure can damage the file; a user then resets the mock.
func transact(path string, write bool, do func(*Tx) error) (err error) {
	// On a damaged file, bbolt panics or reads beyond the end of the file, which is a fault of the memory map. After that the
	// database can't be closed, since its mutexes may be locked, so this function closes the file itself.
	var file *os.File
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			if file != nil {
				unlock(file)
				_ = file.Close()
			}
			err = &Error{path, fmt.Errorf("damaged (%v)", p)}
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
		return &Error{path, errors.New("in use by another program")}
	case err != nil:
		return &Error{path, err}
	}
	run := db.View
	if write {
		run = db.Update
	}
	err = run(func(tx *bolt.Tx) error { return do(&Tx{tx}) })
	return errors.Join(err, db.Close())
}

// boltMagic is a number on the first two pages of each database of bbolt.
const boltMagic = 0xED0CDAED

// hasBoltPage reports whether one of the first two pages of a file has boltMagic. It
// distinguishes a damaged database from a file of another kind, which must not be replaced.
func hasBoltPage(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	for _, page := range []int64{0, int64(os.Getpagesize())} {
		var magic [4]byte
		if _, err := f.ReadAt(magic[:], page+16); err == nil && binary.NativeEndian.Uint32(magic[:]) == boltMagic {
			return true
		}
	}
	return false
}
