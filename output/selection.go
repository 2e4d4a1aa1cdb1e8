package output

import (
	"errors"
	"iter"
	"strings"

	"reseller/client/record"
	"reseller/output/encode"
)

// A selection says which records of a list are printed: those that meet all conditions and
// contain the text that the user searches for.
type selection struct {
	conditions []condition
	search     string // in lower case; empty if there is none
	searched   []encode.Column
	rest       encode.Fields // further fields that are searched; may be nil
}

// A condition compares the values of a column with a value that the user gave.
type condition struct {
	column   encode.Column
	operator byte    // one of operators
	value    string  // as plainDate writes it if it is compared with dates
	key      sortKey // of value
}

// operators are the characters that separate the column and the value of a condition. An
// exclamation mark stands for !=.
const operators = "=!<>~"

// newSelection returns the selection of the options, nil if they select every record. l is the
// layout of the records.
func newSelection(o Options, s Shape, l *layout) (*selection, error) {
	if len(o.Where) == 0 && o.Search == "" {
		return nil, nil
	}
	sel := &selection{search: strings.ToLower(o.Search), searched: l.Columns}
	for _, text := range o.Where {
		c, err := newCondition(s, text)
		if err != nil {
			return nil, err
		}
		sel.conditions = append(sel.conditions, c)
	}
	if l.all || !l.Picked && o.Format.WholeRecords() { // every field is shown
		sel.searched, sel.rest = nil, s.undocumented
		for _, c := range s.documented() {
			sel.searched = append(sel.searched, c.column())
		}
	}
	return sel, nil
}

func newCondition(s Shape, text string) (condition, error) {
	at := strings.IndexAny(text, operators)
	if at < 0 || text[at] == '!' && !strings.HasPrefix(text[at:], "!=") {
		return condition{}, &UsageError{
			Message: "--where: " + quote(text) + " is not a column, an operator and a value",
			Hint:    "the operators are =, !=, <, > and ~ (contains), as in 'city=Portland'",
		}
	}
	operator, value := text[at], text[at+1:]
	if operator == '!' {
		value = value[1:]
	}
	if strings.HasPrefix(value, "=") {
		return condition{}, &UsageError{
			Message: "--where: " + quote(text) + ": " + quote(strings.TrimSuffix(text[at:], value[1:])) + " is not an operator",
			Hint:    "the operators are =, !=, <, > and ~ (contains)",
		}
	}
	column, err := s.find(strings.TrimSpace(text[:at]), "column")
	if err != nil {
		if usage := (*UsageError)(nil); errors.As(err, &usage) {
			usage.Message = "--where: " + usage.Message
		}
		return condition{}, err
	}
	value = strings.TrimSpace(value)
	if column.Date && operator != '~' {
		value = plainDate(value)
	}
	return condition{column, operator, value, newSortKey(record.Quote(value))}, nil
}

// of returns the records of seq that are selected.
func (sel *selection) of(seq iter.Seq2[record.Record, error]) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		for rec, err := range seq {
			if (err != nil || sel.has(&rec)) && !yield(rec, err) {
				return
			}
		}
	}
}

// has reports whether rec is selected.
func (sel *selection) has(rec *record.Record) bool {
	for i := range sel.conditions {
		if !sel.conditions[i].holds(rec) {
			return false
		}
	}
	if sel.search == "" {
		return true
	}
	for i := range sel.searched {
		if v, _ := sel.searched[i].Cell(rec); containsFold(v, sel.search) {
			return true
		}
	}
	if sel.rest != nil {
		for _, v := range sel.rest(*rec) {
			if containsFold(v, sel.search) {
				return true
			}
		}
	}
	return false
}

func containsFold(v record.Value, lower string) bool {
	return strings.Contains(strings.ToLower(v.Text()), lower)
}

// plainDate returns the one spelling of a date that is compared: with a space where there may be a T, without a Z, and
// without a time at midnight.
func plainDate(text string) string {
	text = strings.Replace(strings.TrimSuffix(text, "Z"), "T", " ", 1)
	return strings.TrimSuffix(strings.TrimSuffix(text, " 00:00:00"), " 00:00")
}

// holds reports whether the value of rec meets the condition: the value as the service sent it,
// or what cells show for it. A date is compared as cells show it, and to the second if the condition has seconds.
func (c *condition) holds(rec *record.Record) bool {
	sent, _ := c.column.Get(rec)
	shown, _ := c.column.Cell(rec)
	if c.column.Date && sent.Kind() == record.String {
		shown = record.Quote(encode.FormatDate(sent.Text()))
		if c.operator != '~' {
			if len(c.value) <= len("2006-01-02 15:04") {
				sent = shown
			}
			sent = record.Quote(plainDate(sent.Text()))
			shown = sent
		}
	}
	if c.operator == '!' {
		return !c.equals(sent) && !c.equals(shown)
	}
	return c.compares(shown) || c.compares(sent)
}

func (c *condition) compares(v record.Value) bool {
	switch c.operator {
	case '=':
		return c.equals(v)
	case '~':
		return containsFold(v, strings.ToLower(c.value))
	}
	key := newSortKey(v)
	if key.class != c.key.class {
		return false // a number is neither less nor greater than a text
	}
	order := key.compareInClass(c.key)
	return c.operator == '<' && order < 0 || c.operator == '>' && order > 0
}

func (c *condition) equals(v record.Value) bool {
	key := newSortKey(v)
	if key.class == classNumber && c.key.class == classNumber {
		return key.compareInClass(c.key) == 0
	}
	return v.Text() == c.value
}

// limited ends seq after n records, without reading another one.
func limited(seq iter.Seq2[record.Record, error], n int) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		left := n
		for rec, err := range seq {
			if !yield(rec, err) {
				return
			}
			if left--; left == 0 {
				return
			}
		}
	}
}

// isSelecting reports whether the options leave out records of a list.
func (o *Options) isSelecting() bool { return len(o.Where) > 0 || o.Search != "" || o.Limit > 0 }

// arranged returns the records of seq that are printed, in their order.
func (l *layout) arranged(seq iter.Seq2[record.Record, error]) iter.Seq2[record.Record, error] {
	if l.Single {
		return first(seq)
	}
	if l.selection != nil {
		seq = l.selection.of(seq)
	}
	if l.arrange != nil {
		seq = l.arrange(seq)
	}
	if len(l.sort) > 0 {
		seq = sorted(seq, l.sort, sortMemory, l.limit)
	} else if l.limit > 0 {
		seq = limited(seq, l.limit)
	}
	return seq
}

// newSortColumns returns the columns that the user sorts by.
func newSortColumns(s Shape, names []string) ([]sortColumn, error) {
	var columns []sortColumn
	for _, name := range names {
		name, descending := strings.CutPrefix(strings.TrimSpace(name), "-")
		c, err := s.find(name, "sort column")
		if err != nil {
			return nil, err
		}
		columns = append(columns, sortColumn{c, descending})
	}
	return columns, nil
}
