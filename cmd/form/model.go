package form

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"reseller/client/safetext"
	"reseller/output/textwidth"
)

type state int

const (
	stateAsking state = iota
	stateDone
	stateCanceled
	stateBack
)

// A model is a form on the screen. Its rows are the required fields, the question for
// the optional fields or these fields, and the row that sends. One row has the focus.
type model struct {
	form          *Form
	later         func(work func(context.Context) (then func())) // does work meanwhile, and then calls the function that it returns
	focus         int
	expanded      bool // the optional fields are shown
	input         line
	rest          string // the beginning of a key
	picked        int    // the index of the choice under the cursor, in matches
	matches       []Choice
	err           error // what is wrong with the row that has the focus
	state         state
	width, height int
	row           int // of the cursor, in the lines that were drawn
}

// A row is a field, or something that Enter does.
type row struct {
	field *Field // nil for the question for the optional fields, and for the row that sends
	text  string
}

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

func (m *model) field() *Field { return m.rows()[m.focus].field }

// setFocus moves the focus to a row, and has the choices of its field loaded.
func (m *model) setFocus(row int) {
	m.focus, m.err, m.matches = row, nil, nil
	field, after := m.field(), ""
	if field == nil {
		return
	}
	m.input = line{before: oneLine(field.Value)}
	if field.After != nil {
		after = field.After.Value
	}
	switch {
	case field.Words != nil, field.Listed != nil:
		field.choices = append(ChoicesOf(field.Words), field.Listed...)
		m.showChoices()
	case field.Choices == nil:
	case field.forWhat != nil && *field.forWhat == after:
		m.showChoices()
	default:
		field.isLoading, field.forWhat, field.choices = true, &after, nil
		m.later(func(ctx context.Context) func() {
			choices, err := field.Choices(ctx, after)
			return func() {
				if field.forWhat != &after { // the user has meanwhile changed the field before
					return
				}
				if field.choices, field.isLoading = choices, false; err != nil {
					field.forWhat = nil // it is tried again when the user comes back
				}
				switch {
				case field != m.field():
				case err != nil:
					m.err = fmt.Errorf("%w; type the value", err)
				case m.input.text() == field.Value:
					m.showChoices()
				default: // the user has typed while the choices were loaded
					m.search()
				}
			}
		})
	}
}

// showChoices lists all choices of the field, with the cursor at the one that was picked.
func (m *model) showChoices() {
	field := m.field()
	m.matches = field.choices
	m.picked = max(slices.IndexFunc(field.choices, func(c Choice) bool { return c.Value == field.Value }), 0)
	if len(field.choices) > 0 {
		m.input = line{}
	}
}

// paste inserts a text that was pasted. It drops the line breaks at the end, and escape sequences such as those of colors. Other
// line breaks, and tabs, become a blank. In a secret these are an error, since the user could not see the change.
func (m *model) paste(text string) {
	text = strings.TrimRight(text, "\r\n")
	if m.field().Secret && strings.ContainsFunc(text, safetext.IsControl) {
		m.err = errors.New("the pasted text contains a line break or another control character")
		return
	}
	m.edit(oneLine(regexp.MustCompile("\x1b\\[[0-?]*[ -/]*[@-~]").ReplaceAllString(text, "")))
	if strings.ContainsAny(text, "\r\n") {
		m.err = errors.New("the pasted text had several lines: Enter takes them as this one, Ctrl-U removes it")
	}
}

// send handles the text that the terminal has sent. The beginning of a key waits for its rest.
func (m *model) send(text string) {
	if m.rest == "\x1b" && !strings.HasPrefix(text, "[") {
		m.rest = "" // the key Escape
	}
	m.rest += text
	isKey := regexp.MustCompile(`^(?s:\x1b\[200~.*?\x1b\[201~|\x1b+\[\[?[0-?]*[ -/]*[@-~]|\x1b+O.|\x1b+[^[O\x1b]|[^\x1b])`)
	isBegun := regexp.MustCompile(`^\x1b*(O|\[\[?[0-?]*[ -/]*)?$`)
	for m.state == stateAsking {
		key := isKey.FindString(m.rest)
		if key == "" || key == pasteBegin || !utf8.FullRuneInString(m.rest) {
			if strings.Contains(m.rest, keyCtrlC) { // which must end a form whatever came before it
				m.state = stateCanceled
			}
			if strings.HasPrefix(m.rest, pasteBegin) || isBegun.MatchString(m.rest) || !utf8.FullRuneInString(m.rest) {
				return
			}
			key = m.rest[:1] // of a text that is no key
		}
		m.rest = m.rest[len(key):]
		m.press(strings.Replace(key, "\x1bO", "\x1b[", 1)) // some terminals have two sequences for a key
	}
}

