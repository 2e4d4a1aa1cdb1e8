package form

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

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
	for _, row := range m.rows() {
		if row.field != nil {
			name = max(name, textwidth.Of(row.text))
		}
	}
	name += 2
	if value = m.width - len(marker) - name; value < minValue {
		name, value = 0, m.width-2*len(marker)
	}
	return name, max(value-1, 1) // the cursor may be behind the last character
}

// view returns the text of the screen, and where the cursor is on it.
func (m *model) view() (text string, row, column int) {
	if m.state == stateCanceled {
		return "", 0, 0
	}
	var lines []string
	first, last := 0, 0 // of the lines of the row that has the focus
	rows := m.rows()
	for i, row := range rows {
		if row.field == nil && m.state == stateDone {
			break
		}
		more := m.rowLines(row, i == m.focus && m.state == stateAsking)
		if i == m.focus {
			first, last = len(lines), len(lines)+len(more)
		}
		lines = append(lines, more...)
	}
	if m.state == stateDone {
		return m.title("") + strings.Join(lines, "\n") + "\n", 1 + len(lines), 0
	}
	keys, place := m.keyLines(), ""
	from, to := window(len(lines), first, last, m.height-3-len(keys))
	if to-from < len(lines) && len(rows) > 1 {
		place = fmt.Sprintf(" (%d of %d)", m.focus+1, len(rows))
	}
	row, column = 1+first-from, len(marker)
	if field := rows[m.focus].field; field != nil {
		name, width := m.columns()
		if column += name; name == 0 {
			row, column = min(row+1, to-from), 2*len(marker)
		}
		if _, at := m.input.view(width); !field.Secret {
			column += at
		}
	}
	return m.title(place) + strings.Join(lines[from:to], "\n") + "\n\n" + strings.Join(keys, "\n"), row, column
}

// title returns the line of the title. place says which row has the focus, if not all of them fit on the screen.
func (m *model) title(place string) string {
	text := safetext.Escape(m.form.Title)
	text = strings.ToUpper(text[:min(1, len(text))]) + text[min(1, len(text)):]
	place = textwidth.Truncate(place, m.width-1)
	return bold(textwidth.Truncate(text, m.width-1-len(place))) + faint(place) + "\n"
}

// keyLines returns the lines that explain the keys. On a low screen, they have fewer words, and only the first keys.
func (m *model) keyLines() []string {
	hints, width, limit := []string{"Enter: next"}, max(m.width-1, 1), max(m.height/5, 1)
	if m.isLast() {
		hints[0] = "Enter: " + m.form.Send
	}
	if len(m.matches) > 1 {
		hints = append(hints, "↑↓ or a part of the name: choose")
	}
	if m.focus > 0 || m.form.IsLater {
		hints = append(hints, "Shift-Tab: back")
	}
	hints = append(hints, "Ctrl-C: cancel")
	lines := joined(hints, ", ", width)
	if len(lines) > limit && m.isLast() {
		hints[0] = "Enter: go on"
		lines = joined(hints, ", ", width)
	}
	return styled(faint, lines[:min(len(lines), limit)])
}

// rowLines returns the lines of a row: the text of an action, or the name and the value of a field. For the field that has
// the focus, its help, what is wrong with it, and its choices follow.
func (m *model) rowLines(row row, focused bool) []string {
	head, weight := "  ", func(text string) string { return text }
	if focused {
		head, weight = marker, bold
	}
	if row.field == nil {
		width := max(m.width-len(marker)-1, 1)
		lines := styled(weight, wrap(row.text, width))
		if focused && m.err != nil {
			lines = append(lines, styled(bold, wrap(safetext.Escape(m.err.Error()), width))...)
		}
		return indent(head, "  ", lines)
	}
	nameWidth, valueWidth := m.columns()
	lines := m.valueLines(row.field, focused, valueWidth)
	if focused {
		lines = append(lines, styled(faint, wrap(safetext.Escape(row.field.Help), valueWidth))...)
		if m.err != nil {
			lines = append(lines, styled(bold, wrap(safetext.Escape(m.err.Error()), valueWidth))...)
		}
		lines = append(lines, m.choiceLines(valueWidth)...)
	}
	name := textwidth.Truncate(row.text, m.width-len(marker)-1)
	head += weight(name)
	if nameWidth == 0 {
		return append([]string{head}, indent("    ", "    ", lines)...)
	}
	if len(lines) == 0 {
		lines = []string{""}
	}
	under := strings.Repeat(" ", len(marker)+nameWidth)
	return indent(head+strings.Repeat(" ", nameWidth-textwidth.Of(name)), under, lines)
}

