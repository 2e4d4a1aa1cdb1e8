package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"reseller/client/trust"
)

// CheckOutputPath checks that the file which a flag names can be replaced at the end
// of the command.
func CheckOutputPath(flag, path string) error {
	if path == "" {
		return nil
	}
	folder := filepath.Dir(path)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return Usagef("%s: no such folder: %s", flag, folder)
	}
	if path == "-" || folder == "/dev" {
		return Usagef("%s: %s is not a file", flag, path)
	}
	target, err := trust.Resolve(path)
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	info, err := os.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !info.Mode().IsRegular():
		return Usagef("%s: %s is not a file", flag, path)
	case err == nil:
		err = trust.CheckTarget(target, info)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}
