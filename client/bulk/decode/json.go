package decode

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"reseller/client/record"
)

// A jsonDecoder reads an array of objects, or one object.
type jsonDecoder struct {
	r     *record.Reader
	state jsonState
}

type jsonState uint8

const (
	jsonStart jsonState = iota
	jsonFirst           // after the opening bracket of the array
	jsonMore            // after an element of the array
	jsonDone            // after the end of the array, or of the only object
)

func newJSONDecoder(r io.Reader) *jsonDecoder {
	j := &jsonDecoder{r: record.NewReader(r, MaxLine)}
	j.r.Line()
	return j
}

func (j *jsonDecoder) next() (RawRow, error) {
	c, err := j.r.Peek()
	fail := func(what string) (RawRow, error) { return RawRow{}, Fatal(Issue{Line: j.r.Line(), Reason: what}) }
	switch {
	case err == io.EOF && j.state == jsonDone:
		return RawRow{}, io.EOF
	case err == io.EOF && j.state == jsonStart:
		return fail("is empty: expected an array of objects, or one object")
	case err == io.EOF:
		return fail("the array is not closed")
	case err != nil:
		return RawRow{}, j.wrap(err)
	case j.state == jsonDone && c == '{':
		return fail("a second object: for one object per line, use --input-format ndjson")
	case j.state == jsonDone:
		return fail("unexpected text after the end")
	case j.state == jsonStart && c == '{':
		j.state = jsonDone
		return j.element()
	case j.state == jsonStart && c != '[':
		return fail("expected an array of objects, or one object")
	case j.state == jsonStart:
		j.state = jsonFirst
		return j.behind(c)
	case c == ']':
		j.state = jsonDone
		return j.behind(c)
	case j.state == jsonMore && c != ',':
		return fail("expected a comma or ]")
	case j.state == jsonMore:
		_ = j.r.Delim(c)
	}
	j.state = jsonMore
	return j.element()
}

// behind returns the next row behind a bracket, which comes next.
func (j *jsonDecoder) behind(bracket byte) (RawRow, error) {
	_ = j.r.Delim(bracket)
	return j.next()
}

func (j *jsonDecoder) element() (RawRow, error) {
	_, err := j.r.Peek()
	line := j.r.Line()
	if err == nil {
		var v record.Value
		if v, err = j.r.Value(); err == nil {
			return objectRow(line, v), nil
		}
	}
	if record.UnexpectedEOF(err) == io.ErrUnexpectedEOF {
		err = Fatal(Issue{Line: line, Reason: "the value that begins here is incomplete"})
	}
	return RawRow{}, j.wrap(err)
}

// wrap returns an error of the reader with its line.
func (j *jsonDecoder) wrap(err error) error {
	if syntax, ok := errors.AsType[*record.SyntaxError](err); ok {
		return Fatal(Issue{Line: j.r.LineOf(syntax), Reason: "invalid JSON: " + syntax.Message})
	}
	if err == record.ErrTooLarge {
		return tooLong(j.r.Line())
	}
	return err
}

// objectRow returns the row of one JSON value. A value that is no object is an issue of the row.
func objectRow(line int, v record.Value) RawRow {
	row := RawRow{Line: line}
	if bad := invalidText(string(v)); bad != "" {
		row.Issues = []Issue{{Line: line, Reason: bad}}
	}
	if v.Kind() != record.Object {
		row.Issues = append(row.Issues, Issue{Line: line, Reason: fmt.Sprintf("is %s, not an object", v.Kind())})
		row.Cells = []string{string(v)}
		return row
	}
	row.Object = v.AppendCompact(nil)
	row.Cells = []string{string(row.Object)}
	return row
}

// An ndjsonDecoder reads one object from each line. A line with invalid JSON is a row with an issue.
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
		v, err := record.ParseValue([]byte(line))
		if syntax, ok := errors.AsType[*record.SyntaxError](err); ok {
			row := r.lines.rawRow(line)
			row.Cells = []string{line}
			row.Issues = append(row.Issues, Issue{Line: row.Line, Reason: "invalid JSON: " + syntax.Message})
			return row, nil
		}
		return objectRow(r.lines.number, v), err
	}
}
