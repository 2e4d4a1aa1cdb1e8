// Package columns says what the columns of a file are called and what they mean: it compares
// names, and reads and writes map files. It knows no field.
package columns

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"reseller/client/bulk/decode"
	"reseller/client/phrase"
	"reseller/client/safetext"
)

// Fold returns the letters and digits of a name, case folded. Columns whose names have the
// same ones mean the same: E-Mail and email, ZIP code and zip_code.
func Fold(name string) string {
	folded := strings.ToLower(name)
	if strings.IndexFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		folded = norm.NFC.String(cases.Fold().String(norm.NFC.String(name)))
	}
	inWord := false
	return strings.Map(func(r rune) rune {
		inWord = unicode.IsLetter(r) || unicode.IsDigit(r) || inWord && unicode.IsMark(r)
		if !inWord {
			return -1
		}
		return r
	}, folded)
}

// A Mapping says what the columns of a file mean. Parse reads it from a map file, and Write writes one.
type Mapping struct {
	Name    string // what messages call the map file
	Columns []Column
	Values  []Table
}

// A Column says which fields the cells of a column are values of: none if the column is
// passed over, two if each cell is split at its last space.
type Column struct {
	Name   string
	Fields []string
	Line   int // the line of the map file
}

// String returns the fields as a map file has them.
func (c *Column) String() string {
	text := strings.Join(c.Fields, ", ")
	if len(c.Fields) > 1 {
		text = "[" + text + "]"
	}
	return text
}

// A Table says by which values the cells of a field are replaced.
type Table struct {
	Field string
	Cells map[string]string
	Line  int // the line of the map file
}

// Parse parses the text of a map file. name is what messages call the file.
func Parse(name string, text []byte) (*Mapping, error) {
	p := mapParser{mapping: &Mapping{Name: name}}
	p.parse(text)
	return p.mapping, p.mapping.Check(&p.issues)
}

// Check returns the error of a map file with these issues, nil if there are none.
func (m *Mapping) Check(issues *decode.Error) error {
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
		p.issues.Add(decode.Issue{Reason: "invalid YAML: " + safetext.Shorten(strings.TrimPrefix(err.Error(), "yaml: "))})
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
	c := Column{Name: name, Line: n.Line}
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
			p.add(n, name, "the list has %s, not the two that a cell is split into at its last space", phrase.Count(len(c.Fields), "field", "fields"))
			return
		}
	default:
		p.add(n, name, "is %s, not a field, a list of two fields, or \"\", which passes the column over", kindOf(n))
		return
	}
	p.mapping.Columns = append(p.mapping.Columns, c)
}

func (p *mapParser) table(field string, n *yaml.Node) {
	t := Table{Field: field, Cells: map[string]string{}, Line: n.Line}
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

// isText reports whether a node is a scalar other than null. Its text counts, whatever type YAML gives it: NO is a country.
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
	return safetext.Quote(n.Value)
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
		columns.Content = append(columns.Content, textNode(c.Name), fields)
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
