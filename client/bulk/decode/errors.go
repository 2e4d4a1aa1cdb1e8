package decode

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An Issue is one thing that is wrong with an input file.
type Issue struct {
	Line   int    // the line on which the row begins, 0 for the file as a whole
	Column string // the column as the file writes it, empty for the row as a whole
	Value  string // the cell, empty for a password
	Reason string
}

func (i Issue) String() string {
	switch {
	case i.Line == 0 && i.Column == "":
		return i.Reason
	case i.Line == 0:
		return fmt.Sprintf("%s: %s", Shorten(i.Column), i.Reason)
	case i.Column == "":
		return fmt.Sprintf("line %d: %s", i.Line, i.Reason)
	}
	return fmt.Sprintf("line %d, %s: %s", i.Line, Shorten(i.Column), i.Reason)
}

// maxIssues is how many issues of a file an error lists.
const maxIssues = 20

// An Error lists the first issues of a file and counts the others.
type Error struct {
	Issues []Issue
	More   int
	Fatal  bool // no row can be sent: the header is invalid, or the rows that follow can't be told apart
}

// Error is one line for each issue.
func (e *Error) Error() string {
	var b strings.Builder
	for i, issue := range e.Issues {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(issue.String())
	}
	if e.More > 0 {
		fmt.Fprintf(&b, "\nand %d more", e.More)
	}
	return b.String()
}

// InvalidInput marks an error of what the user gave: nothing was sent.
func (e *Error) InvalidInput() {}

// Add adds issues.
func (e *Error) Add(issues ...Issue) {
	for _, issue := range issues {
		if len(e.Issues) < maxIssues {
			e.Issues = append(e.Issues, issue)
		} else {
			e.More++
		}
	}
}

// AsError returns the *Error in err's chain, nil if there is none.
func AsError(err error) *Error {
	var issues *Error
	errors.As(err, &issues)
	return issues
}

// InvalidRow reports whether err is about one row only, so that the walk of the
// file goes on.
func InvalidRow(err error) bool {
	issues := AsError(err)
	return issues != nil && !issues.Fatal
}

// Fatal returns the error of an issue after which no row can be read.
func Fatal(issue Issue) *Error { return &Error{Issues: []Issue{issue}, Fatal: true} }

// A FileError says what is wrong with an input before its first row is read: it
// can't be opened, its format is unknown, or a flag names no field.
type FileError struct {
	What string
	Err  error
}

func (e *FileError) Error() string {
	if e.Err != nil {
		return e.What + ": " + e.Err.Error()
	}
	return e.What
}

// InvalidInput marks an error of what the user gave: nothing was sent.
func (e *FileError) InvalidInput() {}

func (e *FileError) Unwrap() error { return e.Err }

// maxShown is how many characters of a value an error shows.
const maxShown = 60

// Shorten makes a text of a file fit for a message: one line of at most 60
// characters, with control characters escaped.
func Shorten(s string) string {
	quoted := Quote(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// Quote is Shorten in quotes.
func Quote(s string) string {
	if utf8.RuneCountInString(s) > maxShown {
		for i := range s {
			if utf8.RuneCountInString(s[:i]) == maxShown-1 {
				s = s[:i] + "…"
				break
			}
		}
	}
	return strconv.Quote(s)
}
