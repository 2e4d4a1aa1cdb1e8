package bulk

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"reseller/client"
	"reseller/client/bulk/decode"
	"reseller/client/record"
	"reseller/client/schema"
)

// A Row is one row of the input, ready to be sent. What it holds is valid
// until the walk goes on.
type Row struct {
	Line   int // where it begins in the file
	Values Values
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

// draft is a row being made, and made again of the next one.
type draft struct {
	spec   *Spec
	row    Row
	issues []decode.Issue
	named  []naming
	attrs  []client.FieldValue
	pairs  map[*schema.Field]*client.FieldValue
	bytes  []byte // of the row's values

	lenient bool // its values are not checked
}

// naming is the column of a target that the row has.
type naming struct{ key, column string }

// column is the row's column of a target.
func (d *draft) column(key string) (string, bool) {
	for i := range d.named {
		if d.named[i].key == key {
			return d.named[i].column, true
		}
	}
	return "", false
}

func (d *draft) addIssue(column, value, reason string) {
	d.issues = append(d.issues, decode.Issue{Line: d.row.Line, Column: column, Value: value, Reason: reason})
}

// cell takes the text of a cell of csv, tsv or txt.
func (d *draft) cell(t *target, column, text string) {
	if t.passed() {
		return
	}
	if t.line() {
		text = strings.TrimSpace(text)
	}
	if text == "" && !(d.spec.EmptyClears && d.spec.clears(t)) {
		return
	}
	if t.kind == whole && t.field.Type == schema.List && !strings.HasPrefix(strings.TrimSpace(text), "[") {
		d.put(t, column, text, splitList(text), nil)
		return
	}
	if t.kind == extra {
		d.put(t, column, text, nil, nil)
		return
	}
	if t.kind != whole {
		d.put(t, column, text, record.Quote(text), nil)
		return
	}
	if text == "" && t.field.Type == schema.Attributes {
		text = "[]"
	}
	if t.field.Type == schema.Pair && strings.HasPrefix(strings.TrimSpace(text), "{") {
		if v, err := record.ParseValue([]byte(text)); err == nil {
			v, err = t.field.FromJSON(v, d.checks(t.field))
			d.put(t, column, text, compact(v), err)
			return
		}
	}
	start, err := len(d.bytes), error(nil)
	d.bytes, err = t.field.AppendText(d.bytes, text, d.checks(t.field))
	d.put(t, column, text, d.bytes[start:len(d.bytes):len(d.bytes)], err)
}

// clears tells whether an empty cell may empty t.
func (s *Spec) clears(t *target) bool {
	return s.Use == schema.Update && t.kind != extra && (len(s.needed) == 0 || t.key != s.needed[0].Name)
}

// member takes a value of json, ndjson or yaml.
func (d *draft) member(t *target, column string, v record.Value) {
	if t.kind == pass || v.Kind() == record.Null || t.kind == whole && t.field.Type == schema.Pair && hollow(v) {
		return
	}
	text := v.Text()
	if trimmed := strings.TrimSpace(text); trimmed != text && t.line() && v.Kind() == record.String {
		text, v = trimmed, record.Quote(trimmed)
	}
	absent := d.spec.Use == schema.Create || t.line()
	if absent && v.Kind() == record.String && text == "" {
		return
	}
	switch {
	case t.kind == extra:
		d.put(t, column, text, v, nil)
	case t.kind == part && (v.Kind() == record.Array || v.Kind() == record.Object):
		d.addIssue(column, text, fmt.Sprintf("%s is %s, not a text", decode.Quote(text), v.Kind()))
	case t.kind == part:
		d.put(t, column, text, record.Quote(text), nil)
	case t.field.Type == schema.List && v.Kind() == record.String:
		d.put(t, column, text, splitList(text), nil)
	default:
		v, err := t.field.FromJSON(v, d.checks(t.field))
		d.put(t, column, text, compact(v), err)
	}
}

// put notes a value, or what its check said.
func (d *draft) put(t *target, column, text string, v record.Value, err error) {
	if before, ok := d.column(t.key); ok {
		d.addIssue(column, "", fmt.Sprintf("names the same field as %s", decode.Quote(before)))
		return
	}
	d.named = append(d.named, naming{t.key, column})
	if err != nil {
		value := text
		if t.secret() {
			value = ""
		}
		d.addIssue(column, value, reason(t.field, text, err))
		return
	}
	switch {
	case t.kind == extra:
		if d.row.Extra == nil {
			d.row.Extra = map[string]string{}
		}
		d.row.Extra[t.key] = text
	case t.kind == part && t.field.Type == schema.Pair:
		d.half(t, text)
	case t.kind == part:
		d.attrs = append(d.attrs, client.FieldValue{FieldName: client.String(t.part), FieldValue: client.String(text)})
	default:
		d.row.Values = append(d.row.Values, value{t.field.Name, v}) // its first
	}
}

func (d *draft) half(t *target, text string) {
	if d.pairs == nil {
		d.pairs = map[*schema.Field]*client.FieldValue{}
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

// finish puts the parts together and looks at the row as a whole. column is
// what the file calls a field.
func (d *draft) finish(constants []constant, column func(field string) string) {
	d.joinAttributes()
	d.joinPairs()
	for _, c := range constants {
		have, name := d.row.Values.Get(c.field.Name), c.field.Name
		if have == nil {
			d.row.Values.Set(name, c.value)
			continue
		}
		if bytes.Equal(have, c.value) {
			continue
		}
		column, _ := d.column(name)
		if c.field.Type == schema.Password {
			d.addIssue(column, "", "contradicts the flag's")
		} else {
			d.addIssue(column, have.Text(), fmt.Sprintf("%s contradicts the flag's %s", decode.Quote(have.Text()), decode.Quote(c.value.Text())))
		}
	}
	for name, v := range d.spec.Defaults {
		if d.row.Values.Get(name) == nil {
			d.row.Values.Set(name, v)
		}
	}
	for _, f := range d.spec.needed {
		if d.row.Values.Get(f.Name) != nil {
			continue
		}
		if _, wrong := d.column(f.Name); !wrong { // its own fault is told
			d.addIssue(column(f.Name), "", "missing")
		}
	}
	if d.spec.Rule != nil && d.issues == nil {
		if err := d.spec.Rule(d.row.Values); err != nil {
			d.addIssue("", "", err.Error())
		}
	}
	for _, f := range d.spec.orEmpty {
		if d.row.Values.Get(f.Name) == nil {
			d.row.Values.Set(f.Name, record.Value(`""`))
		}
	}
	if d.spec.Also == nil || d.issues != nil {
		return
	}
	if name, reason := d.spec.Also(d.row.Values); reason != "" {
		column, _ := d.column(name)
		d.addIssue(cmp.Or(column, name), "", reason)
	}
}

// joinAttributes makes one list of the attributes' columns. On update they stay
// apart, as attributes.NAME: they are to be merged into what the service holds.
func (d *draft) joinAttributes() {
	if d.attrs == nil {
		return
	}
	if column, ok := d.column("attributes"); ok {
		first, _ := d.column(attributes + string(d.attrs[0].FieldName))
		d.addIssue(first, "", fmt.Sprintf("%s sets the attributes already", decode.Quote(column)))
		return
	}
	if d.spec.Use != schema.Create {
		for _, a := range d.attrs {
			d.row.Values.Set(attributes+string(a.FieldName), record.Quote(string(a.FieldValue)))
		}
		return
	}
	list := record.Value("[]")
	for _, a := range d.attrs {
		list = schema.AddAttribute(list, string(a.FieldName), string(a.FieldValue))
	}
	d.row.Values.Set("attributes", list)
}

func (d *draft) joinPairs() {
	for f, p := range d.pairs {
		name, named := d.column(f.Name + "." + nameHalf)
		of, valued := d.column(f.Name + "." + valueHalf)
		switch column, ok := d.column(f.Name); {
		case ok:
			d.addIssue(cmp.Or(name, of), "", fmt.Sprintf("%s sets it already", decode.Quote(column)))
		case !named || !valued:
			d.addIssue(cmp.Or(name, of), "", nameHalf+" and "+valueHalf+" go together")
		default:
			d.row.Values.Set(f.Name, fmt.Appendf(nil, `{"field_name":%s,"field_value":%s}`, record.Quote(string(p.FieldName)), record.Quote(string(p.FieldValue))))
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
		out = append(out, record.Quote(item)...)
	}
	return append(out, ']')
}

func compact(v record.Value) record.Value {
	if k := v.Kind(); k == record.Array || k == record.Object {
		return v.AppendCompact(nil)
	}
	return v
}

// maxReason is how many bytes of a reason an issue shows.
const maxReason = 200

// reason words what a check of the field said about text: the value comes
// first, as short as errors show it, or not at all where it is a secret.
func reason(f *schema.Field, text string, err error) string {
	rest := err.Error()
	if quoted, bad := strconv.QuotedPrefix(rest); bad == nil {
		rest = strings.TrimSpace(rest[len(quoted):])
	}
	if len(rest) > maxReason {
		rest = strings.ToValidUTF8(rest[:maxReason], "") + "…"
	}
	if f.Type == schema.Password {
		return rest
	}
	return decode.Quote(text) + " " + rest
}
