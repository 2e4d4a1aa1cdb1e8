package decode

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"reseller/client/record"
)

// A jsonDecoder reads an array of objects, or one object.
type jsonDecoder struct {
	r     *bufio.Reader
	line  int // the line of the next byte
	state jsonState
	buf   []byte // the value that is being read
}

// A jsonState is the place in the file that a jsonDecoder has reached.
type jsonState uint8

const (
	jsonStart jsonState = iota
	jsonFirst           // after the opening bracket of the array
	jsonMore            // after an element of the array
	jsonDone            // after the end of the array, or of the only object
)

func newJSONDecoder(r io.Reader) *jsonDecoder {
	return &jsonDecoder{r: bufio.NewReaderSize(r, bufferSize(r)), line: 1}
}

func (j *jsonDecoder) next() (RawRow, error) {
	c, err := j.peek()
	switch {
	case err == io.EOF && j.state == jsonDone:
		return RawRow{}, io.EOF
	case err == io.EOF && j.state == jsonStart:
		return RawRow{}, j.fail("is empty: expected an array of objects, or one object")
	case err == io.EOF:
		return RawRow{}, j.fail("the array is not closed")
	case err != nil:
		return RawRow{}, err
	case j.state == jsonDone && c == '{':
		return RawRow{}, j.fail("a second object: for one object per line, use --input-format ndjson")
	case j.state == jsonDone:
		return RawRow{}, j.fail("unexpected text after the end")
	}
	switch {
	case j.state == jsonStart && c == '{':
		j.state = jsonDone
		return j.element()
	case j.state == jsonStart && c != '[':
		return RawRow{}, j.fail("expected an array of objects, or one object")
	case j.state == jsonStart:
		j.state = jsonFirst
		_, _ = j.r.ReadByte()
		return j.next()
	case j.state == jsonMore && c == ',':
		_, _ = j.r.ReadByte()
		if _, err := j.peek(); err != nil && err != io.EOF {
			return RawRow{}, err
		}
		return j.element()
	case c == ']':
		j.state = jsonDone
		_, _ = j.r.ReadByte()
		return j.next()
	case j.state == jsonMore:
		return RawRow{}, j.fail("expected a comma or ]")
	}
	j.state = jsonMore
	return j.element()
}

// fail returns an error at the line of the next byte.
func (j *jsonDecoder) fail(what string) error { return Fatal(Issue{Line: j.line, Reason: what}) }

// peek skips white space and returns the next byte without reading it.
func (j *jsonDecoder) peek() (byte, error) {
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

// element reads one value, which begins with the next byte.
func (j *jsonDecoder) element() (RawRow, error) {
	start := j.line
	if err := j.readValue(); err == io.EOF {
		return RawRow{}, Fatal(Issue{Line: start, Reason: "the value that begins here is incomplete"})
	} else if err != nil {
		return RawRow{}, err
	}
	row, err := objectRow(start, j.buf)
	if syntax, ok := errors.AsType[*record.SyntaxError](err); ok {
		line := start + bytes.Count(j.buf[:min(int(syntax.Offset), len(j.buf))], []byte("\n"))
		return RawRow{}, Fatal(Issue{Line: line, Reason: "invalid JSON: " + syntax.Message})
	}
	return row, err
}

// readValue reads one value into buf. It counts brackets and braces outside of strings to
// find the end, and does not check the syntax otherwise.
func (j *jsonDecoder) readValue() error {
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
			return j.r.UnreadByte() // the byte ends a number, true, false or null
		}
		if j.buf = append(j.buf, c); len(j.buf) > MaxLine {
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

// objectRow returns the row of one JSON value. A value that is no object is an issue of
// the row, while invalid syntax is an error.
func objectRow(line int, text []byte) (RawRow, error) {
	v, err := record.ParseValue(text)
	if err != nil {
		return RawRow{}, err
	}
	row := RawRow{Line: line}
	if bad := invalidText(string(v)); bad != "" {
		row.Issues = []Issue{{Line: line, Reason: bad}}
	}
	if v.Kind() != record.Object {
		row.Issues = append(row.Issues, Issue{Line: line, Reason: fmt.Sprintf("is %s, not an object", v.Kind())})
		row.Cells = []string{string(v)}
		return row, nil
	}
	row.Object = v.AppendCompact(nil)
	row.Cells = []string{string(row.Object)}
	return row, nil
}

// An ndjsonDecoder reads one object from each line. A line with invalid JSON is a row with
// an issue.
type ndjsonDecoder struct{ lines *lineReader }

func (r *ndjsonDecoder) next() (RawRow, error) {
	for {
		line, err := r.lines.nextNonEmpty()
		if err != nil {
			return RawRow{}, err
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		row, err := objectRow(r.lines.number, []byte(line))
		if syntax, ok := errors.AsType[*record.SyntaxError](err); ok {
			row = r.lines.rawRow(line)
			row.Cells = []string{line}
			row.Issues = append(row.Issues, Issue{Line: row.Line, Reason: "invalid JSON: " + syntax.Message})
			return row, nil
		}
		return row, err
	}
}
