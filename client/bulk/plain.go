package bulk

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"reseller/client/record"
	"reseller/client/schema"
)

// plainRows makes rows of which nothing is to be told, of files whose columns are
// whole fields. Most are. It gives up wherever anything is unusual, and a draft
// makes the row.
type plainRows struct {
	spec    *Spec
	columns []plainColumn
	rest    Values // of fields that are no column
}

type plainColumn struct {
	name     string // empty: the column is passed over,
	nameless bool   // where there is nothing in it
	field    *schema.Field
	line     bool
	check    bool
	needed   bool
	clears   bool         // an empty cell says something
	fixed    record.Value // what a flag gives to all rows
	absent   record.Value // what an empty cell stands for
	text     string       // of the row before,
	json     record.Value // and what became of it
}

// newPlain is nil where the columns are not of that kind.
func newPlain(s *Source) *plainRows {
	if s.targets == nil || s.spec.Rule != nil && s.spec.orEmpty != nil { // a rule is asked before those are there
		return nil
	}
	p := &plainRows{spec: &s.spec, columns: make([]plainColumn, len(s.targets))}
	always := Values{}
	for _, f := range s.spec.orEmpty {
		always.Set(f.Name, record.Value(`""`))
	}
	for name, v := range s.spec.Defaults {
		always.Set(name, v)
	}
	fixed := Values{}
	for _, c := range s.constants {
		fixed.Set(c.field.Name, c.value)
		always.Set(c.field.Name, c.value)
	}
	taken := map[string]bool{}
	for i, t := range s.targets {
		c := &p.columns[i]
		if t.passed() {
			c.nameless = t.kind == unnamed
			continue
		}
		if t.kind != whole || slices.Contains([]schema.Type{schema.List, schema.Attributes, schema.Pair}, t.field.Type) {
			return nil
		}
		name := t.field.Name
		taken[name] = true
		*c = plainColumn{
			name: name, field: t.field, line: t.line(), check: s.spec.checks(t.field), clears: s.spec.EmptyClears && s.spec.clears(t),
			fixed: fixed.Get(name), absent: always.Get(name),
		}
		c.needed = c.absent == nil && slices.ContainsFunc(s.spec.needed, func(f *schema.Field) bool { return f.Name == name })
	}
	for _, v := range always {
		if !taken[v.name] {
			p.rest = append(p.rest, v)
		}
	}
	for _, f := range s.spec.needed {
		if !taken[f.Name] && p.rest.Get(f.Name) == nil {
			return nil
		}
	}
	return p
}

// row gives a row its values and tells whether it could.
func (p *plainRows) row(at *Row) bool {
	if p == nil || len(at.Cells) != len(p.columns) {
		return false
	}
	values := slices.Grow(at.Values[:0], len(p.columns)+len(p.rest))[:len(p.columns)]
	n := 0
	for i := range p.columns {
		c, cell := &p.columns[i], at.Cells[i]
		if c.line {
			cell = trimSpace(cell)
		}
		json := c.absent
		switch {
		case c.name == "":
			if c.nameless && cell != "" {
				return false
			}
			continue
		case cell == "":
			if c.needed || c.clears {
				return false
			}
			if json == nil {
				continue
			}
		default:
			if c.text != cell && !c.take(cell) || c.fixed != nil && !bytes.Equal(c.fixed, c.json) {
				return false
			}
			json = c.json
		}
		v := &values[n] // a composite would be made elsewhere first
		v.name, v.json = c.name, json
		n++
	}
	at.Values = append(values[:n], p.rest...)
	if p.spec.Rule != nil && p.spec.Rule(at.Values) != nil {
		return false
	}
	if p.spec.Also != nil {
		if _, reason := p.spec.Also(at.Values); reason != "" {
			return false
		}
	}
	return true
}

// take makes the value of a cell that the row before did not have.
func (c *plainColumn) take(cell string) bool {
	json, err := c.field.AppendText(c.json[:0], cell, c.check)
	if err != nil {
		c.text = ""
		return false
	}
	c.text, c.json = cell, json
	return true
}

// trimSpace is strings.TrimSpace, sooner done where there is nothing to trim.
func trimSpace(s string) string {
	if s == "" || s[0] > ' ' && s[0] < utf8.RuneSelf && s[len(s)-1] > ' ' && s[len(s)-1] < utf8.RuneSelf {
		return s
	}
	return strings.TrimSpace(s)
}
