package customers

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"reseller/client/portfolio"
	"reseller/client/safetext"
	"reseller/cmd/cli"
	"reseller/output/textwidth"
)

// A tally counts customers by their outcomes.
type tally map[portfolio.Outcome]int

// changes reports whether any customer changes.
func (t tally) changes() bool {
	return t[portfolio.OutcomeCreate]+t[portfolio.OutcomeUpdate]+t[portfolio.OutcomeDeactivate] > 0
}

func (t tally) String() string {
	create, update, deactivate, unchanged := t[portfolio.OutcomeCreate], t[portfolio.OutcomeUpdate], t[portfolio.OutcomeDeactivate], t[portfolio.OutcomeUnchanged]
	return fmt.Sprintf("%s: %d to create, %d to update, %d to deactivate, %d unchanged",
		cli.Plural(create+update+deactivate+unchanged, "customer", "customers"), create, update, deactivate, unchanged)
}

// signs are the signs before the names of customers.
var signs = map[portfolio.Outcome]byte{
	portfolio.OutcomeCreate: '+', portfolio.OutcomeUpdate: '~', portfolio.OutcomeDeactivate: '-', portfolio.OutcomeUnchanged: '=',
}

// A rendering writes plans for people to read: a line for each customer that changes, and below
// it a line for each change. No line is wider than width columns, except in terminals that are
// narrower than minWidth.
type rendering struct {
	w     *bufio.Writer
	width int
	color bool
	tally tally
}

const (
	minWidth = 60 // the least width of a line
	maxName  = 32 // the greatest width of the name of what changes
)

func newRendering(w io.Writer, width int, color bool) *rendering {
	return &rendering{w: bufio.NewWriterSize(w, 32<<10), width: max(width, minWidth), color: color, tally: tally{}}
}

// end writes the last line, which counts the customers.
func (r *rendering) end() error {
	fmt.Fprintln(r.w, r.tally.String())
	return r.w.Flush()
}

// An entry is a line below a customer: a sign, which is a blank for fields of the account and of
// the notes, the name of what changes, and words about the change.
type entry struct {
	sign     byte
	name     string
	from, to string // of a field, in place of words
	text     string // of what has no values before and after, escaped
	words    string // after the text, in parentheses; escaped
}

// plan writes the plan of a customer. It writes nothing if there is nothing to tell.
func (r *rendering) plan(p *portfolio.Plan) error {
	outcome := p.Outcome()
	r.tally[outcome]++
	if len(p.Changes) == 0 {
		return nil
	}
	r.line(signs[outcome], 0, r.title(p))
	entries := entriesOf(p)
	column := 0
	for i := range entries {
		column = max(column, textwidth.Of(entries[i].name))
	}
	for i := range entries {
		r.entry(&entries[i], column+3)
	}
	_, err := r.w.Write(nil) // returns the error of an earlier write
	return err
}

// title returns the name of a customer, its identifier and the id of its account.
func (r *rendering) title(p *portfolio.Plan) string {
	var ids []string
	if p.Identifier != "" {
		ids = append(ids, textwidth.Truncate(safetext.Escape(p.Identifier), r.width/3))
	}
	if p.Account != 0 {
		ids = append(ids, fmt.Sprintf("account %d", p.Account))
	}
	return r.fit(safetext.Escape(p.Customer), strings.Join(ids, ", "), 2)
}

// fit returns a text with words in parentheses. Of the text, what does not fit into a line
// behind the first columns is cut.
func (r *rendering) fit(text, words string, columns int) string {
	if words != "" {
		words = " (" + words + ")"
	}
	room := r.width - columns
	whole := textwidth.Truncate(text, max(room-textwidth.Of(words), 1)) + words
	return textwidth.Truncate(strings.TrimPrefix(whole, " "), room)
}

// line writes a line that begins with a sign, behind as many blanks as indent says.
func (r *rendering) line(sign byte, indent int, text string) {
	color := map[byte]string{'+': "\x1b[32m", '-': "\x1b[31m", '~': "\x1b[33m"}[sign]
	if !r.color || color == "" {
		fmt.Fprintf(r.w, "%*s%c %s\n", indent, "", sign, text)
		return
	}
	fmt.Fprintf(r.w, "%*s%s%c %s\x1b[0m\n", indent, "", color, sign, text)
}