func (m *model) press(key string) {
	field := m.field()
	if key == keyCtrlC || key == keyCtrlD && (field == nil || m.input.text() == "") { // else Ctrl-D deletes
		m.state = stateCanceled
		return
	}
	switch key {
	case keyUp:
		if m.picked > 0 && len(m.matches) > 0 {
			m.picked--
			return
		}
		fallthrough
	case keyBackTab: // whatever the value of this row is
		if m.focus > 0 {
			m.setFocus(m.focus - 1)
		} else if m.form.IsLater {
			m.state = stateBack
		}
		return
	case keyDown:
		if len(m.matches) > 0 {
			m.picked = min(m.picked+1, len(m.matches)-1)
			return
		}
		fallthrough
	case "\t":
		if m.isLast() {
			return
		}
		fallthrough
	case "\r", "\n":
		m.next()
		return
	}
	switch {
	case field != nil && strings.HasPrefix(key, pasteBegin):
		m.paste(key[len(pasteBegin) : len(key)-len(pasteEnd)])
	case field != nil:
		m.edit(key)
	case !m.isLast() && strings.EqualFold(key, "y"):
		m.expanded = true
		m.setFocus(m.focus)
	}
}

// edit changes the text of the field that has the focus, by a key or a text.
func (m *model) edit(key string) {
	before := m.input.text()
	m.input.press(key)
	if m.input.text() == before {
		return
	}
	m.err = nil
	field := m.field()
	if field.Words == nil && field.Listed == nil && field.Choices == nil {
		if field.Value = m.input.text(); field.Lines() != "" && field.Value != oneLine(field.Kept) {
			m.err = fmt.Errorf("the text has %s: Enter puts this one line in its place", field.Lines())
		}
		return
	}
	field.Value, field.shown = "", ""
	m.search()
}

// search lists the choices that contain the text of the input.
func (m *model) search() {
	m.matches, m.picked = matching(m.field().choices, m.input.text()), 0
}

// next moves the focus to the next row if this one has a valid value. From the last row,
// the form is sent: who moved back has passed all rows again, with their checks.
func (m *model) next() {
	if field := m.field(); field != nil {
		if field.isLoading && m.input.text() == "" {
			return
		}
		m.take(field)
		if m.err != nil {
			return
		}
	}
	if !m.isLast() {
		m.setFocus(m.toFill(m.focus + 1))
		return
	}
	if m.form.Check != nil {
		if m.err = m.form.Check(); m.err != nil {
			return
		}
	}
	m.state = stateDone
}

// toFill returns the first row from one on whose value is not known before.
func (m *model) toFill(from int) int {
	rows := m.rows()
	for from < len(rows)-1 && rows[from].field != nil && rows[from].field.Known {
		from++
	}
	return from
}

// take sets the value of a field from the input or the choice under the cursor, and
// checks it.
func (m *model) take(field *Field) {
	typed := m.input.text()
	field.Value, field.shown = strings.TrimSpace(typed), ""
	switch {
	case field.Secret:
		field.Value = typed
	case len(m.matches) > 0:
		if field.Value, field.shown = m.matches[m.picked].Value, m.matches[m.picked].Text; field.Listed != nil {
			field.shown = cmp.Or(field.Value, field.shown)
		}
	case typed == oneLine(field.Kept):
		field.Value = field.Kept
	}
	if m.err = field.check(); m.err != nil && typed != "" && len(field.choices) > 0 && len(m.matches) == 0 {
		m.err = fmt.Errorf("nothing in the list contains %s", safetext.Quote(typed))
	}
}

