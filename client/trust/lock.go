package trust

import (
	"context"
	"fmt"
	"os"
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
