package portfolio

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// A statement is what a row says of its account, by the names of what an update replaces as a whole (see wholeOf).
type statement struct {
	line   int
	values map[string]string
	// differs has the names of values that the service does not hold of the row's customer.
	differs map[string]bool
}

// agree compares what a row says of its account with what the earlier rows of other customers of the account say. It
// returns the names of what an earlier row says, too, so that it is sent once, or the field and the fault of a row that
// contradicts one. Halves of one thing, such as the name and the e-mail of a manager, must be in one row, since each
// update would replace the other half.
func (c *Comparison) agree(says *statement, account int64) (repeated map[string]bool, field, fault string) {
	repeated = map[string]bool{}
	for _, earlier := range c.said[account] {
		for _, name := range slices.Sorted(maps.Keys(says.values)) {
			switch before, ok := earlier.values[name]; {
			case !ok:
			case !isSame(name, before, says.values[name]) && !says.differs[name] && !earlier.differs[name]:
				// The service shows the account differently for each of its campaigns, and the file says so.
			case !isSame(name, before, says.values[name]):
				return nil, name, fmt.Sprintf("%s contradicts %s, which says %s of the same account (%d)",
					safetext.Quote(says.values[name]), c.o.place(earlier.line), safetext.Quote(before), account)
			default:
				repeated[name] = true
			}
		}
	}
	return repeated, "", ""
}

// statement returns what a row says of its account. differing are the values that the service does not hold.
func (w *Wanted) statement(differing []difference) statement {
	says := statement{w.Line, map[string]string{}, map[string]bool{}}
	for _, d := range differing {
		says.differs[wholeOf(d.name)] = true
	}
	for _, name := range slices.Sorted(maps.Keys(w.Fields)) {
		v, whole := w.Fields[name], wholeOf(name)
		text := string(plainText(v))
		if v.Kind() == record.String {
			text = schema.TrimSpace(text)
		}
		if whole != name {
			text = strings.TrimPrefix(name, whole+".") + "=" + text
			if before := says.values[whole]; before != "" {
				text = before + ", " + text
			}
		}
		says.values[whole] = text
	}
	if w.Status != "" {
		says.values[fieldStatus] = w.Status
	}
	return says
}

// Comparable returns the text of a field in the form in which two of them are compared. White space around a text does not
// count, nor does case in e-mail addresses and identifiers.
func Comparable(f *schema.Field, text string) string {
	if f.Type == schema.Email || f.Name == fieldIdentifier {
		return schema.FoldText(text)
	}
	return schema.TrimSpace(text)
}

// isSame reports whether two rows say the same of an account by these texts.
func isSame(name, a, b string) bool {
	f := schema.AccountsV2.Field(name)
	switch {
	case f == nil:
		return schema.FoldText(a) == schema.FoldText(b) // the name and the e-mail address of a manager
	case f.Type != schema.Attributes:
		return Comparable(f, a) == Comparable(f, b)
	}
	first, _ := record.ParseValue([]byte(a))
	second, _ := record.ParseValue([]byte(b))
	return a == b || first.Kind() == record.Array && Agrees(f, first, second)
}

// comparableIdentifier is Comparable for an external_account_identifier.
func comparableIdentifier(text string) string {
	return Comparable(&schema.Field{Name: fieldIdentifier}, text)
}

// wholeOf returns the name of what an update replaces as a whole if it sends a field: the field, or the object or the
// list that it is a part of.
func wholeOf(name string) string {
	whole, _, _ := strings.Cut(name, ".")
	return whole
}
