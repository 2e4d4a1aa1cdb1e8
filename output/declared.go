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
	finder  record.Finder // finds the name of each column, and behind it those of its Alt
	own     record.Finder // finds the name of each column
	values  [][]string    // of each column, as JSON; nil if it has any value
}

// newDeclaration returns the declaration of columns, nil if the service sends them in one form only.
func newDeclaration(columns []Column) *declaration {
	var d declaration
	for _, c := range columns {
		if len(c.Alt) > 0 || c.Words != nil {
			d.columns = append(d.columns, c)
			d.finder.Names = append(append(d.finder.Names, c.Name), c.Alt...)
			d.own.Names = append(d.own.Names, c.Name)
			var values []string
			for _, value := range c.Enum {
				values = append(values, value, string(record.Quote(value)))
			}
			d.values = append(d.values, values)
		}
	}
	if d.columns == nil {
		return nil
	}
	return &d
}

func (d *declaration) of(rec record.Record) (record.Record, error) {
	if !d.holds(&rec) {
		if declared := d.fields(&rec); declared != nil {
			return withDeclared(rec, declared)
		}
	}
	return rec, nil
}

// holds reports whether rec has the declared fields as they are declared. Each record of a list comes here.
func (d *declaration) holds(rec *record.Record) bool {
	for i, at := range d.own.In(rec) {
		if at < 0 {
			return false
		}
		v, _ := rec.Field(at)
		if values := d.values[i]; values == nil && encode.IsNull(v) || values != nil && !has(values, v) {
			return false
		}
	}
	return true
}

// has is slices.Contains without a copy of v. No value is empty.
func has(values []string, v record.Value) bool {
	for _, value := range values {
		if value[0] == v[0] && value == string(v) {
			return true
		}
	}
	return false
}

// fields returns the fields of rec that were sent in another form, nil if there are none, as in most records.
func (d *declaration) fields(rec *record.Record) (declared []declaredField) {
	places := d.finder.In(rec)
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
			if value := declaredValue(c, v); value != nil || at != names[0] {
				if value == nil {
					value = v
				}
				declared = append(declared, declaredField{c.Name, value, names[0], at})
			}
			break
		}
	}
	return declared
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

// declaredValue returns the value that a column declares for v, nil if v is it.
func declaredValue(c *Column, v record.Value) record.Value {
	if c.Enum == nil {
		return nil
	}
	sent := v.Text()
	text := declaredWord(c, sent)
	switch {
	case slices.Contains(c.Enum, sent):
		return nil
	case !slices.Contains(c.Enum, text):
		return nil
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
