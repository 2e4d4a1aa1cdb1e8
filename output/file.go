package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"reseller/client/atomicfile"
)

// File is where a command writes its output: a file that Commit puts in place as
// a whole or not at all, or a stream that is written directly.
type File struct {
	w    io.Writer
	file *atomicfile.File // nil if w is written directly
	path string
	err  error // of the first failed Write
	done bool
}

// OpenFile begins a file at path. It follows a symbolic link. An existing file
// keeps its mode, and its content until Commit. Anything but a regular file, such
// as a pipe or /dev/stdout, is written directly.
func OpenFile(path string) (*File, error) {
	switch path {
	case "":
		return nil, errors.New("the path of the output file is empty")
	case "-":
		return nil, errors.New(`"-" is standard output, not a file`)
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: is a directory", path)
	}
	if err == nil && !info.Mode().IsRegular() || isDescriptor(path) {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return nil, err
		}
		return &File{w: f, path: path}, nil
	}
	if info != nil { // a file that the user may not write must not be replaced
		probe, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		_ = probe.Close()
	}
	f := &File{path: path}
	if f.file, err = atomicfile.Create(path, 0o666); err != nil {
		return nil, f.named(err)
	}
	f.w = f.file
	if info != nil {
		if err := f.file.Chmod(info.Mode().Perm()); err != nil {
			f.file.Abort()
			return nil, f.named(err)
		}
	}
	return f, nil
}

// Private makes the file readable by its owner only. It does nothing if the
// output is written directly.
func (f *File) Private() error {
	if f.file == nil {
		return nil
	}
	return f.named(f.file.Chmod(0o600))
}

// Direct returns a File that writes to w directly, for standard output. Commit
// does not close w.
func Direct(w io.Writer) *File { return &File{w: struct{ io.Writer }{w}} }

// isDescriptor reports whether path is a name of an open file, such as
// /dev/stdout. Such a path must not be replaced, even if a shell has redirected
// it to a regular file.
func isDescriptor(path string) bool {
	clean := filepath.Clean(path)
	return clean == "/dev/stdout" || clean == "/dev/stderr" ||
		strings.HasPrefix(clean, "/dev/fd/") || strings.HasPrefix(clean, "/proc/self/fd/")
}

// SameFile reports whether two paths lead to one regular file, which need not
// exist.
func SameFile(a, b string) bool {
	if a == "" || b == "" || a == "-" || b == "-" || resolve(a) != resolve(b) {
		return false
	}
	info, err := os.Stat(a)
	return err != nil || info.Mode().IsRegular()
}

// resolve returns the absolute path, without symbolic links, of the file at path,
// which need not exist.
func resolve(path string) string {
	if target, err := atomicfile.Resolve(path); err == nil {
		path = target
	}
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// BrokenPipeError is the error of a write to a pipe whose reader is gone.
type BrokenPipeError struct{ Err error }

func (e *BrokenPipeError) Error() string { return e.Err.Error() }
func (e *BrokenPipeError) Unwrap() error { return e.Err }

// Write writes p to the file.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	err = f.named(err)
	if errors.Is(err, syscall.EPIPE) {
		err = &BrokenPipeError{err}
	}
	if err != nil && f.err == nil {
		f.err = err
	}
	return n, err
}

// named returns err with the path that the user gave in place of the path of the
// temporary file.
func (f *File) named(err error) error {
	var at *fs.PathError
	if f.path == "" || !errors.As(err, &at) {
		return err
	}
	return fmt.Errorf("%s: %w", f.path, at.Err)
}

// Commit puts the file in place. If a Write has failed, Commit discards the file
// and returns the error of that Write.
func (f *File) Commit() error {
	if f.done {
		return f.err
	}
	if f.err != nil {
		f.Abort()
		return f.err
	}
	f.done = true
	if f.file == nil {
		return f.closeDirect()
	}
	f.err = f.named(f.file.Commit())
	return f.err
}

// Abort discards the file. After Commit it does nothing, so that it can be
// deferred.
func (f *File) Abort() {
	if f.done {
		return
	}
	f.done = true
	if f.file == nil {
		_ = f.closeDirect()
		return
	}
	f.file.Abort()
}

func (f *File) closeDirect() error {
	if c, ok := f.w.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
