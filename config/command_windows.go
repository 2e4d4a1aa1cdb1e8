package config

import (
	"context"
	"os/exec"
	"strconv"
	"syscall"
)

func shell(ctx context.Context, command string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd")
	// cmd reads its line by rules of its own, not by those that Go quotes for.
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /S /C "` + command + `"`}
	cmd.Cancel = func() error {
		// taskkill ends the children too, which Kill would leave.
		if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run() == nil {
			return nil
		}
		return cmd.Process.Kill()
	}
	return cmd
}
