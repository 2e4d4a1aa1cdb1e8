package decode

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strings"

	"reseller/client/phrase"
	"reseller/client/safetext"
)

// An Issue describes one mistake in an input file. An issue without a line and a row is about the file as a whole.
type Issue struct {
	File   string // the name of the file in its folder; empty for a file of its own
	Line   int    // the line on which the row begins; 0 in a workbook
	Row    int    // the number that a spreadsheet shows for the row, or that of a record; 0 in a format without rows
	Column string // the name of the column in the file, empty for the row as a whole
	Value  string // the invalid value, empty for a password
	Reason string // says what is wrong, and names the value unless it is a password
	Record string // the field and the value that name the row's record to users; may be empty

	IsRecord    bool // Row counts the records of the file
	IsElsewhere bool // the row belongs to another shard

	LeaveOut string // how the column is left out, empty if the rows need it
}

// A Unit says how users find the rows of a file.
type Unit uint8

const (
	ByLine   Unit = iota // by its line
	ByRow                // by the number that a spreadsheet shows
	ByRecord             // by its place among the records, several of which stand on one line
)

// Issue returns an issue of a row. line is where the row begins, or the number of the row or record; number is the number
// that a spreadsheet shows for it, if there is one.
func (u Unit) Issue(line, number int) Issue {
	if u == ByLine {
		return Issue{Line: line, Row: number}
	}
	return Issue{Row: line, IsRecord: u == ByRecord}
}

// Place returns words for the place of the issue: the file of a folder, the line or the row, and the column. It is empty if the
// issue is about the input as a whole.
func (i Issue) Place() string {
	var place []string
	file := safetext.Escape(i.File)
	switch {
	case i.Line > 0 && i.Row > 0 && i.Row != i.Line:
		place = append(place, fmt.Sprintf("line %d (row %d)", i.Line, i.Row))
	case i.Line > 0:
		place = append(place, fmt.Sprintf("line %d", i.Line))
	case i.IsRecord:
		place = append(place, fmt.Sprintf("record %d", i.Row))
	case i.Row > 0:
		place = append(place, fmt.Sprintf("row %d", i.Row))
	}
	if i.Column != "" {
		place = append(place, safetext.Shorten(i.Column))
	}
	if file != "" && place != nil {
		file += ": "
	}
	return file + strings.Join(place, ", ")
}

func (i Issue) String() string {
	text := i.Reason
	if place := i.Place(); place != "" {
		text = place + ": " + text
	}
	if i.Record != "" {
		text += " (" + i.Record + ")"
	}
	return text
}

// isAfter reports whether the issue is of a later row than another one. Issues of a whole
// file are behind those of its rows, those of the whole input behind all others.
func (i Issue) isAfter(other Issue) bool {
	if i.File != other.File {
		return other.File != "" && (i.File == "" || i.File > other.File)
	}
	return uint(max(i.Line, i.Row)-1) > uint(max(other.Line, other.Row)-1)
}

const (
	// maxIssues is how many issues an error keeps.
	maxIssues      = 10_000
	maxShownIssues = 20
)

// An Error lists the first issues of a file and counts the others.
type Error struct {
	Issues []Issue
	More   int    // the number of issues that are not in Issues
	Fatal  bool   // no row can be sent: the header is invalid, or the rest of the file can't be split into rows
	Hint   string // what the user can do about the mistakes, empty if they speak for themselves
}

func (e *Error) Advice() string { return e.Hint }

// Error returns one line for each kind of issue that many rows have, or several rows in one column. A line follows for each of
// the first issues that differ from the others of their kind, or have no such line.
func (e *Error) Error() string {
	lines, rows := e.kinds()
	shown := rows[:min(len(rows), maxShownIssues)]
	lines = append(lines, phrase.Each(shown, Issue.String)...)
	if more := e.More + len(rows) - len(shown); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// kinds returns a line for each kind of issue that a column has in several rows, and the issues that are alone, or whose values
// differ from those of others of their kind.
func (e *Error) kinds() (lines []string, rows []Issue) {
	const several = 3
	type group struct {
		first   Issue
		rows    int
		differs bool // the values differ
	}
	kind := func(i Issue) [2]string {
		return [2]string{i.Column, strings.TrimPrefix(i.Reason, safetext.Quote(i.Value)+" ")}
	}
	groups, inColumn := map[[2]string]*group{}, map[string]int{}
	for _, issue := range e.Issues {
		if groups[kind(issue)] == nil {
			groups[kind(issue)] = &group{first: issue}
			inColumn[issue.Column]++
		}
		g := groups[kind(issue)]
		g.rows, g.differs = g.rows+1, g.differs || issue.Value != g.first.Value
	}
	for _, issue := range e.Issues {
		g := groups[kind(issue)]
		isOfKind := g.rows >= several && (issue.Column != "" || g.rows > maxShownIssues)
		if isOfKind && issue == g.first {
			value, how, first := "", "", issue
			if first.Column = ""; !g.differs && issue.Value != "" {
				value, how = safetext.Quote(issue.Value)+" in ", "; correct it, or let values: in a map file replace it"
			}
			if issue.LeaveOut != "" {
				how += "; " + issue.LeaveOut + " leaves the column out"
			}
			line := fmt.Sprintf("%s: %s%s, the first %s: %s%s", safetext.Shorten(issue.Column), value, phrase.Count(g.rows, "row", "rows"), first.Place(), kind(issue)[1], how)
			lines = append(lines, strings.TrimPrefix(line, ": "))
		}
		if isOfKind && issue.Value != "" && inColumn[issue.Column] == 1 { // the line of the kind has the reason
			issue.Reason = safetext.Quote(issue.Value)
		}
		if !isOfKind || g.differs {
			rows = append(rows, issue)
		}
	}
	return lines, rows
}

// Cell returns the issues as the text of a cell, for a file that has the records beside it.
func (e *Error) Cell() string {
	var texts []string
	for _, issue := range e.Issues {
		issue.Record = ""
		texts = append(texts, issue.String())
	}
	return strings.Join(texts, "; ")
}

// InvalidInput marks an error in the user's input, after which nothing was sent.
func (e *Error) InvalidInput() {}

// Add adds issues in any order. It keeps the first ones of the file, in the order of their
// lines; those of the file as a whole come last.
func (e *Error) Add(issues ...Issue) {
	for _, issue := range issues {
		at := sort.Search(len(e.Issues), func(i int) bool { return e.Issues[i].isAfter(issue) })
		if e.Issues = slices.Insert(e.Issues, at, issue); len(e.Issues) > maxIssues {
			e.Issues = e.Issues[:maxIssues]
			e.More++
		}
	}
}

// InShard returns the error without the issues of rows that belong to other shards.
func (e *Error) InShard() *Error {
	own := *e
	own.Issues = slices.DeleteFunc(slices.Clone(e.Issues), func(i Issue) bool { return i.IsElsewhere })
	return &own
}

// In names the file of a folder in all issues.
func (e *Error) In(file string) {
	for i := range e.Issues {
		e.Issues[i].File = file
	}
}

// AsError returns the *Error in err's chain, nil if there is none.
func AsError(err error) *Error {
	issues, _ := errors.AsType[*Error](err)
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
	if at := (*fs.PathError)(nil); errors.As(e.Err, &at) { // What names the file
		return e.What + ": " + at.Err.Error()
	}
	if e.Err != nil {
		return e.What + ": " + e.Err.Error()
	}
	return e.What
}

// InvalidInput marks an error in the user's input, after which nothing was sent.
func (e *FileError) InvalidInput() {}

func (e *FileError) Unwrap() error { return e.Err }
