package form

import (
	"os"

	"golang.org/x/sys/windows"
)

// prepare lets the console carry out escape sequences until undo is called. It sends nothing to resized: the form reads the size
// of the console again after each key.
func prepare(out *os.File, _ chan<- os.Signal) (undo func()) {
	console, mode := windows.Handle(out.Fd()), uint32(0)
	_ = windows.GetConsoleMode(console, &mode)
	_ = windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING)
	return func() { _ = windows.SetConsoleMode(console, mode) }
}
