package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"reseller/cmd/form"
)

// TestNothingIsWrittenOverAForm checks that notes which are written while a form is on the screen follow when it has
// ended, whatever its end is, and that the report of a panic follows them.
func TestNothingIsWrittenOverAForm(t *testing.T) {
	var screen bytes.Buffer
	f := NewFrame(Streams{Err: &screen, Env: os.LookupEnv}, "")
	f.GuardCommands()
	for _, end := range []error{nil, form.ErrCanceled, errors.New("the terminal is gone")} {
		f.Form = func(context.Context, *form.Form) error {
			screen.WriteString("form\n")
			f.Note("the service is slow")
			screen.WriteString("end of the form\n")
			return end
		}
		screen.Reset()
		_ = f.Prompt.Fill(t.Context(), &form.Form{})
		f.Note("later")
		if got, want := screen.String(), "form\nend of the form\nnote: the service is slow\nnote: later\n"; got != want {
			t.Errorf("the form ended with %v: got %q, want %q", end, got, want)
		}
	}
	t.Run("panic", func(t *testing.T) {
		f.Form = func(context.Context, *form.Form) error {
			f.Note("the service is slow")
			f.EndForm()
			f.Report(&PanicError{Value: "a bug"}, false)
			return nil
		}
		screen.Reset()
		_ = f.Prompt.Fill(t.Context(), &form.Form{})
		if got, want := screen.String(), "note: the service is slow\nerror: internal error: a bug\n"; !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want it to begin with %q", got, want)
		}
	})
}
