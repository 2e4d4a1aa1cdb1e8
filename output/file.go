package output

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// File is a file that appears whole or not at all: it is written under another
// name in the same folder, and Commit renames it.
type File struct {
	w      io.Writer
	temp   *os.File // nil where there is nothing to rename
	target string
	err    error // of a Write
	done   bool
}

// OpenFile begins a file at path. A symbolic link is followed; an existing
// file keeps its mode, and stays as it is until Commit. What is no regular
// file, such as a pipe or /dev/stdout, is written directly.
func OpenFile(path string) (*File, error) {
	switch path {
	case "":
		return nil, errors.New("the name of the output file is empty")
	case "-":
		return nil, errors.New(`"-" is standard output, which needs no output file`)
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: is a directory", path)
	}
	if err == nil && !info.Mode().IsRegular() || descriptor(path) {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return nil, err
		}
		return &File{w: f, temp: nil, target: path}, nil
	}
	target, err := follow(path)
	if err != nil {
		return nil, err
	}
	if info != nil { // replacing a file needs the right to write it
		probe, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		_ = probe.Close()
	}
	name := filepath.Join(filepath.Dir(target), ".tmp-"+rand.Text())
	temp, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		var at *fs.PathError
		if errors.As(err, &at) {
			err = at.Err
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if info != nil {
		if err := temp.Chmod(info.Mode().Perm()); err != nil {
			_ = temp.Close()
			_ = os.Remove(name)
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return &File{w: temp, temp: temp, target: target}, nil
}

// Private keeps a file that is put in place from others' eyes.
func (f *File) Private() error {
	if f.temp == nil {
		return nil
	}
	return f.temp.Chmod(0o600)
}

// Direct is a File that writes to w as it goes, for standard output.
func Direct(w io.Writer) *File { return &File{w: struct{ io.Writer }{w}} }

// descriptor tells the names of open files, which are not to be replaced even
// where a shell has put a regular file behind them.
func descriptor(path string) bool {
	clean := filepath.Clean(path)
	return clean == "/dev/stdout" || clean == "/dev/stderr" ||
		strings.HasPrefix(clean, "/dev/fd/") || strings.HasPrefix(clean, "/proc/self/fd/")
}

// follow resolves symbolic links by hand, since the last may point to a file
// that does not exist yet.
func follow(path string) (string, error) {
	for range 40 {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		link, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(path), link)
		}
		path = link
	}
	return "", fmt.Errorf("%s: too many symbolic links", path)
}

// SameFile tells whether two paths lead to one file, which need not exist. A
// terminal or a pipe, read and written, is no such file.
func SameFile(a, b string) bool {
	if a == "" || b == "" || a == "-" || b == "-" || place(a) != place(b) {
		return false
	}
	info, err := os.Stat(a)
	return err != nil || info.Mode().IsRegular()
}

// place is where a file of that path is, or would be.
func place(path string) string {
	if target, err := follow(path); err == nil {
		path = target
	}
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// A GoneError is data for a pipe whose reader went away.
type GoneError struct{ Err error }

func (e *GoneError) Error() string { return e.Err.Error() }
func (e *GoneError) Unwrap() error { return e.Err }

// Write adds to the file.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	err = f.named(err)
	if errors.Is(err, syscall.EPIPE) {
		err = &GoneError{err}
	}
	if err != nil && f.err == nil {
		f.err = err
	}
	return n, err
}

// named is an error of the temporary file under the name that the user gave.
func (f *File) named(err error) error {
	var at *fs.PathError
	if f.target == "" || !errors.As(err, &at) {
		return err
	}
	return fmt.Errorf("%s: %w", f.target, at.Err)
}

// Commit puts the file in place. After a failed Write it leaves everything as
// it was and returns that failure.
func (f *File) Commit() error {
	if f.done {
		return f.err
	}
	if f.err != nil {
		f.Abort()
		return f.err
	}
	f.done = true
	if f.temp == nil {
		return f.closeDirect()
	}
	name := f.temp.Name()
	err := f.temp.Sync()
	err = f.named(errors.Join(err, f.temp.Close()))
	if err == nil {
		err = os.Rename(name, f.target)
	}
	if err != nil {
		_ = os.Remove(name)
		f.err = err
		return err
	}
	// The name is on disk when its folder is; not every system can do that.
	if dir, err := os.Open(filepath.Dir(f.target)); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
	return nil
}

// Abort gives the file up. After Commit it does nothing, so it can be deferred.
func (f *File) Abort() {
	if f.done {
		return
	}
	f.done = true
	if f.temp == nil {
		_ = f.closeDirect()
		return
	}
	_ = f.temp.Close()
	_ = os.Remove(f.temp.Name())
}

func (f *File) closeDirect() error {
	if c, ok := f.w.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
