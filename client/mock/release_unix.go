//go:build unix && !aix && !solaris

package mock

import (
	"os"
	"syscall"
)

// release gives bbolt's lock back: closing the file does not while it is still
// mapped into memory.
func release(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
