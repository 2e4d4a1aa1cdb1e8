package bulk

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"reseller/client/record"
)

// jsonReader reads an array of objects, or one object.
type jsonReader struct {
	r     *bufio.Reader
	line  int // of the next byte
	state jsonState
	buf   []byte
}

type jsonState uint8

const (
	jsonStart jsonState = iota
	jsonFirst           // behind the opening bracket
	jsonMore            // behind an element
	jsonDone            // behind the last bracket or brace
)

func newJSONReader(r io.Reader) *jsonReader {
	return &jsonReader{r: bufio.NewReaderSize(r, 64<<10), line: 1}
}

func (j *jsonReader) next() (raw, error) {
	c, err := j.peek()
	switch {
	case err == io.EOF && j.state == jsonDone:
		return raw{}, io.EOF
	case err == io.EOF && j.state == jsonStart:
		return raw{}, j.fail("is empty: an array of objects, or one object, was expected")
	case err == io.EOF:
		return raw{}, j.fail("the array is not closed")
	case err != nil:
		return raw{}, err
	case j.state == jsonDone && c == '{':
		return raw{}, j.fail("a second object: one object a line is --input-format ndjson")
	case j.state == jsonDone:
		return raw{}, j.fail("something follows the end")
	}
	switch {
	case j.state == jsonStart && c == '{':
		j.state = jsonDone
		return j.element()
	case j.state == jsonStart && c != '[':
		return raw{}, j.fail("an array of objects, or one object, was expected")
	case j.state == jsonStart:
		j.state = jsonFirst
		_, _ = j.r.ReadByte()
		return j.next()
	case j.state == jsonMore && c == ',':
		_, _ = j.r.ReadByte()
		if _, err := j.peek(); err != nil && err != io.EOF {
			return raw{}, err
		}
		return j.element()
	case c == ']':
		j.state = jsonDone
		_, _ = j.r.ReadByte()
		return j.next()
	case j.state == jsonMore:
		return raw{}, j.fail("a comma or ] was expected")
	}
	j.state = jsonMore
	return j.element()
}

func (j *jsonReader) fail(what string) error { return fatal(Fault{Line: j.line, Reason: what}) }

// peek passes over white space and shows the next byte.
func (j *jsonReader) peek() (byte, error) {
	for {
		c, err := j.r.ReadByte()
		if err != nil {
			return 0, err
		}
		switch c {
		case '\n':
			j.line++
		case ' ', '\t', '\r':
		default:
			return c, j.r.UnreadByte()
		}
	}
}

// element takes one value, whose first byte is next.
func (j *jsonReader) element() (raw, error) {
	start := j.line
	if err := j.span(); err == io.EOF {
		return raw{}, fatal(Fault{Line: start, Reason: "the value that begins here is cut short"})
	} else if err != nil {
		return raw{}, err
	}
	row, err := objectRow(start, j.buf)
	var syntax *record.SyntaxError
	if errors.As(err, &syntax) {
		line := start + bytes.Count(j.buf[:min(int(syntax.Offset), len(j.buf))], []byte("\n"))
		return raw{}, fatal(Fault{Line: line, Reason: "not valid JSON: " + syntax.What})
	}
	return row, err
}

// span finds the end of a value by its brackets and quotes alone.
func (j *jsonReader) span() error {
	j.buf = j.buf[:0]
	depth, inside, escaped := 0, false, false
	for {
		c, err := j.r.ReadByte()
		if err != nil {
			return err
		}
		if c == '\n' {
			j.line++
		}
		if depth == 0 && !inside && (c == ',' || c == ']' || c == '}' || c == '\n') {
			if c == '\n' {
				j.line--
			}
			return j.r.UnreadByte() // behind a number or a word
		}
		if j.buf = append(j.buf, c); len(j.buf) > maxLine {
			return tooLong(j.line)
		}
		switch {
		case escaped:
			escaped = false
		case inside && c == '\\':
			escaped = true
		case c == '"':
			inside = !inside
		case inside:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if depth == 0 && !inside && (c == '}' || c == ']' || c == '"') {
			return nil
		}
	}
}

// objectRow makes a row of one value. An error is bad syntax; anything but an
// object is the row's fault.
func objectRow(line int, text []byte) (raw, error) {
	v, err := record.ParseValue(text)
	if err != nil {
		return raw{}, err
	}
	row := raw{line: line}
	if bad := badText(string(v)); bad != "" {
		row.faults = []Fault{{Line: line, Reason: bad}}
	}
	if v.Kind() != record.Object {
		row.faults = append(row.faults, Fault{Line: line, Reason: fmt.Sprintf("is %s, not an object", v.Kind())})
		row.cells = []string{string(v)}
		return row, nil
	}
	row.object = v.AppendCompact(nil)
	row.cells = []string{string(row.object)}
	return row, nil
}

// ndjsonReader reads one object a line. A line that is no JSON is the fault
// of that line only.
type ndjsonReader struct{ lines *lines }

func (r *ndjsonReader) next() (raw, error) {
	for {
		line, err := nextFull(r.lines)
		if err != nil {
			return raw{}, err
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		row, err := objectRow(r.lines.n, []byte(line))
		var syntax *record.SyntaxError
		if errors.As(err, &syntax) {
			row = r.lines.row(line)
			row.cells = []string{line}
			row.faults = append(row.faults, Fault{Line: row.line, Reason: "not valid JSON: " + syntax.What})
			return row, nil
		}
		return row, err
	}
}