// entry writes an entry whose values begin at a column behind the indentation.
func (r *rendering) entry(e *entry, column int) {
	name := e.name + strings.Repeat(" ", column-textwidth.Of(e.name))
	room := r.width - 4 - column
	if e.from == "" && e.to == "" {
		r.line(e.sign, 2, name+r.fit(e.text, e.words, 4+column))
		return
	}
	from, to := shown(e.from), shown(e.to)
	if whole := from + " → " + to; textwidth.Of(whole) <= room {
		r.line(e.sign, 2, name+whole)
		return
	}
	from, to = window(from, to, room)
	r.line(e.sign, 2, name+textwidth.Truncate(from, room))
	r.line(e.sign, 2, strings.Repeat(" ", column-2)+"→ "+textwidth.Truncate(to, room))
}

// shown returns the value of a field as people see it.
func shown(value string) string {
	if value == "" {
		return "(empty)"
	}
	return safetext.Escape(value)
}

// window returns two texts without what both begin with, as far as their difference would
// otherwise be cut off with what does not fit into room columns.
func window(a, b string, room int) (restA, restB string) {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	for same > 0 && (same < len(a) && !utf8.RuneStart(a[same]) || same < len(b) && !utf8.RuneStart(b[same])) {
		same--
	}
	if textwidth.Of(a[:same]) <= room*2/3 {
		return a, b
	}
	// The words before the difference stay, to the width of a third of the room.
	start := same
	for start > 0 && textwidth.Of(a[start:same]) < room/3 {
		_, n := utf8.DecodeLastRuneInString(a[:start])
		start -= n
	}
	return "…" + a[start:], "…" + b[start:]
}

// entriesOf returns the entries of a plan. The rows of one keyword are one entry.
func entriesOf(p *portfolio.Plan) []entry {
	var entries []entry
	var before *portfolio.Change
	for i := range p.Changes {
		c := &p.Changes[i]
		if c.Action == portfolio.ActionCreate || c.Action == portfolio.ActionDeactivate && c.Object == portfolio.ObjectAccount && p.Create == nil {
			continue // the sign before the name says it
		}
		e := entryOf(c)
		if c.Object == portfolio.ObjectKeyword && before != nil && before.Object == portfolio.ObjectKeyword && before.Field == c.Field {
			last := &entries[len(entries)-1]
			last.words += ", " + e.words
			if last.sign == '~' {
				last.sign = e.sign
			}
			continue
		}
		entries, before = append(entries, e), c
	}
	return entries
}

func entryOf(c *portfolio.Change) entry {
	e := entry{sign: ' ', name: textwidth.Truncate(safetext.Escape(c.Field), maxName)}
	switch {
	case c.Action == portfolio.ActionKeep:
		e.sign, e.text, e.words = '=', safetext.Escape(c.From), "can't be changed"
		if c.To != "" {
			e.text += ", not " + safetext.Escape(c.To)
		}
	case c.Object == portfolio.ObjectKeyword:
		e.name, e.text = portfolio.ObjectKeyword, safetext.Escape(c.Field)
		switch c.Action {
		case portfolio.ActionAdd:
			e.sign, e.words = '+', safetext.Escape(c.To)
		case portfolio.ActionUpdate:
			e.sign, e.words = '~', safetext.Escape(c.From+" → "+c.To)
		case portfolio.ActionDeactivate:
			e.sign, e.words = '-', c.Action
		case portfolio.ActionReactivate:
			e.sign, e.words = '+', c.Action
		}
	case c.Object == portfolio.ObjectPlan:
		e.sign, e.name, e.text, e.words = '+', portfolio.ObjectPlan, safetext.Escape(c.To), c.Action
	case c.Object == portfolio.ObjectCredentials:
		e.sign, e.name, e.text = '+', portfolio.ObjectCredentials, safetext.Escape(c.To)
	default:
		e.from, e.to = c.From, c.To
	}
	return e
}
