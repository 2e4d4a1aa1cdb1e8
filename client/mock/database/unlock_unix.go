//go:build unix && !aix && !solaris

package database

import (
	"os"
	"syscall"
)

// unlock releases bbolt's lock on a file. Closing the file does not release the lock while the file is mapped into memory.
func unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
