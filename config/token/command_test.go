//go:build unix

package token

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
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
	started, pipe := filepath.Join(t.TempDir(), "started"), filepath.Join(t.TempDir(), "pipe")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if _, err := os.Stat(started); err == nil {
				cancel()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	reader, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Close() }()
	_, err = RunCommand(ctx, "(exec >"+pipe+"; touch "+started+"; exec sleep 1000) & sleep 1000")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
	// The pipe ends when the process that the command started in the background has ended.
	if _, err := io.ReadAll(reader); err != nil {
		t.Error(err)
	}
}

func TestRunCommandWithBackgroundProcess(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "mark")
	out, err := RunCommand(t.Context(), "(sleep 60; touch "+mark+") & echo token")
	if err != nil || out != "token\n" {
		t.Errorf("got %q and error %v, want the token", out, err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the token came only when the process in the background had ended")
	}
}
