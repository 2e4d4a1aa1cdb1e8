package rows

import (
	"sort"

	"reseller/client/bulk/decode"
)

// places find the words for the place of a row in messages. Sources that Expand returns have the same places.
type places struct {
	unit     decode.Unit  // how users find a row of the file
	parts    []folderPart // of a folder: the files that Validate has begun to read
	appended []Appended   // rows behind those of the file
}

// A folderPart is a file of a folder. The lines of a folder are numbered as if its files were
// one, so that a row is found by its line alone.
type folderPart struct {
	name   string
	before int // the lines of the files before it
	first  int // the ordinal of its first row
	unit   decode.Unit
}

// Locate returns the name of the file of a folder that has a row, whose Line is given, how users find the rows of that file,
// and the line in it. The name is empty if the source is no folder.
func (p *places) Locate(line int) (name string, unit decode.Unit, inFile int) {
	if len(p.parts) == 0 {
		return "", p.unit, line
	}
	after := sort.Search(len(p.parts), func(i int) bool { return p.parts[i].before >= line })
	in := p.parts[max(after-1, 0)]
	return in.name, in.unit, line - in.before
}

func (p *places) issueAt(line, number int) decode.Issue {
	name, unit, line := p.Locate(line)
	issue := unit.Issue(line, number)
	issue.File = name
	return issue
}

// Place returns words for the place of a row, whose Line is given: its line, or in a
// workbook its row, behind the name of its file in a folder, or the name of an appended row.
func (p *places) Place(line int) string {
	if line < 0 {
		return p.appended[-line-1].Name
	}
	return p.issueAt(line, 0).Place()
}

// WithPlace puts the place of a row in front of a message if the rows are those of a folder. In a single file, users find the row
// without it.
func (p *places) WithPlace(row *Row, message string) string {
	if p.parts == nil {
		return message
	}
	return p.Place(row.Line) + ": " + message
}

// An Appended is a row that stands in no file.
type Appended struct {
	Name   string // stands for it in messages, in place of a line
	Values Values
}
