package output

import (
	"slices"
	"strings"

	"reseller/client/record"
	"reseller/output/encode"
)

// A declaration gives records the fields that columns declare, where the service sent them under other names (Alt)
// or in other words (Words). All formats, conditions and sorts then see one value. What was sent stays, but a
// field of the declared name gets the declared value.
type declaration struct {
	columns []Column      // those that the service may send in another form
	own     record.Finder // finds the name of each column
	finder  record.Finder // finds the name of each column, and behind it those of its Alt
}

// newDeclaration returns the declaration of columns, nil if the service sends them in one form only.
func newDeclaration(columns []Column) *declaration {
	var d declaration
	for _, c := range columns {
		if len(c.Alt) > 0 || c.Words != nil {
			d.columns = append(d.columns, c)
			d.own.Names = append(d.own.Names, c.Name)
			d.finder.Names = append(append(d.finder.Names, c.Name), c.Alt...)
		}
	}
	if d.columns == nil {
		return nil
	}
	return &d
}

func (d *declaration) of(rec record.Record) (record.Record, error) {
	if d.holds(&rec) {
		return rec, nil
	}
	var declared []declaredField
	places := d.finder.In(&rec)
	for i := range d.columns {
		c := &d.columns[i]
		names := places[:1+len(c.Alt)]
		places = places[len(names):]
		for _, at := range names {
			if at < 0 {
				continue
			}
			v, _ := rec.Field(at)
			if encode.IsNull(v) {
				continue
			}
			if value := declaredValue(c, v); at != names[0] || string(value) != string(v) {
				declared = append(declared, declaredField{c.Name, value, names[0], at})
			}
			break
		}
	}
	if declared == nil {
		return rec, nil
	}
	return withDeclared(rec, declared)
}

// holds reports whether rec has all fields as they are declared, as most records of a list, so that no other names are looked for.
func (d *declaration) holds(rec *record.Record) bool {
	for i, at := range d.own.In(rec) {
		if at < 0 {
			return false
		}
		if v, _ := rec.Field(at); encode.IsNull(v) || !isDeclared(&d.columns[i], v) {
			return false
		}
	}
	return true
}

type declaredField struct {
	name  string
	value record.Value
	own   int // the place of the field of that name, -1 if there is none
	sent  int // the place of the field that was sent
}

// withDeclared returns rec with these fields: in place of those of the same name, or behind the fields that were sent.
func withDeclared(rec record.Record, fields []declaredField) (record.Record, error) {
	out := []byte{'{'}
	for i := range rec.Len() {
		name, v, _ := rec.At(i)
		for _, f := range fields {
			if f.own == i {
				v = f.value
			}
		}
		out = append(append(append(append(out, name...), ':'), v...), ',')
		for _, f := range fields {
			if f.own < 0 && f.sent == i {
				out = append(append(append(record.AppendQuote(out, f.name), ':'), f.value...), ',')
			}
		}
	}
	out[len(out)-1] = '}'
	return record.Parse(out)
}

// isDeclared reports whether v is a value that a column declares, as most are.
func isDeclared(c *Column, v record.Value) bool {
	if v[0] == '"' {
		v = v[1 : len(v)-1]
	}
	return c.Enum == nil || slices.ContainsFunc(c.Enum, func(value string) bool { return value == string(v) })
}

// declaredValue returns the value that a column declares for v.
func declaredValue(c *Column, v record.Value) record.Value {
	if isDeclared(c, v) {
		return v
	}
	text := declaredWord(c, v.Text())
	switch {
	case !slices.Contains(c.Enum, text):
		return v
	case digits(text) == text:
		return record.Value(text)
	}
	return record.Quote(text)
}

// declaredWord returns the value of a column that a text stands for, whatever its case, or the text itself.
func declaredWord(c *Column, text string) string {
	lower := strings.ToLower(strings.TrimSpace(text))
	if word, ok := c.Words[lower]; ok {
		return word
	}
	if slices.Contains(c.Enum, lower) {
		return lower
	}
	return text
}
