package rows

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"reseller/client/bulk/decode"
)

// A Mapping says what the columns of a file mean. ParseMapping reads it from a map file, and
// Write writes one.
type Mapping struct {
	Name    string // what messages call the map file
	Columns []ColumnMapping
	Values  []ValueTable
}

// A ColumnMapping says which fields the cells of a column are values of: none if the column
// is passed over, two if each cell is split at its last space.
type ColumnMapping struct {
	Column string
	Fields []string

	line  int  // the line of the map file
	given bool // by Schema.Map, or by the answer to a question
	plain bool // the column has this field without a mapping as well
}

// A ValueTable says by which values the cells of a field are replaced.
type ValueTable struct {
	Field string
	Cells map[string]string

	line int // the line of the map file
}

// ParseMapping parses the text of a map file. name is what messages call the file.
func ParseMapping(name string, text []byte) (*Mapping, error) {
	p := mapParser{mapping: &Mapping{Name: name}}
	p.parse(text)
	return p.mapping, p.mapping.failed(&p.issues)
}

// failed returns the error of a map file with these issues, nil if there are none.
func (m *Mapping) failed(issues *decode.Error) error {
	if issues.Issues == nil {
		return nil
	}
	return &decode.FileError{What: m.Name + ": " + strings.ReplaceAll(issues.Error(), "\n", "; ")}
}

// A mapParser reads a Mapping and collects the issues.
type mapParser struct {
	mapping *Mapping
	issues  decode.Error
}

func (p *mapParser) add(n *yaml.Node, key, format string, args ...any) {
	p.issues.Add(decode.Issue{Line: n.Line, Column: key, Reason: fmt.Sprintf(format, args...)})
}

func (p *mapParser) parse(text []byte) {
	var doc, more yaml.Node
	file := yaml.NewDecoder(bytes.NewReader(text))
	err := file.Decode(&doc)
	if err == nil {
		if next := file.Decode(&more); next == nil {
			p.add(&more, "", "another document begins")
		} else if !errors.Is(next, io.EOF) {
			err = next
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		p.issues.Add(decode.Issue{Reason: "invalid YAML: " + decode.Shorten(strings.TrimPrefix(err.Error(), "yaml: "))})
		return
	}
	if len(doc.Content) == 0 {
		p.issues.Add(decode.Issue{Reason: "has neither columns nor values"})
		return
	}
	p.each(doc.Content[0], "", "columns and values", func(key string, n *yaml.Node) {
		switch key {
		case "columns":
			p.each(n, key, "columns, each with its field", p.column)
		case "values":
			p.each(n, key, "fields, each with its cells", p.table)
		default:
			p.add(n, key, "unknown key: a map file has columns and values")
		}
	})
}

// each calls do for each key of a mapping that names what.
func (p *mapParser) each(n *yaml.Node, key, what string, do func(key string, n *yaml.Node)) {
	n = resolve(n)
	if n.Kind != yaml.MappingNode {
		p.add(n, key, "is %s, not a mapping of %s", kindOf(n), what)
		return
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := resolve(n.Content[i]), resolve(n.Content[i+1])
		text := strings.TrimSpace(name.Value)
		first := lines[text]
		switch {
		case name.Kind != yaml.ScalarNode:
			p.add(name, key, "has a key that is %s", kindOf(name))
		case first > 0:
			p.add(name, text, "is given on line %d too", first)
		default:
			lines[text] = name.Line
			do(text, value)
		}
	}
}

func (p *mapParser) column(name string, n *yaml.Node) {
	c := ColumnMapping{Column: name, line: n.Line}
	switch {
	case name == "":
		p.add(n, "columns", "a column without a name")
	case isText(n) && strings.TrimSpace(n.Value) == "":
	case isText(n):
		c.Fields = []string{strings.TrimSpace(n.Value)}
	case n.Kind == yaml.SequenceNode:
		for _, item := range n.Content {
			if item = resolve(item); !isText(item) || strings.TrimSpace(item.Value) == "" {
				p.add(item, name, "the list has an item that is no field")
				return
			}
			c.Fields = append(c.Fields, strings.TrimSpace(item.Value))
		}
		if len(c.Fields) != 2 {
			p.add(n, name, "the list has %d fields, not the two that a cell is split into at its last space", len(c.Fields))
			return
		}
	default:
		p.add(n, name, "is %s, not a field, a list of two fields, or \"\", which passes the column over", kindOf(n))
		return
	}
	p.mapping.Columns = append(p.mapping.Columns, c)
}

func (p *mapParser) table(field string, n *yaml.Node) {
	t := ValueTable{Field: field, Cells: map[string]string{}, line: n.Line}
	p.each(n, field, "cells, each with its value", func(cell string, n *yaml.Node) {
		if !isText(n) {
			p.add(n, cell, "is %s, not a value", kindOf(n))
			return
		}
		t.Cells[cell] = n.Value
	})
	p.mapping.Values = append(p.mapping.Values, t)
}

// resolve returns the node that an alias stands for, and any other node as it is.
func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// isText reports whether a node is a scalar other than null. Its text counts, whatever
// type YAML gives it: NO is a country.
func isText(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() != "!!null" }

func kindOf(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case !isText(n):
		return "empty"
	}
	return decode.Quote(n.Value)
}

