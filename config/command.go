package config

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// CommandRunner runs a shell command and returns its standard output.
type CommandRunner func(ctx context.Context, command string) (string, error)

// RunCommand is the CommandRunner of real life: `sh -c`, on Windows `cmd /C`.
// The command can't read our standard input, and when ctx ends or it prints too
// much, all that it started is killed. The error ends with the last line of its
// standard error.
func RunCommand(ctx context.Context, command string) (string, error) {
	running, stop := context.WithCancel(ctx)
	defer stop()
	stdout, stderr := &head{limit: 1 << 20, over: stop}, &tail{limit: 64 << 10}
	cmd := shell(running, command)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	// A process left in the background may hold the pipes open for ever.
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	switch line := lastLine(string(stderr.kept)); {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case running.Err() != nil:
		return "", errors.New("printed more than a token")
	case err != nil && line != "":
		return "", fmt.Errorf("%w: %s", err, line)
	case err != nil:
		return "", err
	}
	return string(stdout.kept), nil
}

// lastLine is the last line with something on it, safe to print.
func lastLine(text string) string {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "?"))
	line := []rune(hideTokens(strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])))
	if len(line) > 200 {
		line = append(line[:200], '…')
	}
	return escape(string(line))
}

// head keeps the beginning of what is written to it, and tells when there is
// more.
type head struct {
	kept  []byte
	limit int
	over  func()
}

func (h *head) Write(p []byte) (int, error) {
	room := h.limit - len(h.kept)
	if len(p) > room {
		h.over()
	}
	h.kept = append(h.kept, p[:min(len(p), room)]...)
	return len(p), nil
}

// tail keeps the end of what is written to it.
type tail struct {
	kept  []byte
	limit int
}

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - t.limit; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}
