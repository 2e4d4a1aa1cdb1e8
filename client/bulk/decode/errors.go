package decode

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An Issue describes one mistake in an input file.
type Issue struct {
	Line   int    // the line on which the row begins, 0 for the file as a whole
	Column string // the name of the column in the file, empty for the row as a whole
	Value  string // the invalid value, empty for a password
	Reason string // says what is wrong, and names the value unless it is a password
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
	More   int  // the number of issues that are not in Issues
	Fatal  bool // no row can be sent: the header is invalid, or the rest of the file can't be split into rows
}

// Error returns one line for each issue.
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

// InvalidInput marks an error in the user's input, after which nothing was sent.
func (e *Error) InvalidInput() {}

// Add adds issues in any order. It keeps the first ones of the file, in the order of their
// lines; those of the file as a whole come last.
func (e *Error) Add(issues ...Issue) {
	for _, issue := range issues {
		at := sort.Search(len(e.Issues), func(i int) bool { return uint(e.Issues[i].Line-1) > uint(issue.Line-1) })
		if e.Issues = slices.Insert(e.Issues, at, issue); len(e.Issues) > maxIssues {
			e.Issues = e.Issues[:maxIssues]
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

// InvalidRow reports whether err is about one row only, so that other rows can be sent.
func InvalidRow(err error) bool {
	issues := AsError(err)
	return issues != nil && !issues.Fatal
}

// Fatal returns a fatal error with one issue.
func Fatal(issue Issue) *Error { return &Error{Issues: []Issue{issue}, Fatal: true} }

// A FileError is an error of an input as a whole: the file can't be opened or read, its
// format is unknown, it has changed, or a flag names no field.
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

// InvalidInput marks an error in the user's input, after which nothing was sent.
func (e *FileError) InvalidInput() {}

func (e *FileError) Unwrap() error { return e.Err }

// maxShown is the number of characters of a value that an error shows at most.
const maxShown = 60

// Shorten returns a text of a file for a message: one line of at most maxShown
// characters, with control characters escaped.
func Shorten(s string) string {
	quoted := Quote(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// Quote returns the same text as Shorten, in quotes.
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
