package output

import (
	"iter"
	"slices"
	"strings"

	"reseller/client/record"
	"reseller/output/encode"
)

// layout says how a printer writes the records of a command. It follows from the
// printer's options and the command's Shape.
type layout struct {
	encode.Layout
	all       bool                                                                  // every field that occurs in the records becomes a column
	sort      []sortColumn                                                          // empty if the records keep their order
	declared  *declaration                                                          // nil if the service sends all columns in one form
	selection *selection                                                            // nil if all records are printed
	arrange   func(iter.Seq2[record.Record, error]) iter.Seq2[record.Record, error] // of the Shape
	limit     int                                                                   // 0 if there is none
}

// newLayout returns the layout of records of shape s. The error is a *UsageError if
// the user named a column that s does not have.
func newLayout(o Options, s Shape) (layout, error) {
	l := layout{Layout: encode.Layout{Name: s.Name, Single: s.Single, Documents: s.Documents, Comment: s.Comment, Wrap: s.Wrap, NoHeader: o.NoHeader, Print0: o.Print0, CSVSafe: o.CSVSafe, CSVBOM: o.CSVBOM, Bold: o.Color}}
	if o.TTY {
		l.Width = o.Width
	}
	if s.Single && (len(o.Where) > 0 || o.Search != "" || o.Limit > 0) {
		return l, &UsageError{Message: "--where, --search and --limit select records of a list, and this prints one record"}
	}
	l.limit, l.arrange, l.declared = o.Limit, s.Arrange, newDeclaration(s.Columns)
	var err error
	if l.sort, err = newSortColumns(s, o.Sort); err != nil {
		return l, err
	}
	if err := l.setColumns(o, s); err != nil {
		return l, err
	}
	for i := range l.Columns {
		c := &l.Columns[i]
		c.Constant = c.Constant || slices.Contains(o.Constant, c.Name) || slices.ContainsFunc(o.Where, func(text string) bool {
			name, operator, _ := splitCondition(text)
			return operator == "=" && name == c.Name
		})
	}
	l.selection, err = newSelection(o, s, &l)
	return l, err
}

func (l *layout) setColumns(o Options, s Shape) error {
	names := o.Columns
	if o.Format.IsIDs() && names != nil {
		return &UsageError{Message: "-o " + string(o.Format) + " prints ids, so it can't be used with --columns"}
	}
	if o.Format.IsIDs() && encode.IDColumn(s.Columns) < 0 {
		return &UsageError{Message: "-o " + string(o.Format) + " prints ids of accounts, campaigns, keywords, plans and jobs, of which there are none in this output"}
	}
	switch {
	case len(names) == 1 && strings.TrimSpace(names[0]) == "all", len(names) == 0 && len(s.Columns) == 0:
		l.all = true
	case len(names) > 0:
		l.Picked = true
		return l.pick(s, names)
	default:
		l.Undocumented = s.undocumented
	}
	detail := o.Format == encode.Table && s.Single
	for _, c := range s.Columns {
		if !c.Wide || detail || o.Format.Kind() != encode.KindReading && !c.OnRequest {
			l.Columns = append(l.Columns, c)
		}
	}
	return nil
}

func (l *layout) pick(s Shape, names []string) error {
	for _, name := range names {
		c, err := s.find(strings.TrimSpace(name), "column")
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(l.Columns, func(other encode.Column) bool { return other.Name == c.Name }) {
			l.Columns = append(l.Columns, c)
		}
	}
	return nil
}
