package bulk

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"reseller/client/record"
)

// yamlReader reads a list of mappings, or several documents. The file is cut
// at the dashes of the list and at the document marks, so that no more than
// one row of a block list is in memory.
type yamlReader struct {
	lines   *lines
	chunk   []byte
	start   int    // the line on which chunk begins
	dash    []byte // what an item of this document's list begins with, nil where it is no list
	content bool   // chunk holds more than comments
	ended   bool
	rows    []raw // rows of the last chunk that were not given yet
}

func (y *yamlReader) next() (raw, error) {
	for len(y.rows) == 0 {
		if y.ended {
			return raw{}, io.EOF
		}
		if err := y.fill(); err != nil {
			return raw{}, err
		}
	}
	row := y.rows[0]
	y.rows = y.rows[1:]
	return row, nil
}

// fill reads up to the end of a chunk and takes its rows.
func (y *yamlReader) fill() error {
	for {
		text, err := y.lines.next()
		if err == io.EOF {
			y.ended = true
			return y.flush(nil, y.lines.n+1)
		}
		if err != nil {
			return err
		}
		if bad := y.lines.bad(text); bad != "" {
			return fatal(Fault{Line: y.lines.n, Reason: bad})
		}
		line := []byte(text)
		trimmed := bytes.TrimLeft(line, " ")
		marker := bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))
		switch {
		case marker && (len(line) == 3 || line[3] == ' ' || line[3] == '\t'):
			y.dash = nil
			return y.flush(append([]byte("   "), line[3:]...), y.lines.n)
		case !y.content && bytes.HasPrefix(line, []byte("%")):
			line = nil // a directive
		case !y.content && isDash(trimmed):
			y.dash = bytes.Clone(line[:len(line)-len(trimmed)+1])
		case y.content && y.dash != nil && bytes.HasPrefix(line, y.dash) && isDash(trimmed):
			return y.flush(line, y.lines.n)
		}
		y.add(line)
		if len(y.chunk) > maxLine {
			return tooLong(y.start)
		}
	}
}

func isDash(s []byte) bool { return len(s) > 0 && s[0] == '-' && (len(s) == 1 || s[1] == ' ') }

func (y *yamlReader) add(line []byte) {
	y.chunk = append(append(y.chunk, line...), '\n')
	trimmed := bytes.TrimSpace(line)
	y.content = y.content || len(trimmed) > 0 && trimmed[0] != '#'
}

// flush takes the rows of the chunk and begins the next one with line.
func (y *yamlReader) flush(line []byte, number int) error {
	var err error
	if y.content {
		y.rows, err = yamlRows(y.chunk, max(y.start, 1))
	}
	y.chunk, y.content, y.start = y.chunk[:0], false, number
	if line != nil {
		y.add(line)
	}
	return err
}

func yamlRows(chunk []byte, start int) ([]raw, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(chunk, &doc); err != nil {
		return nil, yamlError(err, start)
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	items := []*yaml.Node{doc.Content[0]}
	if items[0].Kind == yaml.SequenceNode {
		items = items[0].Content
	}
	rows := make([]raw, 0, len(items))
	for _, item := range items {
		line := start + item.Line - 1
		w := yamlWriter{}
		if err := w.node(item, 0); err != nil {
			return nil, fatal(Fault{Line: line, Reason: err.Error()})
		}
		row, err := objectRow(line, w.out)
		if err != nil {
			return nil, fatal(Fault{Line: line, Reason: err.Error()})
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// yamlError moves the line that the library counts from the chunk's beginning.
func yamlError(err error, start int) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := start
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		number, what, _ := strings.Cut(rest, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			line, text = start+n-1, what
		}
	}
	if strings.HasPrefix(text, "unknown anchor") { // the name of which may be a password
		text = "no such anchor; a text that begins with * needs quotes"
	}
	return fatal(Fault{Line: line, Reason: "not valid YAML: " + Shorten(text)})
}

// yamlWriter writes a node as JSON. Scalars become strings as they stand in
// the file, so that 01234 stays a postal code; what they are is the field's
// business.
type yamlWriter struct {
	out   []byte
	nodes int
}

const (
	maxYAMLDepth = 64
	maxYAMLNodes = 1 << 20 // with those that aliases repeat
)

func (w *yamlWriter) node(n *yaml.Node, depth int) error {
	if w.nodes++; w.nodes > maxYAMLNodes || len(w.out) > maxLine {
		return fmt.Errorf("is too large, aliases included")
	}
	if depth > maxYAMLDepth {
		return fmt.Errorf("is nested too deep")
	}
	switch n.Kind {
	case yaml.AliasNode:
		return w.node(n.Alias, depth+1)
	case yaml.MappingNode:
		w.out = append(w.out, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind == yaml.AliasNode {
				key = key.Alias
			}
			if key.Kind != yaml.ScalarNode {
				return fmt.Errorf("a name that is no text")
			}
			w.comma()
			w.out = append(append(w.out, yamlQuote(key.Value)...), ':')
			if err := w.node(n.Content[i+1], depth+1); err != nil {
				return err
			}
		}
		w.out = append(w.out, '}')
	case yaml.SequenceNode:
		w.out = append(w.out, '[')
		for _, item := range n.Content {
			w.comma()
			if err := w.node(item, depth+1); err != nil {
				return err
			}
		}
		w.out = append(w.out, ']')
	default:
		if n.ShortTag() == "!!null" {
			w.out = append(w.out, "null"...)
		} else {
			w.out = append(w.out, yamlQuote(n.Value)...)
		}
	}
	return nil
}

func (w *yamlWriter) comma() {
	if last := w.out[len(w.out)-1]; last != '{' && last != '[' {
		w.out = append(w.out, ',')
	}
}

// yamlQuote is s as JSON that is YAML as well: characters that YAML forbids
// are escaped.
func yamlQuote(s string) record.Value {
	out := record.Quote(s)
	if !bytes.ContainsFunc(out, forbidden) {
		return out
	}
	var safe []byte
	for _, r := range string(out) {
		if forbidden(r) {
			safe = fmt.Appendf(safe, `\u%04x`, r)
		} else {
			safe = append(safe, string(r)...)
		}
	}
	return safe
}

func forbidden(r rune) bool {
	return r >= 0x7f && r <= 0x9f || r == 0xfeff || r == 0xfffe || r == 0xffff
}
