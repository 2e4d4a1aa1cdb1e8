package form

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"reseller/client/safetext"
	"reseller/client/schema"
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
	forWhat string
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

// fields returns the fields on the screen.
func (m *model) fields() []*Field {
	fields := slices.Clone(m.form.Fields)
	if m.expanded {
		fields = append(fields, m.form.Optional...)
	}
	return slices.DeleteFunc(fields, func(field *Field) bool { return field.Hidden != nil && field.Hidden() })
}

// rows returns the number of rows.
func (m *model) rows() int {
	n := len(m.fields())
	if m.asksForMore() {
		n++
	}
	if m.reviews() {
		n++
	}
	return n
}

// asksForMore reports whether there is a row with the question for the optional fields.
func (m *model) asksForMore() bool { return !m.expanded && len(m.form.Optional) > 0 }

// reviews reports whether there is a row that sends.
func (m *model) reviews() bool { return len(m.form.Fields)+len(m.form.Optional) > 1 }

// field returns the field that has the focus, nil if another row has it.
func (m *model) field() *Field {
	if fields := m.fields(); m.focus < len(fields) {
		return fields[m.focus]
	}
	return nil
}

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
	if !field.picks() {
		return nil
	}
	if field.Words != nil && field.loads == loadsNothing {
		field.loads = loadsDone
		for _, word := range field.Words {
			text := cmp.Or(word, "(leave it empty)")
			field.choices = append(field.choices, Choice{word, text, schema.FoldText(text)})
		}
	}
	after := ""
	if field.After != nil {
		after = field.After.Value
	}
	if field.loads != loadsNothing && field.forWhat == after {
		m.showChoices()
		return nil
	}
	field.loads, field.forWhat, field.choices = loadsNow, after, nil
	return func() tea.Msg {
		choices, err := field.Choices(m.ctx, after)
		return loadedMsg{field, after, choices, err}
	}
}

// showChoices lists all choices of the field, with the cursor at the one that was picked.
func (m *model) showChoices() {
	field := m.field()
	m.matches, m.picked = field.choices, 0
	for i, c := range field.choices {
		if c.Value == field.Value {
			m.picked = i
		}
	}
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
	if msg.forWhat != msg.field.forWhat { // the user has meanwhile changed the field before
		return
	}
	msg.field.choices, msg.field.loads = msg.choices, loadsDone
	for i := range msg.choices {
		msg.choices[i].folded = schema.FoldText(msg.choices[i].Text)
	}
	if msg.err != nil {
		msg.field.loads = loadsNothing // it is tried again when the user comes back
	}
	if msg.field != m.field() {
		return
	}
	typed := m.input.Value()
	if msg.err != nil {
		m.err = fmt.Errorf("%w; type the value", msg.err)
		return
	}
	m.showChoices()
	if typed != msg.field.Value { // while the choices were loaded
		m.input.SetValue(typed)
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
	switch msg.String() {
	case "ctrl+c":
		return m.cancel()
	case "ctrl+d": // the end of the input, or deletes the character under the cursor
		if m.field() == nil || m.input.Value() == "" {
			return m.cancel()
		}
	case "ctrl+z":
		return tea.Suspend
	case "shift+tab":
		return m.back()
	case "up":
		if m.picked > 0 && len(m.matches) > 0 {
			m.picked--
			return nil
		}
		return m.back()
	case "down":
		if len(m.matches) > 0 {
			m.picked = min(m.picked+1, len(m.matches)-1)
			return nil
		}
		if m.focus == m.rows()-1 {
			return nil
		}
		return m.next()
	case "tab":
		if m.focus == m.rows()-1 {
			return nil
		}
		return m.next()
	case "enter", "ctrl+j":
		return m.next()
	}
	if m.field() != nil {
		msg.Text = oneLine(msg.Text)
		m.edit(msg)
		return nil
	}
	if m.asksForMore() && m.focus == len(m.fields()) && (msg.Text == "y" || msg.Text == "Y") {
		m.expanded = true
		return m.setFocus(m.focus)
	}
	return nil
}

func (m *model) cancel() tea.Cmd {
	m.state = stateCanceled
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

// back moves the focus to the row before, whatever the value of this one is.
func (m *model) back() tea.Cmd {
	if m.focus == 0 {
		return nil
	}
	return m.setFocus(m.focus - 1)
}

// next moves the focus to the next row if this one has a valid value. From the last row,
// the form is sent: who moved back has passed all rows again, with their checks.
func (m *model) next() tea.Cmd {
	if field := m.field(); field != nil {
		if field.loads == loadsNow && m.input.Value() == "" {
			return nil
		}
		if m.take(field); m.err != nil {
			return nil
		}
	}
	if m.focus < m.rows()-1 {
		return m.setFocus(m.focus + 1)
	}
	m.state = stateDone
	return tea.Quit
}

// take sets the value of a field from the input or the choice under the cursor, and
// checks it.
func (m *model) take(field *Field) {
	typed := m.input.Value()
	switch {
	case !field.picks() && field.Secret:
		field.Value = typed
	case !field.picks():
		field.Value = strings.TrimSpace(typed)
	case len(m.matches) > 0:
		field.Value, field.shown = m.matches[m.picked].Value, m.matches[m.picked].Text
	default:
		field.Value, field.shown = strings.TrimSpace(typed), ""
	}
	if m.err = field.check(); m.err != nil && field.picks() && typed != "" && len(field.choices) > 0 {
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
