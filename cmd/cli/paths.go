package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"reseller/client/trust"
	"reseller/output"
)

// CheckOutputPath checks that the file which a flag names can be written at the end of
// the command: it begins a file there, and removes it.
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
	if _, info, err := trust.ResolveTarget(path); err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	} else if info != nil && !info.Mode().IsRegular() {
		return Usagef("%s: %s is not a file", flag, path)
	}
	file, err := output.OpenFile(path)
	if err != nil {
		return Usagef("%s: %v", flag, err)
	}
	file.Abort()
	return nil
}

// CheckOutputDir refuses a folder that --output-dir can't name, and --output-file beside it, about which why tells.
func (o *Output) CheckOutputDir(dir, why string) error {
	switch info, err := os.Stat(dir); {
	case o.s.Flags.OutputFile != "":
		return Usagef("--output-dir %s", why)
	case err == nil && !info.IsDir():
		return Usagef("--output-dir %s: not a folder", dir)
	}
	return nil
}

// LockOutputDir makes the folder that --output-dir names, and keeps it from other commands until unlock is called.
func LockOutputDir(dir string) (unlock func(), err error) {
	if err := trust.MakeFolder(dir, 0o777); err != nil {
		return nil, err
	}
	unlock, isFree, err := trust.LockFolder(dir)
	if err == nil && !isFree {
		err = NotYet("wait until it finishes", "--output-dir %s: another command is writing to it", dir)
	}
	return unlock, err
}
