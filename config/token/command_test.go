//go:build unix

package token

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestRunCommand(t *testing.T) {
	out, err := RunCommand(t.Context(), "echo a; cat; echo note >&2")
	wantValue(t, out, err, "a\n")
	secret := jwt(`{"sub":1}`)
	for command, want := range map[string]string{
		"echo first >&2; printf 'last \\033[31m line\\n\\n' >&2; exit 3": `exit status 3: last \u001b[31m line`,
		"echo Bearer " + secret + " >&2; exit 1":                         "exit status 1: Bearer [hidden]",
		"exit 7":                                                         "exit status 7",
		"head -c 2000000 /dev/zero":                                      "printed more than a token",
		"yes":                                                            "printed more than a token",
		"kill -9 $$":                                                     "killed",
		"printf '\\377\\376' >&2; exit 1":                                "exit status 1: ?",
		"head -c 300 /dev/zero >&2; exit 1":                              `\u0000…`,
		"definitely-not-a-command-of-anyone":                             "not found",
	} {
		t.Run(command, func(t *testing.T) {
			_, err := RunCommand(t.Context(), command)
			if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), `\u2026`, "…"), want) {
				t.Errorf("got error %v, want %s", err, want)
			}
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("got error %q, want no token in it", err)
			}
		})
	}
}

func TestRunCommandEndsWithItsContext(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "mark")
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := RunCommand(ctx, "(sleep 1; touch "+mark+") & sleep 30")
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 3*time.Second {
		t.Errorf("got error %v after %v, want %v after 200ms", err, time.Since(start), context.DeadlineExceeded)
	}
	time.Sleep(1200 * time.Millisecond)
	if _, err := os.Stat(mark); err == nil {
		t.Error("a process that the command started is still running")
	}
}

func TestRunCommandWithBackgroundProcess(t *testing.T) {
	t.Parallel()
	start := time.Now()
	out, err := RunCommand(t.Context(), "sleep 20 & echo token; echo $! >&2")
	if err != nil || out != "token\n" || time.Since(start) > 5*time.Second {
		t.Errorf("got %q and error %v after %v, want the token at once", out, err, time.Since(start))
	}
}
