package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"reseller/client/crash"
	"reseller/client/safetext"
	"reseller/config"
)

// maxSecret is the maximum length of a password or token from stdin.
const maxSecret = 64 << 10

// CanAsk reports whether the user can be asked a question.
func (f *Factory) CanAsk() bool { return f.InTTY && f.ErrTTY && !f.Flags.NoInput }

// ErrDeclined is returned by Confirm if the user says no.
var ErrDeclined = errors.New("not confirmed; nothing was sent")

// Confirms reports whether Confirm asks a question.
func (f *Factory) Confirms() bool { return f.CanAsk() && !f.Flags.Yes && !f.Flags.DryRun }

// ConfirmWrite asks whether to make a change on the server of the command, and names the profile of
// the server if there are several. question is without its end.
func (f *Factory) ConfirmWrite(ctx context.Context, question string) error {
	settings, err := f.Settings()
	if err != nil {
		return err
	}
	address, err := f.Address()
	if err != nil {
		return err
	}
	where := cmp.Or(address.Server, address.URL)
	if address.Origin.Kind == config.FromProfile && len(settings.Profiles()) > 1 {
		where += " (profile " + settings.Profile() + ")"
	}
	return f.Confirm(ctx, fmt.Sprintf("%s on %s?", question, where))
}

// Confirm asks for confirmation. Without a terminal it fails unless --yes is given.
func (f *Factory) Confirm(ctx context.Context, question string) error {
	if f.Flags.Yes || f.Flags.DryRun {
		return nil
	}
	if !f.CanAsk() {
		return &UsageError{Message: "confirmation required, but there is no terminal: " + question, Hint: "use --yes to confirm"}
	}
	answer, err := f.Ask(ctx, question+" [y/N] ")
	if err != nil {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return ErrDeclined
}

// Ask prompts for a line. End of input is an error, not an answer.
func (f *Factory) Ask(ctx context.Context, question string) (string, error) {
	fmt.Fprint(f.Err, safetext.Escape(question))
	return WithContext(ctx, func() (string, error) {
		line, err := f.line()
		if err == io.EOF {
			fmt.Fprintln(f.Err)
			return "", errors.New("the input ended before the question was answered")
		}
		return line, err
	})
}

// line reads a line, and not a byte beyond it: the rest of stdin belongs to others.
func (f *Factory) line() (string, error) {
	var line []byte
	var b [1]byte
	for len(line) < maxSecret {
		n, err := f.In.Read(b[:])
		if n > 0 && b[0] == '\n' {
			break
		}
		line = append(line, b[:n]...)
		if err != nil && len(line) == 0 {
			return "", err
		}
		if err != nil {
			break
		}
	}
	return strings.TrimSuffix(string(line), "\r"), nil
}

// WithContext runs read, which may block forever, until it returns or ctx ends.
func WithContext[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type answer struct {
		got T
		err error
	}
	done := make(chan answer, 1)
	go func() {
		defer crash.Recover()
		got, err := read()
		done <- answer{got, err}
	}()
	select {
	case a := <-done:
		return a.got, a.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// SecretFromStdin reads a password or token from stdin. A trailing newline is dropped.
func (f *Factory) SecretFromStdin(flag string) (string, error) {
	text, err := io.ReadAll(io.LimitReader(bufio.NewReader(f.In), maxSecret+1))
	if err != nil {
		return "", fmt.Errorf("%s: %w", flag, err)
	}
	if len(text) > maxSecret {
		return "", Usagef("%s: the input is too long", flag)
	}
	text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
	if len(text) == 0 {
		return "", Usagef("%s: stdin is empty", flag)
	}
	return string(text), nil
}
