package trust

import (
	"errors"
	"io/fs"
	"syscall"
	"time"
)

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
