//go:build unix

package opener

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

func start(path string) error {
	program := "xdg-open"
	if runtime.GOOS == "darwin" {
		program = "open"
	}
	c := exec.CommandContext(context.Background(), program, path)
	// A browser outlives the terminal, and needs no token of ours.
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	c.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool { return strings.HasPrefix(variable, "RESELLER_") })
	if err := c.Start(); err != nil {
		return err
	}
	return c.Process.Release()
}
