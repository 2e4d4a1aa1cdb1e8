// Package atomicfile replaces files atomically: the content is written to a temporary file in the same folder, which Commit makes
// durable and renames. Other processes, and this one after a power failure, see either the old file or the new one. Every file
// that the program writes as a whole is written here.
//
// A file that somebody else may have planted is not replaced: see package trust.
//
// Errors are of type *fs.PathError and have the path that the caller gave, not that of the temporary file.
package atomicfile

import (
	"cmp"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"reseller/client/trust"
)

// tempPrefix begins the names of temporary files. A process that is killed may leave such files behind; the next process that
// creates a file in the same folder removes them.
const tempPrefix = ".tmp-"

// A File is a file that is being written. Commit puts the file in place, Abort removes
// it. Abort does nothing after Commit, so callers can defer it.
type File struct {
	path   string // the path that the caller gave
	target string // the file to replace: path with symbolic links resolved
	temp   *os.File
	err    error // the error that Commit returns
	done   bool  // Commit or Abort was called
}

// Create creates a file that Commit will put at path with the permissions perm (before umask), which it has from the beginning.
// If path is a symbolic link, Commit replaces the file to which it links. An existing file, which must be a regular one, stays as
// it is until Commit.
func Create(path string, perm fs.FileMode) (*File, error) {
	f := &File{path: path}
	target, info, err := trust.ResolveTarget(path)
	if f.target = target; err == nil && info != nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err == nil {
		folder := filepath.Dir(f.target)
		if _, done := swept.LoadOrStore(folder, true); !done {
			Sweep(folder)
		}
		f.temp, err = createTemp(folder, perm)
	}
	if err != nil {
		return nil, f.named("create", err)
	}
	return f, nil
}

var errNotRegular = errors.New("not a regular file")

// createTemp creates a temporary file in a folder and holds its lock, by which other processes know that it is in use.
func createTemp(folder string, perm fs.FileMode) (*os.File, error) {
	for {
		temp, err := os.OpenFile(filepath.Join(folder, tempPrefix+rand.Text()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if err != nil || !lock(temp) || exists(temp) {
			return temp, err
		}
		_ = temp.Close() // another process removed the file before it was locked
	}
}

func exists(file *os.File) bool {
	was, err := file.Stat()
	is, statErr := os.Lstat(file.Name())
	return err == nil && statErr == nil && os.SameFile(was, is)
}

// Write adds p to the file. After a Write that failed, Commit fails too.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.temp.Write(p)
	err = f.named("write", err)
	if err != nil && f.err == nil {
		f.err = err
	}
	return n, err
}

// Chmod sets the permissions of the file. It is for permissions that the umask withheld
// from Create: a file must never have had wider ones than Chmod gives it.
func (f *File) Chmod(perm fs.FileMode) error { return f.named("chmod", f.temp.Chmod(perm)) }

// Commit makes the content durable and puts the file in place. If it fails, it removes
// the temporary file, and an existing file at the path stays as it is.
func (f *File) Commit() error {
	if f.done {
		return f.err
	}
	if f.err != nil {
		f.Abort()
		return f.err
	}
	f.done = true
	name := f.temp.Name()
	err := f.temp.Sync()
	if err == nil {
		err = rename(f.temp, f.target)
	} else {
		_ = f.temp.Close()
	}
	if err != nil {
		_ = os.Remove(name)
		f.err = f.named("write", err)
		return f.err
	}
	SyncFolder(filepath.Dir(f.target))
	return nil
}

// Abort removes the temporary file. An existing file at the path stays as it is.
func (f *File) Abort() {
	if f.done {
		return
	}
	f.done = true
	if f.err == nil {
		f.err = &fs.PathError{Op: "write", Path: f.path, Err: fs.ErrClosed}
	}
	_ = f.temp.Close()
	_ = os.Remove(f.temp.Name())
}

// named returns err as a *fs.PathError with the path that the caller gave.
func (f *File) named(op string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: f.path, Err: trust.WithoutPath(err)}
}

// WriteFile replaces the file at path atomically by one with the content.
func WriteFile(path string, content []byte, perm fs.FileMode) error {
	f, err := Create(path, perm)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(content); err != nil {
		return err
	}
	return f.Commit()
}

// Append adds text to the end of a regular file, which need not exist, for files of other
// programs to which each adds something of its own.
func Append(path string, text []byte, perm fs.FileMode) error {
	target, err := trust.Resolve(path)
	var file *os.File
	if err == nil {
		file, err = os.OpenFile(target, os.O_WRONLY|os.O_APPEND|os.O_CREATE|notFollowed, perm)
	}
	if err == nil {
		info, statErr := file.Stat()
		if err = statErr; err == nil && !info.Mode().IsRegular() {
			err = errNotRegular
		}
		if err == nil {
			err = trust.CheckTarget(target, info)
		}
		if err == nil {
			_, err = file.Write(text)
		}
		err = cmp.Or(err, file.Close())
	}
	return (&File{path: path}).named("append", err)
}

// SyncFolder makes the entries of a folder durable, if the operating system can.
func SyncFolder(path string) { syncFolder(path) }

// syncFolder is a variable, so that a test sees its calls.
var syncFolder = func(path string) {
	if folder, err := os.Open(path); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}
