package output

import (
	"slices"
	"strings"

	"reseller/client/nearest"
	"reseller/output/encode"
)

// attributesPrefix begins the names of columns such as attributes.Industry.
// Account holders choose the part after the prefix, so these columns are not
// documented.
const attributesPrefix = "attributes."

// layout says how a printer writes the records of a command. It follows from the
// printer's options and the command's Shape.
type layout struct {
	encode.Layout
	all        bool           // every field that occurs in the records becomes a column
	sort       *encode.Column // nil if the records keep their order
	descending bool
}

// layout returns the layout of records of shape s. The error is a *UsageError if
// the user named a column that s does not have.
func (p *Printer) layout(s Shape) (layout, error) {
	l := layout{Layout: encode.Layout{Single: s.Single, NoHeader: p.options.NoHeader, CSVSafe: p.options.CSVSafe, Bold: p.options.Color}}
	if p.options.TTY {
		l.Width = p.options.Width
	}
	for _, c := range s.Front {
		l.Front = append(l.Front, c.Name)
	}
	if name := p.options.Sort; name != "" {
		name, l.descending = strings.CutPrefix(name, "-")
		c, err := s.find(name, "sort column")
		if err != nil {
			return l, err
		}
		l.sort = &c
	}
	names := p.options.Columns
	switch {
	case len(names) == 1 && strings.TrimSpace(names[0]) == "all", len(names) == 0 && len(s.Columns) == 0:
		l.all = true
	case len(names) > 0:
		l.Picked = true
		return l, l.pick(s, names)
	default:
		l.Undocumented = s.undocumented
	}
	detail := p.options.Format == encode.Table && s.Single
	for _, c := range s.documented() {
		if !c.Wide || detail || p.options.Format.Kind() != encode.KindReading {
			l.Columns = append(l.Columns, c.column())
		}
	}
	return l, nil
}

// pick adds the columns that the user named, each once.
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

// documented returns all documented columns in order.
func (s Shape) documented() []Column { return slices.Concat(s.Front, s.Columns) }

// column returns c as encoders take it.
func (c Column) column() encode.Column {
	out := encode.NewColumn(c.Name, append([]string{c.Name}, c.Alt...)...)
	out.Date = c.Date
	return out
}

// find returns the column that the user named: a documented one, a parent of
// documented ones, one attribute, or with a leading dot any field at all. kind
// is what the error calls the column: "column" or "sort column".
func (s Shape) find(name, kind string) (encode.Column, error) {
	undocumented, dotted := strings.CutPrefix(name, ".")
	if undocumented == "" {
		return encode.Column{}, &UsageError{Message: "empty " + kind + " name"}
	}
	if dotted {
		return encode.NewColumn(name, undocumented), nil
	}
	documented := s.documented()
	var names []string
	suggestion := ""
	for _, c := range documented {
		if c.Name == name {
			return c.column(), nil
		}
		if slices.Contains(c.Alt, name) {
			suggestion = c.Name
		}
		names = append(names, c.Name)
	}
	for _, c := range documented {
		if strings.HasPrefix(c.Name, name+".") ||
			c.Name+"." == attributesPrefix && strings.HasPrefix(name, attributesPrefix) && name != attributesPrefix {
			return encode.NewColumn(name, name), nil
		}
	}
	if name == "all" && kind == "column" {
		return encode.Column{}, &UsageError{Message: `"all" can't be used with other columns`}
	}
	if suggestion == "" {
		suggestion = nearest.Name(name, names)
	}
	hint := "to name a field that is not documented, put a dot before it: ." + name
	if suggestion != "" {
		hint = "did you mean " + suggestion + "? T" + hint[1:]
	}
	return encode.Column{}, &UsageError{Message: "unknown " + kind + " " + quote(name), Hint: hint}
}
