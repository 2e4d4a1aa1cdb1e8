//go:build !unix

package atomicfile

import (
	"os"
	"time"

	"reseller/client/trust"
)

const notFollowed = 0

// lock does nothing: an open file can't be removed here.
func lock(*os.File) bool { return false }

// rename closes a file and renames it: an open file can't be renamed here. Nor can one be
// replaced that another command has open, so rename tries again for a while.
func rename(file *os.File, to string) error {
	if err := file.Close(); err != nil {
		return err
	}
	return trust.WhileBusy(func() error { return os.Rename(file.Name(), to) })
}

// staleAfter is the age at which no process is between closing and renaming a file.
const staleAfter = time.Hour

// removeUnused removes an old temporary file that no process has open.
func removeUnused(path string) {
	if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > staleAfter {
		_ = os.Remove(path)
	}
}
