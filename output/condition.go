package output

import (
	"encoding/csv"
	"errors"
	"slices"
	"strings"
	"time"

	"reseller/client/record"
	"reseller/output/encode"
)

type condition struct {
	wantedColumn
	text     string    // as the user wrote it
	operator string    // one of operators
	operands []operand // one, or several of operatorIn

	met        bool // a record has a value that can be compared with an operand
	mismatched bool // a record has a number, and an operand is none
}

type operand struct {
	text     string // as plainDate writes it if it is compared with dates
	lower    string // text in lower case
	number   sortKey
	isNumber bool // text is a number
}

const (
	operatorIn       = "in"
	operatorContains = "~"
)

// operators stand between the column and the value of a condition. An operator comes before those with which it begins.
var operators = []string{"!=", "<=", ">=", "=", "<", ">", operatorContains}

const operatorsHint = "the operators are =, !=, <, <=, >, >=, ~ (contains) and in, as in 'city=Portland' and 'type in target,interest'"

const fieldsHint = "-o json shows the fields of the records"

func newCondition(s Shape, text string) (*condition, error) {
	name, operator, value := splitCondition(text)
	if operator == "" {
		return nil, &UsageError{Message: "--where: " + quote(text) + " is not a column, an operator and a value", Hint: operatorsHint}
	}
	if operator != operatorIn && strings.HasPrefix(value, "=") {
		return nil, &UsageError{Message: "--where: " + quote(text) + ": " + quote(operator+"=") + " is not an operator", Hint: operatorsHint}
	}
	column, err := s.find(name, "column")
	if err != nil {
		if usage := (*UsageError)(nil); errors.As(err, &usage) {
			usage.Message = "--where: " + usage.Message
		}
		return nil, err
	}
	values := []string{value}
	if operator == operatorIn {
		list := csv.NewReader(strings.NewReader(value)) // a value with a comma is in quotes
		list.TrimLeadingSpace, list.LazyQuotes = true, true
		if values, err = list.Read(); err != nil {
			return nil, &UsageError{Message: "--where: " + quote(text) + " has no values", Hint: operatorsHint}
		}
	}
	at := slices.IndexFunc(s.Columns, func(documented Column) bool { return documented.Name == column.Name })
	c := &condition{wantedColumn: wantedColumn{Column: column, mayLack: at >= 0 && value == ""}, text: text, operator: operator}
	for _, value := range values {
		o := operand{text: strings.TrimSpace(value)}
		if at >= 0 && operator != operatorContains {
			if o.text, err = operandText(&s.Columns[at], o.text, operator); err != nil {
				return nil, Usagef("--where: %q: %v", text, err).
					Hinted("to compare what the service sends, whatever it is, put a dot before the column: ." + text)
			}
		}
		o.lower = strings.ToLower(o.text)
		o.number, o.isNumber = parseNumber(o.text)
		c.operands = append(c.operands, o)
	}
	return c, nil
}

// splitCondition splits a condition at its first operator: a value may contain others. Without one, operator is empty.
func splitCondition(text string) (name, operator, value string) {
	at := strings.IndexAny(text, "=!<>~")
	if before, after, ok := strings.Cut(text, " "+operatorIn+" "); ok && (at < 0 || len(before) < at) {
		return strings.TrimSpace(before), operatorIn, after
	}
	for _, operator := range operators {
		if at >= 0 && strings.HasPrefix(text[at:], operator) {
			return strings.TrimSpace(text[:at]), operator, strings.TrimSpace(text[at+len(operator):])
		}
	}
	return "", "", ""
}

