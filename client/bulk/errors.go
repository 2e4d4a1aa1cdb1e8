package bulk

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"reseller/client/schema"
)

// A Fault is one thing that is wrong with an input file.
type Fault struct {
	Line   int    // where the row begins, 0 for the file as a whole
	Column string // as the file writes it, empty for the row as a whole
	Value  string // the cell, empty for a password
	Reason string
}

func (f Fault) String() string {
	switch {
	case f.Line == 0 && f.Column == "":
		return f.Reason
	case f.Line == 0:
		return fmt.Sprintf("%s: %s", Shorten(f.Column), f.Reason)
	case f.Column == "":
		return fmt.Sprintf("line %d: %s", f.Line, f.Reason)
	}
	return fmt.Sprintf("line %d, %s: %s", f.Line, Shorten(f.Column), f.Reason)
}

// maxFaults is how many faults of a file are told.
const maxFaults = 20

// RowsError carries the first faults of a file and counts the rest.
type RowsError struct {
	Faults []Fault
	More   int
	Fatal  bool // no row can be sent: the header is wrong, or what follows can't be told apart
}

// Error is one line for each fault.
func (e *RowsError) Error() string {
	var b strings.Builder
	for i, f := range e.Faults {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(f.String())
	}
	if e.More > 0 {
		fmt.Fprintf(&b, "\nand %d more", e.More)
	}
	return b.String()
}

func (e *RowsError) add(faults ...Fault) {
	for _, f := range faults {
		if len(e.Faults) < maxFaults {
			e.Faults = append(e.Faults, f)
		} else {
			e.More++
		}
	}
}

// rowsError is the error as that of rows, nil where it is another one.
func rowsError(err error) *RowsError {
	var wrong *RowsError
	errors.As(err, &wrong)
	return wrong
}

func fatal(f Fault) *RowsError { return &RowsError{Faults: []Fault{f}, Fatal: true} }

// InputError is what is wrong with an input before any of its lines is looked
// at: no such file, a format that can't be told, a flag that names no field.
type InputError struct {
	What string
	Err  error
}

func (e *InputError) Error() string {
	if e.Err != nil {
		return e.What + ": " + e.Err.Error()
	}
	return e.What
}

func (e *InputError) Unwrap() error { return e.Err }

const (
	shortest = 60  // characters of a value that an error shows
	longest  = 200 // bytes of a reason
)

// Shorten makes what came from a file fit to be shown in one line: at most 60
// characters, those that a terminal obeys escaped.
func Shorten(s string) string {
	quoted := quote(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// quote is Shorten in quotes.
func quote(s string) string {
	if utf8.RuneCountInString(s) > shortest {
		for i := range s {
			if utf8.RuneCountInString(s[:i]) == shortest-1 {
				s = s[:i] + "…"
				break
			}
		}
	}
	return strconv.Quote(s)
}

// visible escapes what a terminal obeys in the service's words: rejects are
// looked at on one.
func visible(s string) string {
	obeyed := func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsGraphic(r) }
	if !strings.ContainsFunc(s, obeyed) {
		return s
	}
	quoted := strconv.QuoteToGraphic(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// reason words what a check of the field said about text: the value comes
// first, as short as errors show it, or not at all where it is a secret.
func reason(f *schema.Field, text string, err error) string {
	rest := err.Error()
	if quoted, bad := strconv.QuotedPrefix(rest); bad == nil {
		rest = strings.TrimSpace(rest[len(quoted):])
	}
	if len(rest) > longest {
		rest = strings.ToValidUTF8(rest[:longest], "") + "…"
	}
	if f.Type == schema.Password {
		return rest
	}
	return quote(text) + " " + rest
}
