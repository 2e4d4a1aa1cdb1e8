package trust

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// Lock waits until no other process holds the lock on the file at path, which is created if there is none.
// Anything but a regular file is an error, since somebody else may have put it there: a
// pipe without another end would never be opened, and a link leads to any file.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	lock, err := newLock(path, 0o600)
	if err == nil {
		_, err = lock.TryLockContext(ctx, 5*time.Millisecond)
	}
	return func() { _ = lock.Close() }, err
}

func newLock(path string, perm fs.FileMode) (*flock.Flock, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the lock %s is not a regular file", path)
	}
	return flock.New(path, flock.SetPermissions(perm), flock.SetFlag(os.O_CREATE|os.O_RDONLY|NonBlocking)), nil
}

// LockFolder locks a folder that users may share, by a file in it that unlock removes. If another process holds the lock, isFree
// is false.
func LockFolder(dir string) (unlock func(), isFree bool, err error) {
	path := filepath.Join(dir, ".lock")
	lock, err := newLock(path, 0o666)
	if err == nil {
		isFree, err = lock.TryLock()
	}
	if !isFree {
		return nil, false, err
	}
	held, _ := lock.Stat()
	there, _ := os.Lstat(path) // another file, or none, if the process that held the lock has just removed it
	return func() { _, _ = os.Remove(path), lock.Close() }, os.SameFile(held, there), nil
}

// busyTimeout is how long a file that another process has open may stay so. Commands read
// small files as a whole and close them at once.
const busyTimeout = 2 * time.Second

// errSharingViolation is the error of Windows for a file that is open elsewhere.
const errSharingViolation = syscall.Errno(32)

// WhileBusy calls do again as long as its error may be that of Windows for a file that another
// process uses. Where a file can be replaced while it is open, nothing needs it.
func WhileBusy(do func() error) error {
	for end := time.Now().Add(busyTimeout); ; time.Sleep(10 * time.Millisecond) {
		err := do()
		isBusy := errors.Is(err, fs.ErrPermission) || errors.Is(err, errSharingViolation)
		if !isBusy || time.Now().After(end) {
			return err
		}
	}
}