// operandText returns a value that a column is compared with in the form in which it is compared, or an error if
// the column can't have such a value. An empty text stands for a missing value.
func operandText(c *Column, text, operator string) (string, error) {
	isEquality := operator == "=" || operator == "!=" || operator == operatorIn
	switch {
	case text == "" && isEquality:
	case c.Enum != nil && isEquality:
		if text = declaredWord(c, text); !slices.Contains(c.Enum, text) {
			return "", errors.New(c.Name + " is " + strings.Join(c.Enum, " or ") + ", not " + quote(text))
		}
	case c.Type == encode.TypeNumber:
		for _, shown := range c.Shown { // tables show a text in place of a number
			if strings.EqualFold(text, shown[1]) && shown[0] != "null" {
				text = shown[0]
			}
		}
		if _, ok := parseNumber(text); !ok {
			return "", errors.New(c.Name + " is a number, and " + quote(text) + " is none")
		}
	case c.Date:
		plain := plainDate(text)
		if _, err := time.Parse(time.DateTime[:min(len(plain), len(time.DateTime))], plain); err != nil || !hasYear(plain) {
			return "", errors.New(c.Name + " is a date, and " + quote(text) + " is none: use YYYY-MM-DD")
		}
		text = plain
	}
	return text, nil
}

// hasYear reports whether a text begins with a year, as all dates do.
func hasYear(text string) bool {
	return len(text) >= len("2006") && digits(text[:len("2006")]) == text[:len("2006")]
}

// plainDate returns the one spelling of a date that is compared: with a space where there may be a T, and without a Z.
func plainDate(text string) string {
	return strings.Replace(strings.TrimSuffix(text, "Z"), "T", " ", 1)
}

// holds reports whether the value of rec meets the condition: a number as a number, anything else as a text. A date is
// compared as cells show it, in as many of its parts as the condition has: all times of a day equal that day. An empty text is neither
// less nor greater, and neither is a text in place of a date.
func (c *condition) holds(rec *record.Record) bool {
	v := c.of(rec)
	text, number, isNumber := v.Text(), sortKey{}, false
	isNumeric := c.Type == encode.TypeNumber || c.Type == encode.TypeOfValue && v.Kind() == record.Number
	if isNumeric {
		number, isNumber = parseNumber(strings.TrimSpace(text))
	}
	for i := range c.operands {
		o := &c.operands[i]
		isMismatched := isNumber && !o.isNumber && o.text != "" && c.operator != operatorContains
		c.mismatched, c.met = c.mismatched || isMismatched, c.met || !isMismatched && !encode.IsNull(v)
		if c.Date && v.Kind() == record.String {
			text = c.dateText(v.Text(), o)
		}
		order, isOrdered := strings.Compare(text, o.text), text != "" && !encode.IsNull(v) && (!c.Date || hasYear(text))
		if isNumeric {
			if isOrdered = isNumber && o.isNumber; isOrdered { // a number is neither less nor greater than a text
				order = number.compareInClass(o.number)
			}
		}
		if c.accepts(text, o, order, isOrdered) {
			return true
		}
	}
	return false
}

func (c *condition) accepts(text string, o *operand, order int, isOrdered bool) bool {
	switch c.operator {
	case operatorContains:
		return strings.Contains(strings.ToLower(text), o.lower)
	case "!=":
		return order != 0
	case "<":
		return isOrdered && order < 0
	case "<=":
		return isOrdered && order <= 0
	case ">":
		return isOrdered && order > 0
	case ">=":
		return isOrdered && order >= 0
	}
	return order == 0
}

func (c *condition) dateText(text string, o *operand) string {
	switch {
	case c.operator == operatorContains:
		return text + "\n" + encode.FormatDate(text)
	case o.text == "":
		return text
	}
	if text = plainDate(text); len(text) == len("2006-01-02") {
		text += " 00:00:00"
	}
	return text[:min(len(text), len(o.text))]
}

// unmet returns the error of a condition that no record of a list could meet, nil if one could.
func (c *condition) unmet() error {
	what := c.missing()
	switch {
	case what != "":
	case c.mismatched && !c.met:
		what = c.Name + " is a number in all records"
	default:
		return nil
	}
	return &UsageError{Message: "--where: " + quote(c.text) + " can't be met: " + what, Hint: fieldsHint}
}
