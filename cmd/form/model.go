package form

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"reseller/client/safetext"
)

type state int

const (
	stateAsking state = iota
	stateDone
	stateCanceled
)

// A model is a form on the screen. Its rows are the required fields, the question for
// the optional fields or these fields, and the row that sends. One row has the focus.
type model struct {
	ctx      context.Context
	form     *Form
	focus    int
	expanded bool // the optional fields are shown
	input    textinput.Model
	picked   int // the index of the choice under the cursor, in matches
	matches  []Choice
	err      error // what is wrong with the row that has the focus
	state    state
	width    int
	height   int
}

// loadedMsg brings the choices of a field.
type loadedMsg struct {
	field   *Field
	forWhat *string
	choices []Choice
	err     error
}

func newModel(ctx context.Context, f *Form) *model {
	m := &model{ctx: ctx, form: f, input: textinput.New(), width: 80, height: 24}
	m.input.Prompt = ""
	m.input.KeyMap.Paste = key.Binding{}  // the terminal pastes; this would run a program that reads the clipboard
	m.input.SetStyles(textinput.Styles{}) // without colors, and with a cursor that does not blink
	m.input.Focus()
	return m
}

// Init implements tea.Model.
func (m *model) Init() tea.Cmd { return m.setFocus(0) }

// A row is a field, or something that Enter does.
type row struct {
	field *Field // nil for the question for the optional fields, and for the row that sends
	text  string
}

// rows returns the rows on the screen.
func (m *model) rows() (rows []row) {
	fields, optional := m.form.Fields, m.form.Optional
	if m.expanded {
		fields, optional = slices.Concat(fields, optional), nil
	}
	for _, field := range fields {
		if field.Hidden == nil || !field.Hidden() {
			rows = append(rows, row{field, field.Name})
		}
	}
	if len(optional) > 0 {
		rows = append(rows, row{nil, fmt.Sprintf("optional fields (%d)? [y/N]", len(optional))})
	}
	if len(fields)+len(optional) > 1 {
		rows = append(rows, row{nil, m.form.Send})
	}
	return rows
}

// isLast reports whether the last row has the focus, behind which there is nothing to fill in.
func (m *model) isLast() bool { return m.focus == len(m.rows())-1 }

// field returns the field that has the focus, nil if another row has it.
func (m *model) field() *Field { return m.rows()[m.focus].field }

// setFocus moves the focus to a row, and has the choices of its field loaded.
func (m *model) setFocus(row int) tea.Cmd {
	m.focus, m.err, m.matches = row, nil, nil
	field := m.field()
	if field == nil {
		return nil
	}
	m.input.EchoMode = textinput.EchoNormal
	if field.Secret {
		m.input.EchoMode = textinput.EchoNone
	}
	m.input.SetValue(field.Value)
	m.input.CursorEnd()
	m.resize()
	after := ""
	if field.After != nil {
		after = field.After.Value
	}
	switch {
	case field.Words != nil:
		field.choices = ChoicesOf(field.Words)
		m.showChoices()
		return nil
	case field.Choices == nil:
		return nil
	case field.forWhat != nil && *field.forWhat == after:
		m.showChoices()
		return nil
	}
	field.isLoading, field.forWhat, field.choices = true, &after, nil
	return func() tea.Msg {
		choices, err := field.Choices(m.ctx, after)
		return loadedMsg{field, &after, fold(choices), err}
	}
}

// showChoices lists all choices of the field, with the cursor at the one that was picked.
func (m *model) showChoices() {
	field := m.field()
	m.matches = field.choices
	m.picked = max(slices.IndexFunc(field.choices, func(c Choice) bool { return c.Value == field.Value }), 0)
	if len(field.choices) > 0 {
		m.input.SetValue("")
	}
}

// Update implements tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.resize()
	case loadedMsg:
		m.setChoices(msg)
	case tea.PasteMsg:
		m.paste(msg.Content)
	case tea.KeyPressMsg:
		return m, m.press(msg)
	}
	return m, nil
}

func (m *model) setChoices(msg loadedMsg) {
	field := msg.field
	if msg.forWhat != field.forWhat { // the user has meanwhile changed the field before
		return
	}
	field.choices, field.isLoading = msg.choices, false
	if msg.err != nil {
		field.forWhat = nil // it is tried again when the user comes back
	}
	switch {
	case field != m.field():
	case msg.err != nil:
		m.err = fmt.Errorf("%w; type the value", msg.err)
	case m.input.Value() == field.Value:
		m.showChoices()
	default: // what was typed while the choices were loaded
		m.search()
	}
}