func (field *Field) check() error {
	switch {
	case field.Words != nil && !slices.Contains(field.Words, field.Value):
		return errors.New("this is not in the list")
	case field.Value == field.Kept && field.Optional:
	case field.Value == "" && (field.MayBeEmpty || field.Optional && field.Kept == ""):
	case field.Value == "":
		return errors.New("this field is required")
	case field.Check != nil:
		return field.Check(field.Value)
	}
	return nil
}

// Keys are the texts that terminals send for them. Some stand for themselves.
const (
	keyCtrlC   = "\x03"
	keyCtrlD   = "\x04"
	keyBackTab = "\x1b[Z"
	keyUp      = "\x1b[A"
	keyDown    = "\x1b[B"
	pasteBegin = "\x1b[200~" // a pasted text, up to pasteEnd, is one key
	pasteEnd   = "\x1b[201~"
)

// A line is a text that the user edits, before and behind the cursor.
type line struct {
	before, behind string
	from           int // the first character that there is room for
}

func (l *line) text() string { return l.before + l.behind }

// move moves the cursor to a place in the text.
func (l *line) move(to int) {
	text := l.text()
	l.before, l.behind = text[:to], text[to:]
}

// press moves the cursor or deletes, as shells do, or else inserts a text.
func (l *line) press(key string) {
	isWord := func(r rune) bool { return !unicode.IsSpace(r) }
	wordBefore := len(strings.TrimRightFunc(strings.TrimRightFunc(l.before, unicode.IsSpace), isWord))
	wordBehind := len(l.text()) - len(strings.TrimLeftFunc(strings.TrimLeftFunc(l.behind, unicode.IsSpace), isWord))
	_, last := utf8.DecodeLastRuneInString(l.before)
	_, first := utf8.DecodeRuneInString(l.behind)
	left := len(l.before) - last
	switch key {
	case "\x1b[D", "\x02": // the left arrow
		l.move(left)
	case "\x1b[C", "\x06": // the right arrow
		l.move(len(l.before) + first)
	case "\x1b[H", "\x1b[1~", "\x1b[7~", "\x01": // Home
		l.move(0)
	case "\x1b[F", "\x1b[4~", "\x1b[8~", "\x05": // End
		l.move(len(l.text()))
	case "\x1bb", "\x1b[1;3D", "\x1b[1;5D": // the left arrow with Alt or Ctrl
		l.move(wordBefore)
	case "\x1bf", "\x1b[1;3C", "\x1b[1;5C":
		l.move(wordBehind)
	case "\x7f", "\b": // Backspace
		l.before = l.before[:left]
	case "\x1b[3~", keyCtrlD:
		l.behind = l.behind[first:]
	case "\x15": // Ctrl-U
		l.before = ""
	case "\x0b": // Ctrl-K
		l.behind = ""
	case "\x17", "\x1b\x7f", "\x1b\b": // Ctrl-W, and Backspace with Alt
		l.before = l.before[:wordBefore]
	default:
		if !strings.HasPrefix(key, "\x1b") {
			l.before += oneLine(key)
		}
	}
}

// view returns as much of the text as width columns have room for, and the column of the cursor, which is one of them or
// behind them. The text moves no more than it must.
func (l *line) view(width int) (shown string, column int) {
	text, at := []rune(l.text()), utf8.RuneCountInString(l.before)
	// firstShown returns the first character that has room together with all those up to end.
	firstShown := func(end int) int {
		return sort.Search(end, func(from int) bool { return textwidth.Of(string(text[from:end])) <= width })
	}
	toShowCursor, toFillWidth := firstShown(min(at+1, len(text))), firstShown(len(text))
	l.from = min(max(l.from, toShowCursor), at, toFillWidth)
	return textwidth.Prefix(string(text[l.from:]), width), textwidth.Of(string(text[l.from:at]))
}

// oneLine returns a text without control characters: line breaks and tabs that follow each
// other become one blank, and others are dropped.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if safetext.IsControl(r) {
			return -1
		}
		return r
	}, regexp.MustCompile("[\r\n\t]+").ReplaceAllString(text, " "))
}
