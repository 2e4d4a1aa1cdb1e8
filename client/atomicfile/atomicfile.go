// Package atomicfile writes files that appear whole or not at all: the content
// goes to a temporary file in the same folder, which Commit makes durable and
// renames. A reader, a second process and a computer that loses power see the
// old file or the new one.
//
// Errors are *fs.PathError with the path that the caller gave, never with the
// temporary one.
package atomicfile

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// TempPrefix begins the name of every temporary file. A process that was killed
// may leave some behind.
const TempPrefix = ".tmp-"

// A File is a file that is being written. Commit puts it in place; Abort
// removes it and does nothing after Commit, so it can be deferred.
type File struct {
	path   string // as the caller gave it, for errors
	target string // the file to replace: path with symbolic links resolved
	temp   *os.File
	err    error // of the first failed Write, of Commit, or that Abort was called
	done   bool
}

// Create begins a file that Commit will put at path with the permissions perm
// (before umask). Where path is a symbolic link, the file that it names is
// replaced, not the link. An existing file stays as it is until Commit.
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

// Commit makes the content durable and puts the file in place. When it fails,
// the temporary file is removed and what stood at the path before stays.
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

// Abort removes the temporary file. What stood at the path before stays.
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

// named returns err with the caller's path in place of the temporary one.
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

// WriteFile writes content to path whole or not at all.
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

// SyncDir makes the names in a folder durable where the system can do that;
// where it can't, the files are in place all the same.
func SyncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// Resolve follows symbolic links from path to the file that they name, which,
// unlike with filepath.EvalSymlinks, need not exist.
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
