package output

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"reseller/client/atomicfile"
	"reseller/client/trust"
)

// File is where a command writes its output: a file that Commit puts in place as a whole or not at all, or a stream that is
// written directly. Abort discards the file. After Commit it does nothing, so that it can be deferred.
type File struct {
	target
	path string
	err  error // of the first failed Write
}

type target interface {
	io.Writer
	Commit() error
	Abort()
}

type stream struct {
	io.Writer
	close func() error
}

func (s stream) Commit() error { return s.close() }
func (s stream) Abort()        { _ = s.close() }

// IsDirect reports whether each write reaches its target at once, and not when Commit is called.
func (f *File) IsDirect() bool {
	_, isDirect := f.target.(stream)
	return isDirect
}

// OpenFile begins a file at path. It follows a symbolic link of the user's own. An
// existing file keeps its mode, and its content until Commit. Anything but a regular
// file, such as a pipe or /dev/stdout, is written directly, unless it belongs to another
// user.
func OpenFile(path string) (*File, error) { return openFile(path, 0o666, false) }

// OpenPrivate is OpenFile, except that only its owner may read a file that does not exist
// yet.
func OpenPrivate(path string) (*File, error) { return openFile(path, 0o600, false) }

// OpenSecret begins a file that only its owner may read from the moment when it is
// created. Only a regular file is replaced: whoever reads a pipe would get the secret.
func OpenSecret(path string) (*File, error) { return openFile(path, 0o600, true) }

// Replace writes a file that open begins. What was there before stays if write fails.
func Replace(open func(path string) (*File, error), path string, write func(io.Writer) error) error {
	file, err := open(path)
	if err != nil {
		return err
	}
	defer file.Abort()
	if err := write(file); err != nil {
		return err
	}
	return file.Commit()
}

// openFile is OpenFile. perm is the mode of a file that does not exist yet.
func openFile(path string, perm fs.FileMode, isSecret bool) (*File, error) {
	switch {
	case path == "":
		return nil, errors.New("the path of the output file is empty")
	case path == "-":
		return nil, errors.New(`"-" is standard output, not a file`)
	case isDescriptor(path) && isSecret:
		return nil, fmt.Errorf("%s: not a regular file", path)
	case isDescriptor(path):
		return openDirect(path, path, nil)
	case isSecret:
		return create(path, perm)
	}
	target, info, err := trust.ResolveTarget(path)
	switch {
	case err != nil:
		return nil, named(path, err)
	case info == nil:
		return create(path, perm)
	case info.IsDir():
		return nil, fmt.Errorf("%s: is a directory", path)
	case !info.Mode().IsRegular():
		return openDirect(path, target, info)
	}
	// A file that the user may not write must not be replaced.
	probe, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err != nil {
		return nil, named(path, err)
	}
	_ = probe.Close()
	mode := info.Mode().Perm()
	file, err := atomicfile.Create(path, mode)
	if err != nil {
		return nil, named(path, err)
	}
	if err := file.Chmod(mode); err != nil { // the umask may have withheld some permissions
		file.Abort()
		return nil, named(path, err)
	}
	return &File{target: file, path: path}, nil
}

func create(path string, perm fs.FileMode) (*File, error) {
	file, err := atomicfile.Create(path, perm)
	if err != nil {
		return nil, named(path, err)
	}
	return &File{target: file, path: path}, nil
}

// openDirect opens target, which is not a regular file, for a path that the user gave.
// The file must be what info tells of, unless info is nil.
func openDirect(path, target string, info fs.FileInfo) (*File, error) {
	file, err := os.OpenFile(target, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, named(path, err)
	}
	if is, err := file.Stat(); info != nil && (err != nil || !os.SameFile(is, info)) {
		_ = file.Close()
		return nil, cmp.Or(err, fmt.Errorf("%s: replaced while it was opened", path))
	}
	return &File{target: stream{file, file.Close}, path: path}, nil
}

// Direct returns a File that writes to w directly, for standard output. Commit
// does not close w.
func Direct(w io.Writer) *File { return &File{target: stream{w, func() error { return nil }}} }

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
	if a == "" || b == "" || a == "-" || b == "-" {
		return false
	}
	one, err := os.Stat(a)
	other, errOther := os.Stat(b)
	if err == nil && errOther == nil {
		return os.SameFile(one, other) && one.Mode().IsRegular()
	}
	first, err := trust.Resolve(a)
	second, errOther := trust.Resolve(b)
	return err == nil && errOther == nil && first == second
}

// BrokenPipeError is the error of a write to a pipe whose reader is gone.
type BrokenPipeError struct{ Err error }

func (e *BrokenPipeError) Error() string { return e.Err.Error() }
func (e *BrokenPipeError) Unwrap() error { return e.Err }

// isClosedPipe reports whether an error of an operating system says that nobody reads from a
// pipe any more.
func isClosedPipe(system string, err error) bool {
	number, _ := errors.AsType[syscall.Errno](err)
	if system == "windows" && slices.Contains([]syscall.Errno{109, 232, 233}, number) { // ERROR_BROKEN_PIPE, ERROR_NO_DATA, ERROR_PIPE_NOT_CONNECTED
		return true
	}
	return errors.Is(err, syscall.EPIPE)
}

func (f *File) Write(p []byte) (int, error) {
	n, err := f.target.Write(p)
	err = named(f.path, err)
	if isClosedPipe(runtime.GOOS, err) {
		err = &BrokenPipeError{err}
	}
	if err != nil && f.err == nil {
		f.err = err
	}
	return n, err
}

// named returns err with the path that the user gave in place of the path of the
// temporary file.
func named(path string, err error) error {
	at, ok := errors.AsType[*fs.PathError](err)
	if path == "" || !ok {
		return err
	}
	return fmt.Errorf("%s: %w", path, at.Err)
}

// Commit puts the file in place. If a Write has failed, Commit discards the file
// and returns the error of that Write.
func (f *File) Commit() error {
	if f.err != nil {
		f.Abort()
		return f.err
	}
	return named(f.path, f.target.Commit())
}
