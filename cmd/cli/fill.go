package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"reseller/client/trust"
	"reseller/cmd/form"
)

// CanFill reports whether the user can be shown a form.
func (f *Factory) CanFill() bool { return f.Form != nil && !f.Flags.NoInput }

// Fill shows a form, which CanFill must allow. If the user cancels it, the error says how
// to give the values by flags.
func (f *Factory) Fill(ctx context.Context, fm *form.Form) error {
	f.messages.hold()
	defer f.EndForm()
	err := f.Form(ctx, fm)
	if !errors.Is(err, form.ErrCanceled) {
		return err
	}
	canceled := &ExitError{Code: 130, Err: fmt.Errorf("%w; nothing was changed", Interrupted{Signal: os.Interrupt})}
	var flags, some []string // some are those of which one is enough
	isChosen := slices.ContainsFunc(fm.Fields, func(field *form.Field) bool { return field.Optional && field.Value != "" })
	for i, field := range slices.Concat(fm.Fields, fm.Optional) {
		flag := asFlag(field)
		switch {
		case flag == "":
		case field.Value != "" || i < len(fm.Fields) && !field.Optional:
			flags = append(flags, flag)
		case field.Optional && !isChosen:
			some = append(some, field.Flag)
		}
	}
	if len(some) > 0 {
		flags = append(flags, "and at least one of "+strings.Join(some, ", "))
	}
	if len(flags) > 0 {
		canceled.Hint = "to go on without the form, give " + strings.TrimPrefix(strings.Join(flags, " "), "and ")
	}
	return canceled
}

// EndForm writes what was meant for stderr while a form was on the screen. Without a form, it does nothing.
func (f *Factory) EndForm() { f.messages.release() }

// asFlag returns the words of a command line that give the value of a field: the value, or
// what stands for it in the help if there is none yet. No word is a secret.
func asFlag(field *form.Field) string {
	value := field.Placeholder
	if field.Value != "" && !field.Secret {
		value = trust.ShellWord(field.Value)
	}
	return strings.TrimSpace(field.Flag + " " + value)
}
