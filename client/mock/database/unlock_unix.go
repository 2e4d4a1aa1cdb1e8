//go:build unix && !aix && !solaris

package database

import (
	"os"
	"syscall"
)

// unlock releases bbolt's lock, which closing the file does not do while it is still
// mapped into memory.
func unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
