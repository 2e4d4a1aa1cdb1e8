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
	Name    string            `yaml:"-"` // what messages call the map file
	Columns map[string]Fields `yaml:"columns"`
	Values  map[string]Table  `yaml:"values,omitempty"` // by field
}

// A Table says by which values cells are replaced.
type Table map[string]string

// UnmarshalYAML implements yaml.Unmarshaler. A cell that is to become empty has an empty text, and not nothing.
func (t *Table) UnmarshalYAML(n *yaml.Node) error {
	wrong := &yaml.TypeError{}
	for i, value := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 && value.ShortTag() == "!!null" {
			wrong.Errors = append(wrong.Errors, fmt.Sprintf("line %d: %s has no value", value.Line, safetext.Quote(n.Content[i-1].Value)))
		}
	}
	err := n.Decode((*map[string]string)(t))
	if others, ok := errors.AsType[*yaml.TypeError](err); ok {
		wrong.Errors = append(wrong.Errors, others.Errors...)
	}
	if wrong.Errors != nil {
		return wrong
	}
	return err
}

// Fields are those that the cells of a column are values of: none if the column is passed over, two if each cell is split
// at its last space.
type Fields []string

// ParseFields returns the fields of a text as String returns it.
func ParseFields(text string) Fields {
	text = strings.TrimSpace(text)
	if list, isList := strings.CutPrefix(text, "["); isList {
		return phrase.Each(strings.Split(strings.TrimSuffix(list, "]"), ","), strings.TrimSpace)
	}
	if text == "" {
		return nil
	}
	return Fields{text}
}

// String returns the fields as a map file has them.
func (f Fields) String() string {
	text := strings.Join(f, ", ")
	if len(f) > 1 {
		text = "[" + text + "]"
	}
	return text
}

// UnmarshalYAML implements yaml.Unmarshaler: a column has a field, a list of two, or an empty text.
func (f *Fields) UnmarshalYAML(n *yaml.Node) error {
	one := ""
	if n.Kind != yaml.SequenceNode {
		if err := n.Decode(&one); err != nil || strings.TrimSpace(one) == "" {
			return err
		}
		*f = Fields{strings.TrimSpace(one)}
		return nil
	}
	if err := n.Decode((*[]string)(f)); err != nil {
		return err
	}
	for i, field := range *f {
		(*f)[i] = strings.TrimSpace(field)
	}
	if len(*f) != 2 || slices.Contains(*f, "") {
		return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: a list has two fields: those before and behind the last space of a cell", n.Line)}}
	}
	return nil
}

func (f Fields) MarshalYAML() (any, error) {
	if len(f) < 2 {
		return strings.Join(f, ""), nil
	}
	list := &yaml.Node{}
	err := list.Encode([]string(f))
	list.Style = yaml.FlowStyle
	return list, err
}

// Parse parses the text of a map file. name is what messages call the file.
func Parse(name string, text []byte) (*Mapping, error) {
	file, m := yaml.NewDecoder(bytes.NewReader(text)), &Mapping{Name: name}
	file.KnownFields(true)
	err := file.Decode(m)
	if wrong, ok := errors.AsType[*yaml.TypeError](err); ok {
		inWords := strings.NewReplacer("cannot unmarshal", "can't read", " into ", " as ", "!!map", "a mapping", "!!seq", "a list", "!!str ", "",
			"map[string]string", "a mapping", "map[string]columns.Fields", "a mapping", "map[string]columns.Table", "a mapping", "columns.Mapping", "columns and values")
		return m, m.Error(phrase.Each(wrong.Errors, inWords.Replace)...)
	}
	switch more := file.Decode(&yaml.Node{}); {
	case err != nil && err != io.EOF:
		return m, m.Error("invalid YAML: " + safetext.Shorten(strings.TrimPrefix(err.Error(), "yaml: ")))
	case m.Columns == nil && m.Values == nil:
		return m, m.Error("has neither columns nor values")
	case more != io.EOF:
		return m, m.Error("has another document")
	}
	for name := range m.Columns {
		if strings.TrimSpace(name) == "" {
			return m, m.Error("columns: a column has no name")
		}
	}
	for _, field := range slices.Sorted(maps.Keys(m.Values)) {
		if m.Values[field] == nil {
			return m, m.Error("values: " + safetext.Quote(field) + " has no value")
		}
	}
	return m, nil
}

// Error returns the error of a map file of which something is wrong.
func (m *Mapping) Error(reasons ...string) error {
	return &decode.FileError{What: m.Name + ": " + strings.Join(reasons, "; ")}
}

func (m *Mapping) Write(w io.Writer) error {
	out := yaml.NewEncoder(w)
	out.SetIndent(2)
	if err := out.Encode(m); err != nil {
		return err
	}
	return out.Close()
}
