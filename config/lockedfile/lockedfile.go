// Package lockedfile reads small files, and changes them under a lock, so that two commands do not undo each other's changes.
package lockedfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"reseller/client/atomicfile"
	"reseller/client/trust"
	"reseller/config/errdefs"
)

// lockTimeout is how long Transform waits for another process to release the lock.
const lockTimeout = 10 * time.Second

// Transform replaces the content of a file, which only its owner may read, as a whole or not at all, while it holds the lock of the
// file. change gets the path to read, which is the target of a symbolic link, and returns the content, nil to write none. Folders
// that are missing are created. One in which somebody else could replace the file is an error (trust.CheckFolder).
func Transform(ctx context.Context, path, home string, change func(path string) ([]byte, error)) error {
	target, err := trust.Resolve(path) // people keep their configuration in a repository, and link to it
	if err != nil {
		return fmt.Errorf("%s can't be written: %w", path, trust.WithoutPath(err))
	}
	if _, noLink := os.Readlink(path); noLink == nil {
		if _, err := os.Stat(target); err != nil {
			return fmt.Errorf("%s can't be written: the symbolic link is broken: %w", path, trust.WithoutPath(err))
		}
	}
	path = target
	if err := trust.CheckFolder(filepath.Dir(path), home); err != nil {
		return fmt.Errorf("%s can't be written: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("%s can't be created: %w", filepath.Dir(path), trust.WithoutPath(err))
	}
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	unlock, err := trust.Lock(ctx, path+".lock") // a second file, since the file at path is replaced
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s can't be written: another command holds the lock %s.lock", path, path)
	} else if err != nil {
		return fmt.Errorf("%s can't be written: %w", path, trust.WithoutPath(err))
	}
	defer unlock()
	content, err := change(path)
	if err != nil || content == nil {
		return err
	}
	if err := atomicfile.WriteFile(path, content, 0o600); err != nil {
		return fmt.Errorf("%s can't be written: %w", path, trust.WithoutPath(err))
	}
	return nil
}

// Read returns the content of a file of at most limit bytes, nil if there is none. The error of a file that can't be read, or that
// another user could have written, begins with what, a noun for the file.
func Read(what, path, home string, limit int64) ([]byte, error) {
	raw, err := trust.ReadFile(path, home, limit)
	switch {
	case err == nil:
		return raw, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // services without a home have HOME=/dev/null
		return nil, nil
	}
	if untrusted, ok := errors.AsType[*trust.Error](err); ok {
		return nil, &errdefs.InvalidError{Details: errdefs.Details{Message: what + " " + err.Error(), Hint: untrusted.Advice(), Err: err}}
	}
	err = fmt.Errorf("%s %s can't be read: %w", what, path, trust.WithoutPath(err))
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) { // nothing is wrong with the file
		return nil, err
	}
	return nil, &errdefs.InvalidError{Details: errdefs.Details{Message: err.Error(), Err: err}}
}
