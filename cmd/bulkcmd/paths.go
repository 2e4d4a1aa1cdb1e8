package bulkcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"reseller/client/trust"
	"reseller/cmd/cli"
)

// checkOutputPath checks that the file which a flag names can be replaced at the end
// of the load.
func checkOutputPath(flag, path string) error {
	if path == "" {
		return nil
	}
	folder := filepath.Dir(path)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return cli.Usagef("%s: no such folder: %s", flag, folder)
	}
	if path == "-" || folder == "/dev" {
		return cli.Usagef("%s: %s is not a file", flag, path)
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
		return cli.Usagef("%s: %s is not a file", flag, path)
	case err == nil:
		err = trust.CheckTarget(target, info)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}
