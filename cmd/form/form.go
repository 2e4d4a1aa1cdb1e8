// Package form asks for several values on one screen of a terminal.
package form

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"reseller/client/schema"
)

// ErrCanceled is returned by Run if the user presses Ctrl-C, or Ctrl-D where there is nothing to delete.
var ErrCanceled = errors.New("interrupted")

// A Field is one value that the user gives.
type Field struct {
	Name string
	Help string
	// Value is the text that the form begins with, and then what the user gave. An optional
	// field that the user left empty has the value "".
	Value      string
	Secret     bool // the value is not shown
	Optional   bool // the value may stay empty; a command line leaves it out then
	MayBeEmpty bool // the value may stay empty; a command line gives it all the same
	// Flag and Placeholder are how the command line gives the value: the flag, empty for an
	// argument, and the word that stands for the value in the help.
	Flag, Placeholder string
	// Hidden reports whether the field is left out, because of what the fields before it
	// hold. It may be nil.
	Hidden func() bool
	// Check reports what is wrong with a value that is not empty. It may be nil.
	Check func(value string) error
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

// picks reports whether the user picks the value from a list.
func (field *Field) picks() bool { return field.Choices != nil || field.Words != nil }

// A Choice is one of the values of a field.
type Choice struct {
	Value string
	Text  string // what the user sees and searches

	folded string // Text as it is searched
}

// ChoicesOf returns words as choices.
func ChoicesOf(words []string) []Choice {
	choices := make([]Choice, len(words))
	for i, word := range words {
		choices[i] = Choice{Value: word, Text: cmp.Or(word, "(leave it empty)")}
	}
	return fold(choices)
}

// fold makes choices ready to be searched.
func fold(choices []Choice) []Choice {
	for i := range choices {
		choices[i].folded = schema.FoldText(choices[i].Text)
	}
	return choices
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
	loading, stop := context.WithCancel(ctx)
	defer stop()
	m := newModel(loading, f)
	_, err := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler(), tea.WithFPS(20)).Run()
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

// matching returns the choices that contain text; case and white space do not matter, as
// in schema.FoldText. A choice whose value is text comes first.
func matching(choices []Choice, text string) []Choice {
	folded := schema.FoldText(text)
	if folded == "" {
		return choices
	}
	var found []Choice
	for _, c := range choices {
		switch {
		case c.Value == strings.TrimSpace(text):
			found = slices.Insert(found, 0, c)
		case strings.Contains(c.folded, folded):
			found = append(found, c)
		}
	}
	return found
}
