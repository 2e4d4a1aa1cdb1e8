package bulk

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"reseller/client"
	"reseller/client/record"
)

// A Row is one row of the input, ready to be sent.
type Row struct {
	Line   int // where it begins in the file
	Values client.Values
	// Extra are the cells of fields that are only read, as text, by the names
	// that the resource gives its fields; a column with a leading dot by its
	// own name.
	Extra map[string]string
	// Cells are the input's own: one for each column, or the row's object as
	// JSON where the format has no columns.
	Cells []string

	ordinal int
}

// Number is the row's place among the rows of the file, from 0.
func (r *Row) Number() int { return r.ordinal }

// draft is a row being made.
type draft struct {
	spec   *Spec
	row    Row
	faults []Fault
	named  map[string]string // the column of each target that the row has
	attrs  []client.FieldValue
	pairs  map[*client.Field]*client.FieldValue
}

func (d *draft) fault(column, value, reason string) {
	d.faults = append(d.faults, Fault{d.row.Line, column, value, reason})
}

// cell takes the text of a cell of csv, tsv or txt.
func (d *draft) cell(t *target, column, text string) {
	if t.kind == pass {
		return
	}
	if t.keyword() {
		text = strings.TrimSpace(text)
	}
	if text == "" && !(d.spec.EmptyClears && d.spec.clears(t)) {
		return
	}
	if t.kind == whole && t.field.Type == client.List && !strings.HasPrefix(strings.TrimSpace(text), "[") {
		d.put(t, column, text, splitList(text), nil)
		return
	}
	if t.kind != whole {
		d.put(t, column, text, jsonString(text), nil)
		return
	}
	if text == "" && t.field.Type == client.Attributes {
		text = "[]"
	}
	if t.field.Type == client.Pair && strings.HasPrefix(strings.TrimSpace(text), "{") {
		if v, err := record.ParseValue([]byte(text)); err == nil {
			v, err = t.field.FromJSON(v, d.spec.Check)
			d.put(t, column, text, compact(v), err)
			return
		}
	}
	v, err := t.field.FromText(text, d.spec.Check)
	d.put(t, column, text, compact(v), err)
}

// clears tells whether an empty cell may empty t.
func (s *Spec) clears(t *target) bool {
	return s.Use == client.Update && t.kind != extra && (len(s.needed) == 0 || t.key != s.needed[0].Name)
}

// member takes a value of json, ndjson or yaml.
func (d *draft) member(t *target, column string, v record.Value) {
	if t.kind == pass || v.Kind() == record.Null {
		return
	}
	text := v.Text()
	if t.keyword() && v.Kind() == record.String {
		text = strings.TrimSpace(text)
		v = jsonString(text)
	}
	absent := d.spec.Use == client.Create || t.keyword()
	if absent && v.Kind() == record.String && text == "" {
		return
	}
	switch {
	case t.kind == extra:
		d.put(t, column, text, v, nil)
	case t.kind == part && (v.Kind() == record.Array || v.Kind() == record.Object):
		d.fault(column, text, fmt.Sprintf("%s is %s, not a text", quote(text), v.Kind()))
	case t.kind == part:
		d.put(t, column, text, jsonString(text), nil)
	case t.field.Type == client.List && v.Kind() == record.String:
		d.put(t, column, text, splitList(text), nil)
	default:
		v, err := t.field.FromJSON(v, d.spec.Check)
		d.put(t, column, text, compact(v), err)
	}
}

// put notes a value, or what its check said.
func (d *draft) put(t *target, column, text string, v record.Value, err error) {
	if before, ok := d.named[t.key]; ok {
		d.fault(column, "", fmt.Sprintf("names the same field as %s", quote(before)))
		return
	}
	d.named[t.key] = column
	if err != nil {
		value := text
		if t.secret() {
			value = ""
		}
		d.fault(column, value, reason(t.field, text, err))
		return
	}
	switch {
	case t.kind == extra:
		if d.row.Extra == nil {
			d.row.Extra = map[string]string{}
		}
		d.row.Extra[t.key] = text
	case t.kind == part && t.field.Type == client.Pair:
		d.half(t, text)
	case t.kind == part:
		d.attrs = append(d.attrs, client.FieldValue{FieldName: client.String(t.part), FieldValue: client.String(text)})
	default:
		d.row.Values[t.field.Name] = v
	}
}

