package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/phrase"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/client/trust"
	"reseller/cmd/form"
	"reseller/config"
	"reseller/output/encode"
)

// maxSecret is the maximum length of a password or token from stdin.
const maxSecret = 64 << 10

type Prompt struct {
	// Last are the values that the last form for a create has filled in, nil if there was none.
	Last  schema.Values
	again bool // a form has filled them in since Again asked
	first bool // the form of Missing was the first of two
	s     *Session
}

func (s *Session) CanFill() bool { return s.Form != nil && !s.Flags.NoInput }

// Fill shows a form, which CanFill must allow. If the user cancels it, or the command sends nothing for a reason without another hint, a
// hint says how to give the values by flags.
func (p *Prompt) Fill(ctx context.Context, fm *form.Form) error {
	p.s.messages.hold()
	defer p.s.EndForm()
	err := p.s.Form(ctx, fm)
	p.s.filled = p.s.inPlaceOf(fm)
	if errors.Is(err, form.ErrCanceled) {
		nothing := "nothing"
		if p.Last != nil {
			nothing += " more"
		}
		return &ExitError{Code: 130, Err: fmt.Errorf("%w; %s was changed", Interrupted{Signal: os.Interrupt}, nothing), Hint: p.s.filled}
	}
	return err
}

// EndForm ends a form, and writes the messages that were held back meanwhile. Without a form, it does nothing.
func (s *Session) EndForm() {
	form.Restore()
	s.messages.release()
}

// inPlaceOf returns the hint which flags and arguments give the values of a form: the values that were typed, or the words that
// stand for them in the help. No word is a secret.
func (s *Session) inPlaceOf(fm *form.Form) string {
	var words, some []string // some are flags of which one is enough
	isChosen := slices.ContainsFunc(fm.Fields, func(field *form.Field) bool { return field.Optional && field.Value != field.Kept })
	enough := slices.Concat(fm.Fields, fm.Later)
	for i, field := range slices.Concat(enough, fm.Optional) {
		value, isGiven := field.Prefix+field.Placeholder, field.IsGiven()
		if isGiven && !field.Secret {
			value = field.Prefix + field.Value
		}
		if isGiven && !field.Secret || field.Prefix != "" {
			value = trust.ShellWord(value)
		}
		switch word := strings.TrimSpace(field.Flag + " " + value); {
		case word == "" || field.Known:
		case isGiven || !field.Optional:
			words = append(words, word)
		case i < len(enough) && !isChosen:
			some = append(some, field.Flag)
		}
	}
	switch {
	case len(words)+len(some) == 0:
		return ""
	case len(some) == 0:
		return "without the form: `" + s.CommandLine(words...) + "`"
	}
	return "without the form: `" + s.CommandLine(words...) + "` with at least one of " + strings.Join(some, ", ")
}

// CommandLine returns the command as the user gave it, with more words, which are those of a shell.
func (s *Session) CommandLine(more ...string) string {
	return strings.Join(slices.Concat([]string{"reseller"}, phrase.Each(s.Typed, trust.ShellWord), more), " ")
}

func (s *Session) CommandLineWith(flag, value string) string {
	var typed []string
	for i, word := range s.Typed {
		if word != flag && !strings.HasPrefix(word, flag+"=") && (i == 0 || s.Typed[i-1] != flag) {
			typed = append(typed, word)
		}
	}
	return (&Session{Typed: typed}).CommandLine(flag, trust.ShellWord(value))
}

// Missing asks in a form for arguments or flags that a command lacks, and returns their values: only those of optional fields
// may be empty. The title of the form names the subject, if there is one. Without a terminal that can show a form, it returns none.
// later are the fields of the form that follows, from which the user may go back: its error is form.ErrBack then.
func (p *Prompt) Missing(c *cobra.Command, subject string, fields []*form.Field, later ...*form.Field) ([]string, error) {
	if !p.s.CanFill() || len(fields) == 0 {
		return nil, nil
	}
	send := strings.ToLower(c.Short[:1]) + c.Short[1:]
	if later != nil {
		send = "next"
	}
	if subject != "" {
		subject = ": " + subject
	}
	fm := &form.Form{Title: c.Short + subject, Send: send, Fields: fields, Later: later, IsLater: p.first}
	p.first = later != nil
	if err := p.Fill(c.Context(), fm); err != nil {
		return nil, err
	}
	return phrase.Each(fields, func(field *form.Field) string { return field.Value }), nil
}

