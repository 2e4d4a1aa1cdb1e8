package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// writable is the file to replace for a path: behind a link, as people keep
// their configuration in a repository, and only ever an ordinary file.
func writable(path string) (string, error) {
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		target, err := filepath.EvalSymlinks(path)
		if err != nil {
			return "", fmt.Errorf("%s can't be written: the link leads nowhere: %w", path, cause(err))
		}
		path = target
		info, err = os.Lstat(path)
		if err != nil {
			return "", fmt.Errorf("%s can't be written: %w", path, cause(err))
		}
	}
	if err == nil && !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s can't be written: it is not an ordinary file", path)
	}
	return path, nil
}

// locked runs a change of a file while no other process of ours changes it.
// The lock lies beside the file, since the file itself is replaced.
func locked(ctx context.Context, path string, change func() error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("%s can't be made: %w", filepath.Dir(path), cause(err))
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	lock := flock.New(path+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return fmt.Errorf("%s can't be written: another command holds %s", path, lock.Path())
		}
		return fmt.Errorf("%s can't be written: %w", path, cause(err))
	}
	defer func() { _ = lock.Close() }()
	return change()
}

// writeAtomically puts a file in place whole or not at all, for its owner only.
func writeAtomically(path string, content []byte) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s can't be written: %w", path, cause(err))
		}
	}()
	// CreateTemp makes the file with mode 0600.
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return err
	}
	// A folder can't be synced everywhere; the file is in place all the same.
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
	return nil
}
