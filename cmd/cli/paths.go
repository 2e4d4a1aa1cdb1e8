package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"reseller/client/trust"
	"reseller/cmd/opener"
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
	target, err := trust.Resolve(path)
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	info, err := os.Lstat(target)
	if err == nil {
		if !info.Mode().IsRegular() {
			return Usagef("%s: %s is not a file", flag, path)
		}
		err = trust.CheckTarget(target, info)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", flag, err)
	}
	file, err := output.OpenFile(path)
	if err != nil {
		return Usagef("%s: %v", flag, err)
	}
	file.Abort()
	return nil
}

// AddOpen adds the flag --open to a command that writes a file with a chart or a page.
func (f *Flags) AddOpen(c *cobra.Command) {
	c.Flags().BoolVar(&f.Open, "open", false, "open the written file with the program for its kind, such as the browser")
}

// Open opens a file that the command has completed, if --open is given. The file is there whether or not
// it can be opened, so that is no failure.
func (o *Output) Show(path string) {
	if !o.s.Flags.Open {
		return
	}
	err := o.canOpen()
	if err == nil {
		err = opener.Open(path)
	}
	if err != nil {
		o.s.Note("%s was not opened: %v", path, err)
	}
}

// canOpen returns why nobody would see what is opened, nil if somebody would.
func (o *Output) canOpen() error {
	set := func(name string) bool {
		value, _ := o.s.Env(name)
		return value != ""
	}
	hasDisplay := runtime.GOOS == "windows" || runtime.GOOS == "darwin" || set("DISPLAY") || set("WAYLAND_DISPLAY")
	switch {
	case set("CI"):
		return errors.New("CI is set")
	case !o.s.ErrTTY:
		return errors.New("stderr is not a terminal")
	case !hasDisplay:
		return errors.New("there is no display")
	}
	return nil
}
