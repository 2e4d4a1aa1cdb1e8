// Package form asks for several values on one screen of a terminal.
package form

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/term"

	"reseller/client/crash"
	"reseller/client/phrase"
	"reseller/client/schema"
)

// ErrCanceled is returned by Run if the user presses Ctrl-C, or Ctrl-D where there is nothing to delete.
var ErrCanceled = errors.New("interrupted")

// ErrBack is returned by Run if the user goes back from the first row of a form with a form before it.
var ErrBack = errors.New("went back to the form before")

// A Field is one value that the user gives.
type Field struct {
	Name string
	Help string
	// Value is the text that the form begins with, and then the value that the user gave. An optional
	// field that the user left empty has the value "".
	Value string
	// Kept is the value that the record has, with which an optional field begins: a command line leaves it out.
	Kept       string
	Secret     bool // the value is not shown
	Optional   bool // the value may stay empty; a command line leaves it out then
	MayBeEmpty bool // the value may stay empty; a command line gives it all the same
	// Flag and Placeholder are how the command line gives the value: the flag, empty for an
	// argument, and the word that stands for the value in the help.
	Flag, Placeholder string
	// Hidden reports whether the field is left out, because of the values of the fields before
	// it. It may be nil.
	Hidden func() bool
	// Check reports what is wrong with a value that is not empty. It may be nil.
	Check func(value string) error
	// Known says that the value is a good one: Enter passes the field over, and only keys that go back reach it.
	Known bool
	// Beside is shown behind the value while another field has the focus.
	Beside string
	// Prefix is what a command line has in front of the value, in one word with it.
	Prefix string
	// Listed are values from which the user picks one, or types another one.
	Listed []Choice
	// Words are the values from which the user picks one, if they are known beforehand. One of
	// them may be the empty text.
	Words []string
	// Choices returns the values from which the user picks one. It is nil if there are Words, or
	// if the user types the value. After is the value of the field After, "" without one.
	Choices func(ctx context.Context, after string) ([]Choice, error)
	// After is the field by whose value Choices differ. It may be nil.
	After *Field

	shown     string // the text of the choice that was picked
	choices   []Choice
	isLoading bool
	forWhat   *string // the value of After that choices are, or will be, for; nil before they are loaded
}

// Argument returns the field of an argument. name is its word in the usage line.
func Argument(name, help string) *Field { return &Field{Name: name, Placeholder: name, Help: help} }

// IsGiven reports whether the user has given a value, which may be none.
func (field *Field) IsGiven() bool {
	return field.Value != field.Kept || field.MayBeEmpty && !field.Optional && field.shown != ""
}

// Lines says how many lines the text has that the record has, empty if the form shows all that it is.
func (field *Field) Lines() string {
	if field.Kept == oneLine(field.Kept) {
		return ""
	}
	return phrase.Count(strings.Count(field.Kept, "\n")+1, "line", "lines")
}

// A Choice is one of the values of a field.
type Choice struct {
	Value string
	Text  string // what the user sees and searches
}

// ChoicesOf returns words as choices.
func ChoicesOf(words []string) []Choice {
	choices := make([]Choice, len(words))
	for i, word := range words {
		choices[i] = Choice{word, cmp.Or(word, "(leave it empty)")}
	}
	return choices
}

// A Form has fields that need a value, and others that do not. The others are shown if
// the user wants them.
type Form struct {
	Title    string
	Fields   []*Field
	Optional []*Field
	Later    []*Field // those of the next form, which are asked for after this one
	IsLater  bool     // there was a form before this one, to which the user may go back
	// Send names the action that the form is for, such as "create the account". With one field,
	// it happens as soon as the field has a valid value; with several, the user reviews
	// all values first.
	Send string
	// Check reports why the form can't be sent, although all its fields have valid values. It may be nil.
	Check func() error
}

// Run shows the form and returns when all values are valid and the user wants them to be
// sent.
func (f *Form) Run(ctx context.Context, in, out *os.File) error {
	before, err := term.MakeRaw(int(in.Fd())) // each key comes at once
	if err != nil {
		return err
	}
	resized := make(chan os.Signal, 1)
	undo := prepare(out, resized)
	back := func() {
		_, _ = out.WriteString("\r\x1b[J\x1b[?2004l")
		undo()
		_ = term.Restore(int(in.Fd()), before)
	}
	restore.Store(&back)
	defer Restore()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	events := make(chan func())
	m := &model{form: f, later: func(work func(context.Context) (then func())) {
		go func() {
			defer crash.Recover()
			then := work(ctx)
			select {
			case events <- then:
			case <-ctx.Done():
			}
		}()
	}}
	var read func(context.Context) func()
	read = func(context.Context) func() { // once: the input behind the form belongs to others
		sent := make([]byte, 4096)
		n, err := in.Read(sent)
		return func() {
			m.send(string(sent[:n]))
			if err != nil {
				m.state = stateCanceled
			} else if m.state == stateAsking {
				m.later(read)
			}
		}
	}
	m.later(read)
	m.setFocus(m.toFill(0))
	for m.draw(out, "\x1b[?2004h"); m.state == stateAsking; m.draw(out, "") {
		select {
		case <-ctx.Done():
			m.state = stateCanceled
		case event := <-events:
			event()
		case <-resized:
		}
	}
	switch m.state {
	case stateCanceled:
		return cmp.Or(context.Cause(ctx), ErrCanceled)
	case stateBack:
		return ErrBack
	}
	return nil
}

var restore atomic.Pointer[func()] // nil without a form

// Restore gives the terminal back as it was before a form. Without a form, it does nothing.
func Restore() {
	if back := restore.Swap(nil); back != nil {
		(*back)()
	}
}

// draw shows the form in place of the last drawing, below the text that was written before the form.
func (m *model) draw(out *os.File, begin string) {
	m.width, m.height = 80, 24
	if width, height, err := term.GetSize(int(out.Fd())); err == nil && width > 0 && height > 0 {
		m.width, m.height = width, height
	}
	begin += "\r" + strings.Repeat("\x1b[A", m.row) + "\x1b[K"
	text, row, column := m.view()
	m.row = row
	end := fmt.Sprintf("\x1b[J%s\x1b[%dG", strings.Repeat("\x1b[A", strings.Count(text, "\n")-row), column+1)
	_, _ = out.WriteString(begin + strings.ReplaceAll(text, "\n", "\r\n\x1b[K") + end)
}

// matching returns the choices that contain text; case and white space do not matter, as
// in schema.FoldText, and a blank is an underscore. A choice whose value is text comes first.
func matching(choices []Choice, text string) (found []Choice) {
	fold := func(text string) string { return schema.FoldText(strings.ReplaceAll(text, "_", " ")) }
	folded, id := fold(text), strings.TrimSpace(text)
	for _, c := range choices {
		switch {
		case c.Value == id && id != "":
			found = slices.Insert(found, 0, c)
		case strings.Contains(fold(c.Text), folded):
			found = append(found, c)
		}
	}
	return found
}
