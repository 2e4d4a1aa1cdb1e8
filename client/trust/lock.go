package trust

import (
	"fmt"
	"os"

	"github.com/gofrs/flock"
)

// NewLock returns a lock on the file at path, which is created when it is first locked.
// Anything but a regular file is an error, since somebody else may have put it there: a
// pipe without another end would never be opened, and a link leads to any file.
func NewLock(path string) (*flock.Flock, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the lock %s is not a regular file", path)
	}
	return flock.New(path, flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDONLY|nonBlocking)), nil
}