// paste inserts a text that was pasted. Line breaks at its end are dropped, and others
// become a blank, as tabs do. In a secret they are an error, since the user can't see
// what became of them.
func (m *model) paste(text string) {
	field := m.field()
	if field == nil {
		return
	}
	text = strings.TrimRight(text, "\r\n")
	if field.Secret && strings.ContainsFunc(text, safetext.IsControl) {
		m.err = errors.New("the pasted text contains a line break or another control character")
		return
	}
	m.edit(tea.PasteMsg{Content: oneLine(text)})
}

// oneLine returns a text without control characters: line breaks and tabs that follow each
// other become one blank, and others are dropped.
func oneLine(text string) string {
	last := rune(0)
	return strings.Map(func(r rune) rune {
		isBreak := strings.ContainsRune("\r\n\t", r)
		wasBreak := strings.ContainsRune("\r\n\t", last)
		switch last = r; {
		case isBreak && !wasBreak:
			return ' '
		case safetext.IsControl(r):
			return -1
		}
		return r
	}, text)
}

// press handles a key.
func (m *model) press(msg tea.KeyPressMsg) tea.Cmd {
	field := m.field()
	switch msg.String() {
	case "ctrl+c":
		return m.end(stateCanceled)
	case "ctrl+d": // the end of the input, or deletes the character under the cursor
		if field == nil || m.input.Value() == "" {
			return m.end(stateCanceled)
		}
	case "ctrl+z":
		return tea.Suspend
	case "up":
		if m.picked > 0 && len(m.matches) > 0 {
			m.picked--
			return nil
		}
		fallthrough
	case "shift+tab": // whatever the value of this row is
		if m.focus > 0 {
			return m.setFocus(m.focus - 1)
		}
		return nil
	case "down":
		if len(m.matches) > 0 {
			m.picked = min(m.picked+1, len(m.matches)-1)
			return nil
		}
		fallthrough
	case "tab":
		if m.isLast() {
			return nil
		}
		fallthrough
	case "enter", "ctrl+j":
		return m.next()
	}
	switch {
	case field != nil:
		msg.Text = oneLine(msg.Text)
		m.edit(msg)
	case !m.isLast() && strings.EqualFold(msg.Text, "y"):
		m.expanded = true
		return m.setFocus(m.focus)
	}
	return nil
}

func (m *model) end(state state) tea.Cmd {
	m.state = state
	return tea.Quit
}

// edit changes the text of the field that has the focus.
func (m *model) edit(msg tea.Msg) {
	before := m.input.Value()
	m.input, _ = m.input.Update(msg)
	if m.input.Value() == before {
		return
	}
	m.err = nil
	field := m.field()
	if !field.picks() {
		field.Value = m.input.Value()
		return
	}
	field.Value, field.shown = "", ""
	m.search()
}

// search lists the choices that contain the text of the input.
func (m *model) search() {
	m.matches, m.picked = matching(m.field().choices, m.input.Value()), 0
}

// next moves the focus to the next row if this one has a valid value. From the last row,
// the form is sent: who moved back has passed all rows again, with their checks.
func (m *model) next() tea.Cmd {
	if field := m.field(); field != nil {
		if field.isLoading && m.input.Value() == "" {
			return nil
		}
		if m.take(field); m.err != nil {
			return nil
		}
	}
	if m.isLast() {
		return m.end(stateDone)
	}
	return m.setFocus(m.focus + 1)
}

// take sets the value of a field from the input or the choice under the cursor, and
// checks it.
func (m *model) take(field *Field) {
	typed := m.input.Value()
	field.Value, field.shown = strings.TrimSpace(typed), ""
	switch {
	case field.Secret:
		field.Value = typed
	case len(m.matches) > 0:
		field.Value, field.shown = m.matches[m.picked].Value, m.matches[m.picked].Text
	}
	if m.err = field.check(); m.err != nil && typed != "" && len(field.choices) > 0 {
		m.err = fmt.Errorf("nothing in the list contains %s", safetext.Quote(typed))
	}
}

func (field *Field) check() error {
	switch {
	case field.Words != nil && !slices.Contains(field.Words, field.Value):
		return errors.New("this is not in the list")
	case field.Value == "" && (field.MayBeEmpty || field.Optional):
	case field.Value == "":
		return errors.New("this field is required")
	case field.Check != nil:
		return field.Check(field.Value)
	}
	return nil
}
