package trust

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// Lock waits until no other process holds the lock on the file at path, which is created if there is none.
// Anything but a regular file is an error, since somebody else may have put it there: a
// pipe without another end would never be opened, and a link leads to any file.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the lock %s is not a regular file", path)
	}
	lock := flock.New(path, flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDONLY|nonBlocking))
	_, err = lock.TryLockContext(ctx, 5*time.Millisecond)
	return func() { _ = lock.Close() }, err
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