func (d *draft) half(t *target, text string) {
	if d.pairs == nil {
		d.pairs = map[*client.Field]*client.FieldValue{}
	}
	p := d.pairs[t.field]
	if p == nil {
		p = &client.FieldValue{}
		d.pairs[t.field] = p
	}
	if t.part == nameHalf {
		p.FieldName = client.String(text)
	} else {
		p.FieldValue = client.String(text)
	}
}

// finish puts the parts together and looks at the row as a whole.
func (d *draft) finish(constants []constant) {
	d.joinAttributes()
	d.joinPairs()
	for _, c := range constants {
		have, ok := d.row.Values[c.field.Name]
		switch {
		case !ok:
			d.row.Values[c.field.Name] = c.value
		case !bytes.Equal(have, c.value) && c.field.Type == client.Password:
			d.fault(d.named[c.field.Name], "", "contradicts the flag's")
		case !bytes.Equal(have, c.value):
			d.fault(d.named[c.field.Name], have.Text(), fmt.Sprintf("%s contradicts the flag's %s", quote(have.Text()), quote(c.value.Text())))
		}
	}
	for name, v := range d.spec.Defaults {
		if _, ok := d.row.Values[name]; !ok {
			d.row.Values[name] = v
		}
	}
	for _, f := range d.spec.needed {
		_, ok := d.row.Values[f.Name]
		_, wrong := d.named[f.Name] // its own fault is told
		if !ok && !wrong {
			d.fault(f.Name, "", "missing")
		}
	}
	for _, f := range d.spec.orEmpty {
		if _, ok := d.row.Values[f.Name]; !ok {
			d.row.Values[f.Name] = record.Value(`""`)
		}
	}
	if d.spec.Also == nil || d.faults != nil {
		return
	}
	if name, reason := d.spec.Also(d.row.Values); reason != "" {
		d.fault(cmp.Or(d.named[name], name), "", reason)
	}
}

// joinAttributes makes one list of the attributes' columns. On update they stay
// apart, as attributes.NAME: they are to be merged into what the service holds.
func (d *draft) joinAttributes() {
	if d.attrs == nil {
		return
	}
	if column, ok := d.named["attributes"]; ok {
		first := d.named[attributes+string(d.attrs[0].FieldName)]
		d.fault(first, "", fmt.Sprintf("%s sets the attributes already", quote(column)))
		return
	}
	if d.spec.Use != client.Create {
		for _, a := range d.attrs {
			d.row.Values[attributes+string(a.FieldName)] = jsonString(string(a.FieldValue))
		}
		return
	}
	list := record.Value("[]")
	for _, a := range d.attrs {
		list = client.AddAttribute(list, string(a.FieldName), string(a.FieldValue))
	}
	d.row.Values["attributes"] = list
}

func (d *draft) joinPairs() {
	for f, p := range d.pairs {
		names := []string{d.named[f.Name+"."+nameHalf], d.named[f.Name+"."+valueHalf]}
		switch column, ok := d.named[f.Name]; {
		case ok:
			d.fault(cmp.Or(names[0], names[1]), "", fmt.Sprintf("%s sets it already", quote(column)))
		case names[0] == "" || names[1] == "":
			d.fault(cmp.Or(names[0], names[1]), "", nameHalf+" and "+valueHalf+" go together")
		default:
			d.row.Values[f.Name] = fmt.Appendf(nil, `{"field_name":%s,"field_value":%s}`, jsonString(string(p.FieldName)), jsonString(string(p.FieldValue)))
		}
	}
}

// splitList is a list as JSON: a person writes it with semicolons.
func splitList(text string) record.Value {
	items := []string{}
	for _, item := range strings.Split(text, ";") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	out := record.Value("[")
	for i, item := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, jsonString(item)...)
	}
	return append(out, ']')
}

func compact(v record.Value) record.Value {
	if k := v.Kind(); k == record.Array || k == record.Object {
		return v.AppendCompact(nil)
	}
	return v
}

// jsonString is client.Quote with a short way for plain text.
func jsonString(s string) record.Value {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			return client.Quote(s)
		}
	}
	out := make(record.Value, 0, len(s)+2)
	return append(append(append(out, '"'), s...), '"')
}
