package bulk

import (
	"fmt"
	"io"
	"strings"
)

// raw is a row as the file has it: cells, or one object as JSON.
type raw struct {
	line   int
	cells  []string
	blank  bool    // separators alone, as a spreadsheet writes a row that was emptied
	object []byte  // nil where the format has cells, or where the row is no object
	faults []Fault // what is wrong with it already
}

// A reader takes the rows off a file one by one, with io.EOF after the last.
// The memory of the cells that in has is used for the new ones. An error ends
// the file: what follows can't be told apart.
type reader interface {
	next(in *raw) error
}

// readFunc is a reader of rows that are made anew.
type readFunc func() (raw, error)

func (read readFunc) next(in *raw) (err error) {
	*in, err = read()
	return err
}

// csvReader reads RFC 4180 as strictly as encoding/csv, but knows the line on
// which each quote opened, goes on behind a stray quote, and bounds a row.
type csvReader struct {
	lines *lines
	comma byte
	buf   []byte // the cells of the row, one behind the other
	ends  []int
}

func (c *csvReader) next(in *raw) error {
	line, err := nextFull(c.lines)
	if err != nil {
		return err
	}
	in.line, in.cells, in.object, in.faults = c.lines.n, in.cells[:0], nil, nil
	in.blank = line[0] == c.comma && strings.Trim(line, string(rune(c.comma))) == ""
	if c.lines.plain { // as most are
		in.cells = c.split(in.cells, line)
		return nil
	}
	bad := c.lines.bad(line)
	if strings.IndexByte(line, '"') < 0 {
		in.cells = c.split(in.cells, line)
	} else {
		c.buf, c.ends = c.buf[:0], c.ends[:0]
		stray, err := c.quoted(line)
		if err != nil {
			return err
		}
		in.cells = c.take(in.cells)
		if bad == "" {
			bad = badText(string(c.buf))
		}
		if stray > 0 {
			in.faults = append(in.faults, Fault{Line: in.line, Reason: fmt.Sprintf(
				"a quote inside cell %d: put the cell in quotes and double those inside it", stray)})
		}
	}
	if bad != "" {
		in.faults = append(in.faults, Fault{Line: in.line, Reason: bad})
	}
	return nil
}

// quoted splits a row in which quotes stand into buf and ends. It returns the
// number of the first cell with a quote where none may be.
func (c *csvReader) quoted(rest string) (stray int, err error) {
	for more := true; more; {
		if len(rest) == 0 || rest[0] != '"' {
			var cell string
			cell, rest, more = c.cut(rest)
			if stray == 0 && strings.IndexByte(cell, '"') >= 0 {
				stray = len(c.ends) + 1
			}
			c.end(cell)
			continue
		}
		opened := c.lines.n
		if rest, err = c.inside(rest[1:], opened); err != nil {
			return 0, err
		}
		var behind string
		if behind, rest, more = c.cut(rest); len(behind) > 0 {
			if opened != c.lines.n {
				return 0, fatal(Fault{Line: opened, Reason: fmt.Sprintf(
					"the quote that opens here ends on line %d with text behind it: it was not closed where it should be", c.lines.n)})
			}
			if stray == 0 {
				stray = len(c.ends) + 1
			}
		}
		c.end(behind)
	}
	return stray, nil
}

// inside takes the text of a cell up to its closing quote and returns what
// stands behind that.
func (c *csvReader) inside(rest string, opened int) (string, error) {
	for {
		i := strings.IndexByte(rest, '"')
		switch {
		case i >= 0 && i+1 < len(rest) && rest[i+1] == '"':
			c.buf = append(c.buf, rest[:i+1]...)
			rest = rest[i+2:]
			continue
		case i >= 0:
			c.buf = append(c.buf, rest[:i]...)
			return rest[i+1:], nil
		}
		c.buf = append(append(c.buf, rest...), '\n')
		next, err := c.lines.next()
		if err == io.EOF || err == nil && len(c.buf)+len(next) > maxLine {
			return "", fatal(Fault{Line: opened, Reason: "the quote that opens here is never closed"})
		}
		if err != nil {
			return "", err
		}
		rest = next
	}
}

func (c *csvReader) end(cell string) {
	c.buf = append(c.buf, cell...)
	c.ends = append(c.ends, len(c.buf))
}

// take copies the cells out, as pieces of one string.
func (c *csvReader) take(cells []string) []string {
	whole, start := string(c.buf), 0
	for _, end := range c.ends {
		cells = append(cells, whole[start:end])
		start = end
	}
	return cells
}

// split cuts a row without quotes at its commas.
func (c *csvReader) split(cells []string, line string) []string {
	for {
		i := strings.IndexByte(line, c.comma)
		if i < 0 {
			return append(cells, line)
		}
		cells, line = append(cells, line[:i]), line[i+1:]
	}
}

// cut cuts at the first comma.
func (c *csvReader) cut(s string) (cell, rest string, more bool) {
	if i := strings.IndexByte(s, c.comma); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// comma tells by the header what separates the cells: commas, or semicolons
// where those are more.
func comma(header string) byte {
	commas, semicolons, inside := 0, 0, false
	for _, b := range []byte(header) {
		switch {
		case b == '"':
			inside = !inside
		case b == ',' && !inside:
			commas++
		case b == ';' && !inside:
			semicolons++
		}
	}
	if semicolons > commas {
		return ';'
	}
	return ','
}
