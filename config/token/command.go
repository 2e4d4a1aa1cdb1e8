package token

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"reseller/client/redact"
	"reseller/client/safetext"
)

const maxOutput = 1 << 20

// RunCommand runs a command with `sh -c`, on Windows with `cmd /C`, without our standard input. When ctx ends, or when the command
// prints more than a token, everything that it started is killed. An error ends with the last line of its standard error.
func RunCommand(ctx context.Context, command string) (string, error) {
	commandCtx, stop := context.WithCancel(ctx)
	defer stop()
	stdout, stderr := &tailBuffer{limit: maxOutput, onOverflow: stop}, &tailBuffer{limit: 64 << 10, onOverflow: func() {}}
	cmd := shellCommand(commandCtx, command)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	// A process that the command left in the background may keep the pipes open for ever.
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	switch line := lastLine(string(stderr.data)); {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case commandCtx.Err() != nil:
		return "", errors.New("printed more than a token")
	case err != nil && line != "":
		return "", fmt.Errorf("%w: %s", err, line)
	case err != nil:
		return "", err
	}
	return string(stdout.data), nil
}

func lastLine(text string) string {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "?"))
	line := []rune(redact.Tokens(strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])))
	if len(line) > 200 {
		line = append(line[:200], '…')
	}
	return safetext.Escape(string(line))
}

// tailBuffer keeps the last bytes that are written to it, and calls onOverflow if there are more.
type tailBuffer struct {
	data       []byte
	limit      int
	onOverflow func()
}

func (b *tailBuffer) Write(p []byte) (int, error) {
	b.data = append(b.data, p...)
	if excess := len(b.data) - b.limit; excess > 0 {
		b.data = append(b.data[:0], b.data[excess:]...)
		b.onOverflow()
	}
	return len(p), nil
}
