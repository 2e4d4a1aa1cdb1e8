//go:build unix

package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// NonBlocking keeps the opening of a pipe from waiting for its other end.
const NonBlocking = syscall.O_NONBLOCK

// OpenFile opens a file for reading, and never waits for the other end of a pipe.
func OpenFile(path string) (*os.File, error) { return os.OpenFile(path, os.O_RDONLY|NonBlocking, 0) }

func isOurs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (stat.Uid == 0 || int(stat.Uid) == os.Geteuid())
}

func ownerOf(info fs.FileInfo) string {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("uid %d", stat.Uid)
	}
	return "unknown"
}

// othersMayWrite reports whether the group or everybody may write to a file or folder.
// Nobody can where the file system is read-only, as with the volumes of Kubernetes.
func othersMayWrite(path string, info fs.FileInfo) bool {
	const writeAccess = 2
	return info.Mode().Perm()&0o022 != 0 && !errors.Is(syscall.Access(path, writeAccess), syscall.EROFS)
}

// isPrivateGroup reports whether only the group of a file may write to it, besides its owner, and this is the owner's own
// group: many systems give each user a group of the same number without other members. Root's group may have members.
func isPrivateGroup(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().Perm()&0o002 == 0 && stat.Uid != 0 && stat.Gid == stat.Uid
}

func chown(path string) string { return fmt.Sprintf("sudo chown %d %s", os.Geteuid(), ShellWord(path)) }