// checkMapFile checks the fields of MapFile, and sets values.
func (s *Schema) checkMapFile() error {
	if s.MapFile == nil {
		return nil
	}
	issues := &decode.Error{}
	for _, c := range s.MapFile.Columns {
		t, why := s.bindFields(c.Column, c.Fields)
		if t != nil && t.kind == kindSplit && t.parts[0].key == t.parts[1].key {
			why = "splits a cell into twice the same field"
		}
		if why != "" {
			issues.Add(decode.Issue{Line: c.line, Column: c.Column, Reason: why})
		}
	}
	for _, table := range s.MapFile.Values {
		t, why := s.bindFields("", []string{table.Field})
		switch {
		case t == nil:
		case t.isIgnored():
			why = "is no field"
		case t.isSecret():
			why = "is a password, and no map file may hold one"
		case s.values[t.key] != nil:
			why = "is the field of another table too"
		}
		if why != "" {
			issues.Add(decode.Issue{Line: table.line, Column: table.Field, Reason: why})
			continue
		}
		if s.values == nil {
			s.values = map[string]map[string]string{}
		}
		s.values[t.key] = table.Cells
	}
	return s.MapFile.failed(issues)
}

// replace returns the value that MapFile gives for a cell, otherwise the cell itself.
func (s *Schema) replace(t *binding, cell string) string {
	if value, ok := s.values[t.key][strings.TrimSpace(cell)]; ok {
		return value
	}
	return cell
}

// keepMapping remembers what a binder has bound.
func (s *Source) keepMapping(names *binder) {
	s.mapping, s.hasValues = Mapping{Columns: names.inForce}, map[string]bool{}
	for _, b := range names.bound {
		if b.binding != nil {
			for _, key := range b.binding.keys() {
				s.hasValues[key] = true
			}
		}
	}
	if file := s.schema.MapFile; file != nil {
		s.mapping.Values = file.Values
		for _, c := range file.Columns {
			if !names.used[c.Column] {
				c.plain = true // it means nothing in this file
				s.mapping.Columns = append(s.mapping.Columns, c)
			}
		}
	}
}

// Mapping returns what the columns of the file mean, apart from those with the exact names
// of their fields. If the format has no header, it is known after Validate.
func (s *Source) Mapping() *Mapping { return &s.mapping }

// MappingKey returns a text for each column whose field a mapping has changed, and for each
// table of values that the file needs. Files with the same content and the same key have
// the same rows.
func (s *Source) MappingKey() map[string]string {
	key := map[string]string{}
	for _, c := range s.mapping.Columns {
		if c.plain {
			continue
		}
		key[c.Column] = strings.Join(c.Fields, ", ")
		if len(c.Fields) > 1 {
			key[c.Column] = "[" + key[c.Column] + "]"
		}
	}
	for _, field := range slices.Sorted(maps.Keys(s.schema.values)) {
		if s.hasValues[field] {
			text, _ := json.Marshal(s.schema.values[field]) // a map of strings gives no error, and its keys are sorted
			key["values of "+field] = string(text)
		}
	}
	return key
}

// Write writes the mapping as a map file.
func (m *Mapping) Write(w io.Writer) error {
	file := mapNode()
	columns := mapNode()
	for _, c := range m.Columns {
		fields := textNode(strings.Join(c.Fields, ""))
		if len(c.Fields) > 1 {
			fields = &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
			for _, field := range c.Fields {
				fields.Content = append(fields.Content, textNode(field))
			}
		}
		columns.Content = append(columns.Content, textNode(c.Column), fields)
	}
	file.Content = append(file.Content, textNode("columns"), columns)
	if m.Values != nil {
		tables := mapNode()
		for _, t := range m.Values {
			cells := mapNode()
			for _, cell := range slices.Sorted(maps.Keys(t.Cells)) {
				cells.Content = append(cells.Content, textNode(cell), textNode(t.Cells[cell]))
			}
			tables.Content = append(tables.Content, textNode(t.Field), cells)
		}
		file.Content = append(file.Content, textNode("values"), tables)
	}
	out := yaml.NewEncoder(w)
	out.SetIndent(2)
	if err := out.Encode(file); err != nil {
		return err
	}
	return out.Close()
}

func mapNode() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode} }

func textNode(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}
