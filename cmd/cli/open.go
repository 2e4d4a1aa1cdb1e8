package cli

import (
	"errors"
	"runtime"

	"github.com/spf13/cobra"

	"reseller/cmd/opener"
)

// AddOpen adds the flag --open to a command that writes a file with a chart or a page.
func (f *Flags) AddOpen(c *cobra.Command) {
	c.Flags().BoolVar(&f.Open, "open", false, "open the written file with the program for its kind, such as the browser")
}

// Open opens a file that the command has completed, if --open is given. The file is there whether or not
// it can be opened, so that is no failure.
func (f *Factory) Open(path string) {
	if !f.Flags.Open {
		return
	}
	err := f.canOpen()
	if err == nil {
		err = opener.Open(path)
	}
	if err != nil {
		f.Note("%s was not opened: %v", path, err)
	}
}

// canOpen returns why nobody would see what is opened, nil if somebody would.
func (f *Factory) canOpen() error {
	set := func(name string) bool {
		value, _ := f.Env(name)
		return value != ""
	}
	hasDisplay := runtime.GOOS == "windows" || runtime.GOOS == "darwin" || set("DISPLAY") || set("WAYLAND_DISPLAY")
	switch {
	case set("CI"):
		return errors.New("CI is set")
	case !f.ErrTTY:
		return errors.New("stderr is not a terminal")
	case !hasDisplay:
		return errors.New("there is no display")
	}
	return nil
}
