//go:build unix

package atomicfile

import (
	"errors"
	"os"
	"syscall"
)

// notFollowed keeps the opening of a file from following a link and from waiting for the other end of a pipe.
const notFollowed = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// lock locks a new temporary file until it is closed. It reports whether the file system can do that.
func lock(file *os.File) bool { return flock(file, syscall.LOCK_EX) == nil }

// rename renames a file and closes it, in this order: without its lock, another process may remove it.
func rename(file *os.File, to string) error {
	return errors.Join(os.Rename(file.Name(), to), file.Close())
}

// removeUnused removes a temporary file of this user that no process has locked.
func removeUnused(path string) {
	file, err := os.OpenFile(path, os.O_RDONLY|notFollowed, 0)
	if err != nil {
		return
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if ok && int(owner.Uid) == os.Geteuid() && flock(file, syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		_ = os.Remove(path)
	}
}

func flock(file *os.File, how int) error {
	for {
		if err := syscall.Flock(int(file.Fd()), how); err != syscall.EINTR {
			return err
		}
	}
}