// Arguments declares the arguments that a command needs, in their order. On a terminal, a form asks for those that are
// missing: those without which c.Args reports an error. Without a terminal, it is reported. If c.Args is nil, exactly
// these arguments are needed.
func (p *Prompt) Arguments(c *cobra.Command, fields ...*form.Field) *cobra.Command {
	if c.Args == nil {
		c.Args = Args(len(fields), phrase.Each(fields, func(field *form.Field) string { return field.Name })...)
	}
	check, run := c.Args, c.RunE
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		err := check(c, args)
		if err != nil && len(args) < len(fields) && p.s.CanFill() {
			for i, arg := range args { // by which the choices of the others may differ
				fields[i].Value = arg
			}
			values, failed := p.Missing(c, "", fields[len(args):])
			args, err = slices.Concat(args, values), failed
		}
		if err != nil {
			return err
		}
		return run(c, args)
	}
	return c
}

func IDField(name, help string, list func(context.Context, string) ([]form.Choice, error)) *form.Field {
	field := form.Argument(name, help)
	field.Choices, field.Check = list, func(text string) error {
		_, err := IDs(name, []string{text})
		return err
	}
	return field
}

func (s *Session) CanAsk() bool { return s.InTTY && s.ErrTTY && !s.Flags.NoInput }

var ErrDeclined = errors.New("not confirmed; nothing was sent")

func (s *Session) Confirms() bool { return s.CanAsk() && !s.Flags.Yes && !s.Flags.DryRun }

// SendsUnasked reports whether a load is sent without a question: since --yes says so, or on a terminal since a CI system runs
// the command, or to the mock of this process, which holds nothing of anybody.
func (s *Session) SendsUnasked() bool {
	address, err := s.Address()
	return s.Flags.Yes || s.CanAsk() && (s.Var("CI") != "" || err == nil && address.BuiltInMock)
}

// ConfirmWrite asks whether to make a change on the server of the command, and names the profile of
// the server if there are several. question is without its end.
func (p *Prompt) ConfirmWrite(question string) error {
	address, err := p.s.Address()
	if err != nil {
		return err
	}
	settings, _ := p.s.Settings() // which has the address
	where := cmp.Or(address.Server, address.URL)
	if address.Origin.Kind == config.FromProfile && len(settings.Profiles()) > 1 {
		where += " (profile " + settings.Profile() + ")"
	}
	return p.Confirm(fmt.Sprintf("%s on %s?", question, where))
}

// Confirm asks for confirmation. Without a terminal it fails unless --yes is given.
func (p *Prompt) Confirm(question string) error {
	switch {
	case p.s.Flags.Yes || p.s.Flags.DryRun:
		return nil
	case !p.s.CanAsk():
		return &UsageError{Message: "confirmation required, but there is no terminal: " + question, Hint: "use --yes to confirm"}
	}
	isYes, err := p.askWhether(question)
	if err == nil && !isYes {
		err = ErrDeclined
	}
	return err
}

func (p *Prompt) askWhether(question string) (isYes bool, err error) {
	answer, err := p.Ask(question + " [y/N] ")
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", err
}

func (p *Prompt) Filled(values schema.Values) { p.Last, p.again = maps.Clone(values), true }

// Again runs a create, and once more as long as a form has asked for its values and the user wants another one. Output that no
// person reads at the terminal has one of them.
func (f *Frame) Again(run func() error) error {
	for {
		f.Prompt.again = false
		err := run()
		format, _ := f.Output.Format()
		isRead := f.OutTTY && format == encode.Table && !f.Flags.Raw && !f.ToFile()
		if err != nil || !f.Prompt.again || !isRead || f.Flags.DryRun {
			return err
		}
		if isYes, err := f.Prompt.askWhether("Another one?"); err != nil || !isYes {
			return nil // whatever ends the question, the last one was created
		}
	}
}

// Ask prompts for a line, and reads not a byte beyond it: the rest of stdin belongs to others. End of input is an error,
// not an answer.
func (p *Prompt) Ask(question string) (string, error) {
	fmt.Fprint(p.s.Err, safetext.Escape(question))
	var line []byte
	for b := make([]byte, 1); len(line) < maxSecret && b[0] != '\n'; {
		n, err := p.s.In.Read(b)
		if line = append(line, b[:n]...); err == nil {
			continue
		}
		if len(line) > 0 {
			break
		}
		if err == io.EOF {
			fmt.Fprintln(p.s.Err)
			err = errors.New("the input ended before the question was answered")
		}
		return "", err
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r"), nil
}

// SecretFromStdin reads a password or token from stdin. A trailing newline is dropped.
func (s *Session) SecretFromStdin(flag string) (string, error) {
	text, err := ReadAtMost(s.In, "stdin", maxSecret)
	if err != nil {
		return "", &ExitError{Code: ExitUsage, Err: fmt.Errorf("%s: %w", flag, err)}
	}
	text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
	if len(text) == 0 {
		return "", Usagef("%s: stdin is empty", flag)
	}
	return string(text), nil
}
