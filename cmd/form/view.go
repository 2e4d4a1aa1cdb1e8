package form

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"reseller/client/safetext"
	"reseller/output/textwidth"
)

const (
	marker     = "> " // in front of the row that has the focus; the others are indented by as much
	minValue   = 24   // columns for a value; with less, it has a line of its own
	maxChoices = 8    // lines of choices
)

// columns returns the width of the names and of the values. Names have width 0 if each
// value is on the line after its name.
func (m *model) columns() (name, value int) {
	for _, field := range m.fields() {
		name = max(name, textwidth.Of(field.Name))
	}
	name += 2
	if value = m.width - len(marker) - name; value < minValue {
		name, value = 0, m.width-2*len(marker)
	}
	return name, max(value-1, 1) // the cursor may be behind the last character
}

func (m *model) resize() {
	_, value := m.columns()
	m.input.SetWidth(value)
}

// View implements tea.Model.
func (m *model) View() tea.View {
	if m.state == stateCanceled {
		return tea.NewView("")
	}
	var lines []string
	first, last := 0, 0 // of the lines of the row that has the focus
	for i, field := range m.fields() {
		at := len(lines)
		lines = append(lines, m.fieldLines(field, i == m.focus && m.state == stateAsking)...)
		if i == m.focus {
			first, last = at, len(lines)
		}
	}
	if m.state == stateDone {
		return tea.NewView(m.title() + strings.Join(lines, "\n") + "\n")
	}
	row := len(m.fields())
	if m.asksForMore() {
		if row == m.focus {
			first, last = len(lines), len(lines)+1
		}
		lines = append(lines, m.action(row, fmt.Sprintf("optional fields (%d)? [y/N]", len(m.form.Optional))))
		row++
	}
	if m.reviews() {
		if row == m.focus {
			first, last = len(lines), len(lines)+1
		}
		lines = append(lines, m.action(row, m.form.Send))
	}
	keys := m.keyLines()
	return tea.NewView(m.title() + strings.Join(window(lines, first, last, m.height-3-len(keys)), "\n") + "\n\n" + strings.Join(keys, "\n"))
}

func (m *model) title() string {
	return bold(textwidth.Truncate(safetext.Escape(m.form.Title), m.width-1)) + "\n"
}

// keyLines returns what the keys do, on one line if the screen is low.
func (m *model) keyLines() []string {
	lines := wrap(m.keys(), max(m.width-1, 1))
	if len(lines) > max(m.height/5, 1) {
		lines = []string{textwidth.Truncate(m.keys(), m.width-1)}
	}
	for i, line := range lines {
		lines[i] = faint(line)
	}
	return lines
}

// keys returns what the keys do.
func (m *model) keys() string {
	enter := "Enter: next"
	if m.focus == m.rows()-1 {
		enter = "Enter: " + m.form.Send
	}
	if len(m.matches) > 1 {
		enter += ", ↓↑ or a part of the name: choose"
	}
	return enter + ", Shift-Tab: back, Ctrl-C: cancel"
}

// action returns the line of a row that is not a field.
func (m *model) action(row int, text string) string {
	text = textwidth.Truncate(text, m.width-len(marker)-1)
	if row == m.focus {
		return marker + bold(text)
	}
	return strings.Repeat(" ", len(marker)) + text
}

// fieldLines returns the lines of a field: its name and value, and for the field that has
// the focus its help, what is wrong with it, and its choices.
func (m *model) fieldLines(field *Field, focused bool) []string {
	nameWidth, valueWidth := m.columns()
	indent := strings.Repeat(" ", len(marker))
	head, under := indent, indent+strings.Repeat(" ", nameWidth)
	if focused {
		head = marker
	}
	name := textwidth.Truncate(field.Name, m.width-len(marker)-1)
	pad := strings.Repeat(" ", max(nameWidth-textwidth.Of(name), 0))
	if focused {
		name = bold(name)
	}
	var lines []string
	values := m.valueLines(field, focused, valueWidth)
	if nameWidth == 0 {
		lines, under = append(lines, head+name), indent+indent
	} else {
		lines = append(lines, head+name+pad+values[0])
		values = values[1:]
	}
	for _, line := range values {
		lines = append(lines, under+line)
	}
	if !focused {
		return lines
	}
	for _, line := range wrap(safetext.Escape(field.Help), valueWidth) {
		lines = append(lines, under+faint(line))
	}
	if m.err != nil {
		for _, line := range wrap(safetext.Escape(m.err.Error()), valueWidth) {
			lines = append(lines, under+bold(line))
		}
	}
	return append(lines, m.choiceLines(under, valueWidth)...)
}

// valueLines returns the lines of a value, of which there is at least one.
func (m *model) valueLines(field *Field, focused bool, width int) []string {
	switch {
	case focused && field.Secret && m.input.Value() != "":
		return []string{faint(fmt.Sprintf("%d characters, hidden", len([]rune(m.input.Value()))))}
	case focused:
		return []string{m.input.View()}
	case field.Value == "":
		return []string{""}
	case field.Secret:
		return []string{"hidden"}
	case field.shown != "":
		return wrap(safetext.Escape(field.shown), width)
	}
	return wrap(safetext.Escape(field.Value), width)
}

// choiceLines returns the choices around the one under the cursor.
func (m *model) choiceLines(under string, width int) []string {
	if field := m.field(); field.loads == loadsNow {
		return []string{under + faint("loading …")}
	}
	var lines []string
	for i, c := range m.matches {
		head, line := "  ", textwidth.Truncate(safetext.Escape(c.Text), width-2)
		if i == m.picked {
			head, line = "→ ", bold(line)
		}
		if i < m.picked+maxChoices && i > m.picked-maxChoices {
			lines = append(lines, under+head+line)
		}
	}
	at := min(m.picked, maxChoices-1)
	shown := window(lines, at, at+1, min(maxChoices, max(m.height-8, 1)))
	if more := len(m.matches) - len(shown); more > 0 {
		shown = append(shown, under+faint(fmt.Sprintf("  … and %d more", more)))
	}
	return shown
}

// window returns at most height lines, among them those from first to last.
func window(lines []string, first, last, height int) []string {
	if height = max(height, 1); len(lines) <= height {
		return lines
	}
	from := max(min(first-(height-(last-first))/2, first, len(lines)-height), 0)
	return lines[from : from+height]
}

// wrap splits a text into lines of at most width columns.
func wrap(text string, width int) []string {
	var lines []string
	for textwidth.Of(text) > width {
		line := textwidth.Prefix(text, width)
		if line == "" {
			break
		}
		if space := strings.LastIndexByte(line, ' '); space > width/2 {
			line = line[:space+1]
		}
		lines, text = append(lines, line), text[len(line):]
	}
	if text == "" && len(lines) > 0 {
		return lines
	}
	return append(lines, text)
}

func bold(text string) string { return "\x1b[1m" + text + "\x1b[m" }

func faint(text string) string { return "\x1b[2m" + text + "\x1b[m" }
