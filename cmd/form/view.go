package form

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"reseller/client/phrase"
	"reseller/client/safetext"
	"reseller/output/textwidth"
)

const (
	marker     = "> " // in front of the row that has the focus; the others are indented by as much
	minValue   = 32   // columns for a value; with less, it has a line of its own
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

// resize gives the input the width of the values. The value is shown from its begin if it fits.
func (m *model) resize() {
	_, value := m.columns()
	at := m.input.Position()
	for _, width := range []int{0, value} {
		m.input.SetWidth(width)
		m.input.CursorEnd()
	}
	m.input.SetCursor(at)
}

// View implements tea.Model.
func (m *model) View() tea.View {
	if m.state == stateCanceled {
		return tea.NewView("")
	}
	var lines []string
	first, last := 0, 0 // of the lines of the row that has the focus
	add := func(row int, more []string) {
		if row == m.focus {
			first, last = len(lines), len(lines)+len(more)
		}
		lines = append(lines, more...)
	}
	for i, field := range m.fields() {
		add(i, m.fieldLines(field, i == m.focus && m.state == stateAsking))
	}
	if m.state == stateDone {
		return tea.NewView(m.title("") + strings.Join(lines, "\n") + "\n")
	}
	row := len(m.fields())
	if m.asksForMore() {
		add(row, m.actionLines(row, fmt.Sprintf("optional fields (%d)? [y/N]", len(m.form.Optional))))
		row++
	}
	if m.reviews() {
		add(row, m.actionLines(row, m.form.Send))
	}
	keys, place := m.keyLines(), ""
	shown := window(lines, first, last, m.height-3-len(keys))
	if len(shown) < len(lines) && m.rows() > 1 {
		place = fmt.Sprintf(" (%d of %d)", m.focus+1, m.rows())
	}
	return tea.NewView(m.title(place) + strings.Join(shown, "\n") + "\n\n" + strings.Join(keys, "\n"))
}

// title returns the line of the title. place says which row has the focus, if not all of them fit on the screen.
func (m *model) title(place string) string {
	text := safetext.Escape(m.form.Title)
	if text != "" {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	place = textwidth.Truncate(place, m.width-1)
	return bold(textwidth.Truncate(text, m.width-1-len(place))) + faint(place) + "\n"
}

// keyLines returns what the keys do. On a low screen, that is said in fewer words, and only of the first keys.
func (m *model) keyLines() []string {
	hints, limit := m.hints(), max(m.height/5, 1)
	lines := joined(hints, max(m.width-1, 1))
	if len(lines) > limit && m.focus == m.rows()-1 {
		hints[0] = "Enter: go on"
		lines = joined(hints, max(m.width-1, 1))
	}
	lines = lines[:min(len(lines), limit)]
	for i, line := range lines {
		lines[i] = faint(line)
	}
	return lines
}

// joined returns hints on lines of at most width columns, which break between hints if they can.
func joined(hints []string, width int) []string {
	var lines []string
	for _, hint := range hints {
		if last := len(lines) - 1; last >= 0 && textwidth.Of(lines[last]+", "+hint) <= width {
			lines[last] += ", " + hint
		} else {
			lines = append(lines, wrap(hint, width)...)
		}
	}
	return lines
}

// hints returns what each key does.
func (m *model) hints() []string {
	hints := []string{"Enter: next"}
	if m.focus == m.rows()-1 {
		hints[0] = "Enter: " + m.form.Send
	}
	if len(m.matches) > 1 {
		hints = append(hints, "↑↓ or a part of the name: choose")
	}
	if m.focus > 0 {
		hints = append(hints, "Shift-Tab: back")
	}
	return append(hints, "Ctrl-C: cancel")
}

// actionLines returns the lines of a row that is not a field.
func (m *model) actionLines(row int, text string) []string {
	lines := wrap(text, max(m.width-len(marker)-1, 1))
	for i, line := range lines {
		head := strings.Repeat(" ", len(marker))
		if row == m.focus {
			line = bold(line)
			if i == 0 {
				head = marker
			}
		}
		lines[i] = head + line
	}
	return lines
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
		if values[0] == "" {
			values = nil
		}
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
		return []string{faint(phrase.Count(len([]rune(m.input.Value())), "character", "characters") + ", hidden")}
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
	field := m.field()
	switch {
	case field.loads == loadsNow:
		return []string{under + faint("loading …")}
	case len(field.choices) > 0 && len(m.matches) == 0 && m.err == nil:
		return []string{under + faint(textwidth.Truncate("nothing in the list contains this", width))}
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

// wrap splits a text into lines of at most width columns, between words if it can. An empty text has no line.
func wrap(text string, width int) []string {
	var lines []string
	for textwidth.Of(text) > width {
		line := textwidth.Prefix(text, width)
		if line == "" {
			break
		}
		if space := strings.LastIndexByte(text[:len(line)+1], ' '); space > 0 {
			line = text[:space]
		}
		lines, text = append(lines, line), strings.TrimPrefix(text[len(line):], " ")
	}
	if text == "" {
		return lines
	}
	return append(lines, text)
}

func bold(text string) string { return "\x1b[1m" + text + "\x1b[m" }

func faint(text string) string { return "\x1b[2m" + text + "\x1b[m" }