// valueLines returns the lines of a value, none if it is empty and has not the focus.
func (m *model) valueLines(field *Field, focused bool, width int) []string {
	switch typed := m.input.text(); {
	case focused && field.Secret && typed != "":
		return []string{faint(phrase.Count(utf8.RuneCountInString(typed), "character", "characters") + ", hidden")}
	case focused:
		text, _ := m.input.view(width)
		return []string{text}
	case field.Secret && field.Value != "":
		return []string{"hidden"}
	}
	text := safetext.Escape(oneLine(cmp.Or(field.shown, field.Value)))
	if room := width - textwidth.Of(text) - 2; field.Beside != "" && room > 0 {
		return []string{text + "  " + faint(textwidth.Truncate(safetext.Escape(field.Beside), room))}
	}
	return wrap(text, width)
}

// choiceLines returns the choices around the one under the cursor.
func (m *model) choiceLines(width int) []string {
	field := m.field()
	switch {
	case field.isLoading:
		return []string{faint("loading …")}
	case len(field.choices) > 0 && len(m.matches) == 0 && m.err == nil:
		typed, text := *field, "nothing in the list contains this"
		if typed.Value = strings.TrimSpace(m.input.text()); typed.check() == nil {
			text = "not in the list; Enter takes it as it is"
		}
		return []string{faint(textwidth.Truncate(text, width))}
	}
	var lines []string
	from, to := window(len(m.matches), m.picked, m.picked+1, min(maxChoices, m.height-8))
	for i, c := range m.matches[from:to] {
		line := textwidth.Truncate(safetext.Escape(c.Text), width-2)
		if from+i == m.picked {
			lines = append(lines, "→ "+bold(line))
		} else {
			lines = append(lines, "  "+line)
		}
	}
	if more := len(m.matches) - len(lines); more > 0 {
		lines = append(lines, faint(fmt.Sprintf("  … and %d more", more)))
	}
	return lines
}

// window returns which of n lines are shown, at most height: those from first to last are in their middle, if that is possible.
func window(n, first, last, height int) (from, to int) {
	height = min(max(height, 1), n)
	middle := first - (height-(last-first))/2
	from = max(min(middle, first, n-height), 0)
	return from, from + height
}

// wrap splits a text into lines of at most width columns, between words if it can. An empty text has no line.
func wrap(text string, width int) (lines []string) {
	for text != "" {
		head := cmp.Or(textwidth.Prefix(text, width), text)
		if at := strings.LastIndexByte(text[:min(len(head)+1, len(text))], ' '); at > 0 && head != text {
			head = text[:at]
		}
		lines, text = append(lines, head), strings.TrimPrefix(text[len(head):], " ")
	}
	return lines
}

// joined returns texts with sep between them on lines of at most width columns, which break between the texts if they can.
func joined(texts []string, sep string, width int) (lines []string) {
	for _, text := range texts {
		if last := len(lines) - 1; last >= 0 && textwidth.Of(lines[last]+sep+text) <= width {
			lines[last] += sep + text
		} else {
			lines = append(lines, wrap(text, width)...)
		}
	}
	return lines
}

// indent puts head before the first line, and under before the others.
func indent(head, under string, lines []string) []string {
	for i := range lines {
		lines[i] = head + lines[i]
		head = under
	}
	return lines
}

func styled(style func(string) string, lines []string) []string {
	for i := range lines {
		lines[i] = style(lines[i])
	}
	return lines
}

func bold(text string) string { return "\x1b[1m" + text + "\x1b[m" }

func faint(text string) string { return "\x1b[2m" + text + "\x1b[m" }
