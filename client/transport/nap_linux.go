package transport

import (
	"time"

	"golang.org/x/sys/unix"
)

// nap waits for a short time. The kernel wakes it about 0.1 ms late, whereas a timer of
// the Go runtime may be 1 ms late, since the runtime waits for whole milliseconds on Linux.
func nap(d time.Duration) {
	t := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&t, nil)
}
