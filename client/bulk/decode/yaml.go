package decode

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/safetext"
)

// A yamlReader reads documents, each of which is a mapping or a list of mappings. It splits the file into chunks at the
// dashes of lists and at the document markers, and parses one chunk at a time, so that a large list needs little memory. It
// reads a last line without a line feed as if it had one.
type yamlReader struct {
	lines      *lineReader
	chunk      []byte
	start      int      // the line on which chunk begins
	dash       []byte   // the indentation and the dash of the document's list items, nil if the document is no list
	hasContent bool     // chunk contains something else than comments and empty lines
	ended      bool     // the file has no further lines
	rows       []RawRow // of the last chunk
}

func yamlRows(text io.Reader, words phrase.Wording) Rows {
	return func(yield func(*RawRow, error) bool) {
		for y := (yamlReader{lines: newLineReader(text, words), start: 1}); !y.ended; {
			if err := y.fill(); err != nil {
				yield(nil, err)
				return
			}
			for i := range y.rows {
				if !yield(&y.rows[i], nil) {
					return
				}
			}
		}
	}
}

// fill reads to the end of a chunk and decodes its rows.
func (y *yamlReader) fill() error {
	for {
		text, err := y.lines.nextToLF()
		if err == io.EOF {
			y.ended = true
			return y.flush(nil, y.lines.number+1)
		}
		if err != nil {
			return err
		}
		if bad := y.lines.invalid(text); bad != "" {
			return Fatal(Issue{Line: y.lines.number, Reason: bad})
		}
		line := []byte(text)
		trimmed := bytes.TrimLeft(line, " ")
		marker := bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))
		switch {
		case marker && (len(line) == 3 || bytes.IndexByte([]byte(" \t\r"), line[3]) >= 0):
			y.dash = nil
			return y.flush(append([]byte("   "), line[3:]...), y.lines.number)
		case !y.hasContent && bytes.HasPrefix(line, []byte("%")):
			line = nil // leaves out a directive such as %YAML, which a chunk may not contain
		case !y.hasContent && isDash(trimmed):
			y.dash = bytes.Clone(line[:len(line)-len(trimmed)+1])
		case y.hasContent && y.dash != nil && bytes.HasPrefix(line, y.dash) && isDash(trimmed):
			return y.flush(line, y.lines.number)
		}
		y.add(line)
		if len(y.chunk) > MaxLine {
			return tooLong(y.start)
		}
	}
}

func isDash(s []byte) bool {
	return len(s) > 0 && s[0] == '-' && (len(s) == 1 || s[1] == ' ' || s[1] == '\r')
}

func (y *yamlReader) add(line []byte) {
	y.chunk = append(append(y.chunk, line...), '\n')
	trimmed := bytes.Trim(line, " \t\r")
	// A comment ends at these characters too, which are line ends in YAML.
	isComment := bytes.HasPrefix(trimmed, []byte("#")) && !bytes.ContainsAny(trimmed, "\r\u0085\u2028\u2029")
	y.hasContent = y.hasContent || len(trimmed) > 0 && !isComment
}

// flush decodes the rows of the chunk and begins the next chunk with line, whose number
// is number. If line is nil, the next chunk is empty.
func (y *yamlReader) flush(line []byte, number int) error {
	var err error
	if y.rows = nil; y.hasContent {
		y.rows, err = rowsOfYAML(y.chunk, max(y.start, 1))
	}
	y.chunk, y.hasContent, y.start = y.chunk[:0], false, number
	if line != nil {
		y.add(line)
	}
	return err
}

func rowsOfYAML(chunk []byte, start int) ([]RawRow, error) {
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
	rows := make([]RawRow, 0, len(items))
	for _, item := range items {
		line := start + item.Line - 1
		w := yamlToJSON{}
		if err := w.node(item, 0); err != nil {
			return nil, Fatal(Issue{Line: line, Reason: err.Error()})
		}
		rows = append(rows, objectRow(line, w.out))
	}
	return rows, nil
}

// yamlError replaces the line in the chunk, which the library reports, by the line in the file.
func yamlError(err error, start int) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := start
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		number, what, _ := strings.Cut(rest, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			line, text = start+n-1, what
		}
	}
	if strings.HasPrefix(text, "unknown anchor") { // the name of the anchor may be a password that begins with *
		text = "no such anchor here; put a text that begins with * in quotes"
	}
	return Fatal(Issue{Line: line, Reason: "invalid YAML: " + safetext.Shorten(text)})
}

// A yamlToJSON converts a node to JSON. A scalar becomes a string with the same text as in the file, so that the postal code
// 01234 keeps its zero. Package rows converts the text according to the type of its field.
type yamlToJSON struct {
	out   []byte
	nodes int // the number of nodes converted so far
}

const (
	maxYAMLDepth = 64
	maxYAMLNodes = 1 << 20 // the nodes of an alias count each time it is used
)

func (w *yamlToJSON) node(n *yaml.Node, depth int) error {
	if w.nodes++; w.nodes > maxYAMLNodes || len(w.out) > MaxLine {
		return errors.New("is too large, aliases included")
	}
	if depth > maxYAMLDepth {
		return errors.New("is nested too deeply")
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
				return errors.New("has a key that is not a string")
			}
			w.comma()
			w.out = append(append(w.out, record.QuoteYAML(key.Value)...), ':')
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
			w.out = append(w.out, record.QuoteYAML(n.Value)...)
		}
	}
	return nil
}

func (w *yamlToJSON) comma() {
	if last := w.out[len(w.out)-1]; last != '{' && last != '[' {
		w.out = append(w.out, ',')
	}
}
