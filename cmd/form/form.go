// Package form asks for several values on one screen of a terminal.
package form

import (
	"context"
	"errors"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// ErrCanceled is returned by Run if the user presses Ctrl-C.
var ErrCanceled = errors.New("interrupted")

// A Field is one value that the user gives.
type Field struct {
	Name string
	Help string
	// Value is the text that the form begins with, and then what the user gave. An optional
	// field that the user left empty has the value "".
	Value  string
	Secret bool // the value is not shown
	// Flag and Placeholder are how the command line gives the value: the flag, empty for an
	// argument, and the word that stands for the value in the help.
	Flag, Placeholder string
	// Check reports what is wrong with a value. It may be nil.
	Check func(value string) error
	// Choices returns the values from which the user picks one. It is nil if the user types
	// the value. After is the value of the field After, "" without one.
	Choices func(ctx context.Context, after string) ([]Choice, error)
	// After is the field by whose value Choices differ. It may be nil.
	After *Field

	shown   string // the text of the choice that was picked
	choices []Choice
	loaded  bool
	forWhat string // the value of After that choices are for
}

// A Choice is one of the values of a field.
type Choice struct {
	Value string
	Text  string // what the user sees and searches
}

// Fixed returns a function for Field.Choices that returns these words.
func Fixed(words []string) func(context.Context, string) ([]Choice, error) {
	choices := make([]Choice, len(words))
	for i, word := range words {
		choices[i] = Choice{word, word}
	}
	return func(context.Context, string) ([]Choice, error) { return choices, nil }
}

// A Form has fields that need a value, and others that do not. The others are shown if
// the user wants them.
type Form struct {
	Title    string
	Fields   []*Field
	Optional []*Field
	// Send is what happens with the values, such as "create the account". With one field,
	// it happens as soon as the field has a valid value; with several, the user reviews
	// all values first.
	Send string
}

// Run shows the form and returns when all values are valid and the user wants them to be
// sent.
func (f *Form) Run(ctx context.Context, in, out *os.File) error {
	m := newModel(ctx, f)
	_, err := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler()).Run()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return err
	case m.state != stateDone:
		return ErrCanceled
	}
	return nil
}

// matching returns the choices that contain text, in capitals or not. A choice whose
// value is text comes first.
func matching(choices []Choice, text string) []Choice {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" {
		return choices
	}
	var found []Choice
	for _, c := range choices {
		switch {
		case strings.ToLower(c.Value) == text:
			found = append([]Choice{c}, found...)
		case strings.Contains(strings.ToLower(c.Text), text):
			found = append(found, c)
		}
	}
	return found
}
