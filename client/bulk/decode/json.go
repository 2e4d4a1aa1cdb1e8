package decode

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"reseller/client/record"
)

// A jsonReader reads an array of objects, or one object.
type jsonReader struct {
	*record.Reader
	yield func(*RawRow, error) bool
}

func jsonRows(text io.Reader) Rows {
	return func(yield func(*RawRow, error) bool) {
		j := jsonReader{record.NewReader(text, MaxLine), yield}
		j.Line()
		if err := j.rows(); err != nil {
			yield(nil, err)
		}
	}
}

func (j *jsonReader) rows() error {
	switch c, err := j.Peek(); {
	case err == io.EOF:
		return j.fail("is empty: expected an array of objects, or one object")
	case err != nil:
		return j.wrap(err)
	case c == '{':
		if more, err := j.element(); !more {
			return err
		}
	case c != '[':
		return j.fail("expected an array of objects, or one object")
	default:
		if more, err := j.array(); !more {
			return err
		}
	}
	switch c, err := j.Peek(); {
	case err == io.EOF:
		return nil
	case err != nil:
		return j.wrap(err)
	case c == '{':
		return j.fail("a second object: for one object per line, use --input-format ndjson")
	}
	return j.fail("unexpected text after the end")
}

// array reads an array, and reports whether its end was read.
func (j *jsonReader) array() (more bool, err error) {
	_ = j.Delim('[')
	for isFirst := true; ; isFirst = false {
		c, err := j.Peek()
		switch {
		case err == io.EOF:
			return false, j.fail("the array is not closed")
		case err != nil:
			return false, j.wrap(err)
		case c == ']':
			return true, j.Delim(c)
		case isFirst:
		case c != ',':
			return false, j.fail("expected a comma or ]")
		default:
			_ = j.Delim(c)
		}
		if more, err := j.element(); !more {
			return false, err
		}
	}
}

func (j *jsonReader) fail(what string) error { return Fatal(Issue{Line: j.Line(), Reason: what}) }

// element reads the next row, and reports whether more are asked for.
func (j *jsonReader) element() (more bool, err error) {
	_, err = j.Peek()
	line := j.Line()
	if err == nil {
		var v record.Value
		if v, err = j.Value(); err == nil {
			row := objectRow(line, v)
			return j.yield(&row, nil), nil
		}
	}
	if record.UnexpectedEOF(err) == io.ErrUnexpectedEOF {
		err = Fatal(Issue{Line: line, Reason: "the value that begins here is incomplete"})
	}
	return false, j.wrap(err)
}

// wrap returns an error of the reader with its line.
func (j *jsonReader) wrap(err error) error {
	if syntax, ok := errors.AsType[*record.SyntaxError](err); ok {
		return Fatal(Issue{Line: j.LineOf(syntax), Reason: "invalid JSON: " + syntax.Message})
	}
	if err == record.ErrTooLarge {
		return tooLong(j.Line())
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

// nextNDJSON reads the object of a line. A line with invalid JSON is a row with an issue.
func (l *lineReader) nextNDJSON(in *RawRow) error {
	for {
		line, err := l.nextNonEmpty()
		if err != nil {
			return err
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		v, err := record.ParseValue([]byte(line))
		if syntax, ok := errors.AsType[*record.SyntaxError](err); ok {
			*in = l.rawRow(line)
			in.Cells = []string{line}
			in.Issues = append(in.Issues, Issue{Line: in.Line, Reason: "invalid JSON: " + syntax.Message})
			return nil
		}
		*in = objectRow(l.number, v)
		return err
	}
}
