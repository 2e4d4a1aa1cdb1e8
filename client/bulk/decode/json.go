package decode

import (
	"errors"
	"fmt"
	"io"

	"reseller/client/phrase"
	"reseller/client/record"
)

// A jsonReader reads an array of objects, or one object.
type jsonReader struct {
	*record.Reader
	yield func(*RawRow, error) bool
	words phrase.Wording
}

var errStopped = errors.New("no more rows are asked for")

func jsonRows(text io.Reader, words phrase.Wording) Rows {
	return func(yield func(*RawRow, error) bool) {
		j := jsonReader{record.NewReader(text, MaxLine), yield, words}
		j.Line()
		if err := j.rows(); err != nil && err != errStopped {
			yield(nil, err)
		}
	}
}

func (j *jsonReader) rows() error {
	c, err := j.Peek()
	switch {
	case err == io.EOF:
		return j.fail("is empty: expected an array of objects, or one object")
	case err == nil && c == '{':
		err = j.element()
	case err == nil && c == '[':
		err = j.Array(j.element)
	case err == nil:
		return j.fail("expected an array of objects, or one object")
	}
	if err == io.ErrUnexpectedEOF {
		return j.fail("the array is not closed")
	}
	if err == nil {
		c, err = j.Peek()
	}
	switch {
	case err == io.EOF:
		return nil
	case err != nil:
		return j.wrap(err, "")
	case c == '{':
		return j.fail("a second object: for one object per line, use " + j.words.Of("--input-format ndjson"))
	}
	return j.fail("unexpected text after the end")
}

func (j *jsonReader) fail(what string) error { return Fatal(Issue{Line: j.Line(), Reason: what}) }

func (j *jsonReader) element() error {
	if _, err := j.Peek(); err != nil {
		return record.UnexpectedEOF(err)
	}
	line := j.Line()
	v, err := j.Value()
	if err == io.ErrUnexpectedEOF {
		return Fatal(Issue{Line: line, Reason: "the value that begins here is incomplete"})
	}
	if err != nil {
		return j.wrap(err, "invalid JSON: ")
	}
	if row := objectRow(line, v); !j.yield(&row, nil) {
		return errStopped
	}
	return nil
}

func (j *jsonReader) wrap(err error, what string) error {
	if syntax, ok := errors.AsType[*record.SyntaxError](err); ok {
		return Fatal(Issue{Line: j.LineOf(syntax), Reason: what + syntax.Message})
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
	line, err := l.nextText()
	if err != nil {
		return err
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
