// Package atomicfile replaces files atomically: the content is written to a temporary
// file in the same folder, which Commit makes durable and renames. Other processes, and
// this one after a power failure, see either the old file or the new one.
//
// Errors are of type *fs.PathError and have the path that the caller gave, not that of
// the temporary file.
package atomicfile

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// TempPrefix is the prefix of the names of temporary files. A process that is killed
// may leave such files behind.
const TempPrefix = ".tmp-"

// A File is a file that is being written. Commit puts the file in place, Abort removes
// it. Abort does nothing after Commit, so callers can defer it.
type File struct {
	path   string // the path that the caller gave
	target string // the file to replace: path with symbolic links resolved
	temp   *os.File
	err    error // the error that Commit returns
	done   bool  // Commit or Abort was called
}

// Create creates a file that Commit will put at path with the permissions perm (before
// umask). If path is a symbolic link, Commit replaces the file to which it links. An
// existing file stays as it is until Commit.
func Create(path string, perm fs.FileMode) (*File, error) {
	target, err := Resolve(path)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, target: target}
	name := filepath.Join(filepath.Dir(target), TempPrefix+rand.Text())
	if f.temp, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm); err != nil {
		return nil, f.named("create", err)
	}
	return f, nil
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

// Chmod sets the permissions of the file.
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
	err := errors.Join(f.temp.Sync(), f.temp.Close())
	if err == nil {
		err = os.Rename(name, f.target)
	}
	if err != nil {
		_ = os.Remove(name)
		f.err = f.named("write", err)
		return f.err
	}
	SyncDir(filepath.Dir(f.target))
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
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &at):
		err = at.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return &fs.PathError{Op: op, Path: f.path, Err: err}
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

// SyncDir makes the entries of a folder durable, if the operating system can.
func SyncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// Resolve follows the symbolic links at path and returns the path of the file to which
// they lead. Unlike with filepath.EvalSymlinks, this file need not exist.
func Resolve(path string) (string, error) {
	target := path
	for range 40 {
		info, err := os.Lstat(target)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return target, nil
		}
		link, err := os.Readlink(target)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(target), link)
		}
		target = link
	}
	return "", &fs.PathError{Op: "resolve", Path: path, Err: errors.New("too many symbolic links")}
}
