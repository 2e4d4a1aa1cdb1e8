package rows

import (
	"cmp"
	"slices"
	"sort"

	"reseller/client/bulk/decode"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// places are what messages call the rows of a source. Those of sources that Expand returns are the same.
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
func (p *places) Locate(line int) (file string, unit decode.Unit, inFile int) {
	if len(p.parts) == 0 {
		return "", p.unit, line
	}
	after := sort.Search(len(p.parts), func(i int) bool { return p.parts[i].before >= line })
	in := p.parts[max(after-1, 0)]
	return in.name, in.unit, line - in.before
}

// issueAt returns an issue of a row.
func (p *places) issueAt(line, number int) decode.Issue {
	file, unit, line := p.Locate(line)
	issue := unit.Issue(line, number)
	issue.File = file
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

// WithPlace returns a message about a row of a folder behind the row's place. It returns
// other messages as they are: users find their rows in the only file.
func (p *places) WithPlace(row *Row, message string) string {
	if p.parts == nil {
		return message
	}
	return p.Place(row.Line) + ": " + message
}

// Issue returns an issue of a valid row: what a load could not do with it, and which record
// the row is about.
func (s *Source) Issue(row *Row, reason string) decode.Issue {
	if row.Line < 0 {
		return decode.Issue{Record: s.appended[-row.Line-1].Name, Reason: reason}
	}
	issue := s.issueAt(row.Line, row.number)
	issue.Reason = reason
	names := s.schema.Resource.Having(schema.Key)
	if s.schema.title != nil {
		names = slices.Insert(slices.Clone(names), 0, s.schema.title)
	}
	for _, field := range names {
		if name := cmp.Or(row.Values.Get(field.Name).Text(), row.ReadOnly[field.Name]); name != "" {
			if issue.Record = field.Name + " " + name; field.Type != schema.Int {
				issue.Record = field.Name + " " + safetext.Quote(name)
			}
			break
		}
	}
	return issue
}

// EmptyFile returns the name of a file of a folder without a row, an empty text if there is none. Validate must
// have read the folder before.
func (s *Source) EmptyFile() string {
	end := s.total - len(s.appended)
	for _, part := range slices.Backward(s.parts) {
		if part.first == end {
			return part.name
		}
		end = part.first
	}
	return ""
}

// An Appended is a row that stands in no file.
type Appended struct {
	Name   string // what messages call it, in place of a line
	Values Values
}

// Append adds rows behind those of the file, which Validate must have read before. A
// further call of Validate drops them.
func (s *Source) Append(added ...Appended) {
	s.appended = append(s.appended, added...)
	s.total += len(added)
	s.Report.Rows += len(added)
	s.Report.Send += len(added)
}

// IsAppended reports whether Append has added the row.
func (r *Row) IsAppended() bool { return r.Line < 0 }

// eachAppended calls yield with each appended row until it returns false. The line of the row
// is negative: Place finds its name by it. Its cells are those that a line with its values has.
func (s *Source) eachAppended(yield func(*Row) bool) {
	for i, added := range s.appended {
		row := Row{Line: -i - 1, Ordinal: s.total - len(s.appended) + i, Values: slices.Clone(added.Values), file: s}
		if s.header == nil {
			row.Cells = []string{string(s.schema.Resource.Body(row.Values.Map()))}
		}
		for _, b := range s.bindings {
			text := ""
			if b.kind == kindField {
				text = row.Values.Get(b.key).Text()
			}
			row.Cells = append(row.Cells, text)
		}
		if !yield(&row) {
			return
		}
	}
}
