package output

import (
	"slices"
	"strings"

	"reseller/client/nearest"
	"reseller/client/record"
)

// attributes is the list of field_name and field_value pairs whose names the
// account holders choose: no column list can name them.
const attributes = "attributes."

// column is one column of the output and where its value is found.
type column struct {
	name  string
	paths []path   // tried in order
	keys  []string // instead of paths, for a field found by looking
	date  bool
}

// path is a dotted name, cut at its first dot beforehand.
type path struct{ whole, head, rest string }

func newPath(name string) path {
	head, rest, nested := strings.Cut(name, ".")
	if !nested {
		head = ""
	}
	return path{name, head, rest}
}

func newColumn(c Column) column {
	out := column{name: c.Name, paths: []path{newPath(c.Name)}, date: c.Date}
	for _, alt := range c.Alt {
		out.paths = append(out.paths, newPath(alt))
	}
	return out
}

// unknown are the marks of a value that was not looked at.
const unknown = ^record.Marks(0)

// get finds the column's value in rec, nil when it is missing, and the marks
// of a string.
func (c *column) get(rec *record.Record) (v record.Value, marks record.Marks) {
	if c.keys != nil {
		v, marks = rec.Lookup(c.keys[0])
		for _, key := range c.keys[1:] {
			v, marks = member(v, key), unknown
		}
		return v, marks
	}
	for i := range c.paths {
		p := &c.paths[i]
		found, marks := rec.Lookup(p.whole)
		if found == nil && p.head != "" {
			if found, _ = rec.Lookup(p.head); found != nil {
				found, marks = within(found, p.rest), unknown
			}
		}
		if !none(found) {
			return found, marks
		}
		if v == nil {
			v = found
		}
	}
	return v, 0
}

// none tells whether there is no value, or null.
func none(v record.Value) bool { return len(v) == 0 || v[0] == 'n' }

// cells are the columns of a list's records.
type cells struct {
	columns []column
	finder  record.Finder
}

func newCells(columns []column) cells {
	out := cells{columns: columns}
	for _, c := range columns {
		if c.keys != nil { // maybe deep inside a record
			out.finder.Names = nil
			break
		}
		out.finder.Names = append(out.finder.Names, c.paths[0].whole)
	}
	return out
}

// value is that of column i in rec, whose places the finder gave. Where it is
// null, an older form may still have one: see older.
func (c *cells) value(rec *record.Record, places []int, i int) (record.Value, record.Marks) {
	if i < len(places) && places[i] >= 0 {
		return rec.Field(places[i])
	}
	return c.columns[i].get(rec)
}

// older tells whether a column has other forms, which get tries too.
func (c *column) older() bool { return len(c.paths) > 1 }

// plan is what a printer makes of its options and a shape.
type plan struct {
	shape      Shape
	columns    []column
	picked     bool // the user named the columns
	all        bool // columns are those that the records turn out to have
	sort       *column
	descending bool
}

func (p *Printer) plan(s Shape) (plan, error) {
	pl := plan{shape: s}
	if name := p.o.Sort; name != "" {
		name, pl.descending = strings.CutPrefix(name, "-")
		c, err := s.find(name, "sort column")
		if err != nil {
			return pl, err
		}
		pl.sort = &c
	}
	names := p.o.Columns
	switch {
	case len(names) == 1 && strings.TrimSpace(names[0]) == "all":
		pl.all = true
	case len(names) > 0:
		pl.picked = true
		return pl, pl.pick(names)
	case len(s.Columns) == 0:
		pl.all = true
	}
	narrow := p.o.Format == Table && !s.Single || p.o.Format == Markdown
	for _, c := range s.every() {
		if !narrow || !c.Wide {
			pl.columns = append(pl.columns, newColumn(c))
		}
	}
	return pl, nil
}

// pick takes the named columns, each once.
func (pl *plan) pick(names []string) error {
	for _, name := range names {
		c, err := pl.shape.find(strings.TrimSpace(name), "column")
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(pl.columns, func(have column) bool { return have.name == c.name }) {
			pl.columns = append(pl.columns, c)
		}
	}
	return nil
}

// every is all documented columns in order.
func (s Shape) every() []Column { return slices.Concat(s.Front, s.Columns) }

// find makes a column of a name the user gave: a documented one, a parent of
// documented ones, one attribute, or with a leading dot any field at all.
func (s Shape) find(name, what string) (column, error) {
	undocumented, dotted := strings.CutPrefix(name, ".")
	if undocumented == "" {
		return column{}, &UsageError{What: "empty " + what + " name"}
	}
	if dotted {
		return column{name: name, paths: []path{newPath(undocumented)}}, nil
	}
	every := s.every()
	var names []string
	suggestion := ""
	for _, c := range every {
		if c.Name == name {
			return newColumn(c), nil
		}
		if slices.Contains(c.Alt, name) {
			suggestion = c.Name
		}
		names = append(names, c.Name)
	}
	for _, c := range every {
		if strings.HasPrefix(c.Name, name+".") ||
			c.Name+"." == attributes && strings.HasPrefix(name, attributes) && name != attributes {
			return newColumn(Column{Name: name}), nil
		}
	}
	if name == "all" && what == "column" {
		return column{}, &UsageError{What: `the column name "all" stands alone`}
	}
	if suggestion == "" {
		suggestion = nearest.Name(name, names)
	}
	text := "unknown " + what + " " + quote(name)
	if suggestion != "" {
		text += ", the nearest is " + quote(suggestion)
	}
	return column{}, &UsageError{What: text, Hint: "a field that no document names is written with a leading dot, ." + name}
}

// appendPicked writes the named fields of rec as an object, null for those
// that are missing.
func (pl *plan) appendPicked(dst []byte, rec *record.Record) []byte {
	dst = append(dst, '{')
	for i := range pl.columns {
		c := &pl.columns[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendQuoted(dst, c.name)
		dst = append(dst, ':')
		if v, _ := c.get(rec); v != nil {
			dst = append(dst, v...)
		} else {
			dst = append(dst, "null"...)
		}
	}
	return append(dst, '}')
}

// pickRecord is rec as the user wants it, in the memory of scratch.
func (pl *plan) pickRecord(rec record.Record, scratch *[]byte) (record.Record, error) {
	if !pl.picked {
		return rec, nil
	}
	*scratch = pl.appendPicked((*scratch)[:0], &rec)
	return record.Parse(*scratch)
}
