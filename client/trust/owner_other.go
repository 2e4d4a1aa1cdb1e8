//go:build !unix

package trust

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

const nonBlocking = 0

// errSharingViolation is the error of Windows for a file that is open elsewhere.
const errSharingViolation = syscall.Errno(32)

// IsBusy reports whether an error of opening or replacing a file may be that another process uses the file.
func IsBusy(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, errSharingViolation)
}

// openFile opens a file for reading. A file that another command is replacing can't be opened here, so openFile tries again
// for a while.
func openFile(path string) (file *os.File, err error) {
	err = WhileBusy(func() error {
		file, err = os.Open(path)
		return err
	}, IsBusy)
	return file, err
}

func isOurs(fs.FileInfo) bool                 { return true }
func ownerOf(fs.FileInfo) string              { return "unknown" }
func othersMayWrite(string, fs.FileInfo) bool { return false }
func isPrivateGroup(fs.FileInfo) bool         { return true }
func chown(string) string                     { return "" }
