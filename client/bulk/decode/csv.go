package decode

import (
	"fmt"
	"io"
	"strings"
)

// A csvReader reads RFC 4180 as strictly as encoding/csv does. Unlike encoding/csv it reports the line on which an unclosed
// quote opened, continues after a row with a stray quote, and bounds the length of a row.
type csvReader struct {
	lines *lineReader
	comma byte
	inner int    // the lines so far that are no rows of a spreadsheet: of cells with several, and a first one such as sep=;
	buf   []byte // the texts of the cells of a row with quotes, joined
	ends  []int  // where each cell ends in buf
}

func (c *csvReader) next(in *RawRow) error {
	line, err := c.lines.nextNonEmpty()
	if err != nil {
		return err
	}
	in.Line, in.Row, in.Cells, in.Object, in.Issues = c.lines.number, c.lines.number-c.inner, in.Cells[:0], nil, nil
	if c.lines.number == 1 && len(line) == 5 && strings.EqualFold(line[:4], "sep=") {
		c.inner++
	}
	in.Blank = (line[0] == c.comma || line[0] == ' ') && strings.Trim(line, " "+string(rune(c.comma))) == ""
	if c.lines.plain { // most lines are valid and have no quote
		in.Cells = c.split(in.Cells, line)
		return nil
	}
	bad := c.lines.invalid(line)
	if strings.IndexByte(line, '"') < 0 {
		in.Cells = c.split(in.Cells, line)
	} else {
		c.buf, c.ends = c.buf[:0], c.ends[:0]
		stray, err := c.quoted(line)
		if err != nil {
			return err
		}
		whole, start := string(c.buf), 0 // all cells share the memory of one copy
		for _, end := range c.ends {
			in.Cells = append(in.Cells, whole[start:end])
			start = end
		}
		if bad == "" {
			bad = invalidText(whole)
		}
		if stray > 0 {
			in.Issues = append(in.Issues, Issue{Line: in.Line, Row: in.Row, Reason: fmt.Sprintf(
				"a quote inside cell %d: enclose the cell in quotes and double the quotes inside it", stray)})
		}
	}
	if bad != "" {
		in.Issues = append(in.Issues, Issue{Line: in.Line, Row: in.Row, Reason: bad})
	}
	return nil
}

// quoted splits a row that contains quotes into buf and ends. stray is the number, from
// 1, of the first cell with a quote in a wrong place, 0 if there is none.
func (c *csvReader) quoted(rest string) (stray int, err error) {
	for more := true; more; {
		if len(rest) == 0 || rest[0] != '"' {
			var cell string
			cell, rest, more = strings.Cut(rest, string(rune(c.comma)))
			if stray == 0 && strings.IndexByte(cell, '"') >= 0 && !isQuotedText(cell) {
				stray = len(c.ends) + 1
			}
			c.endCell(cell)
			continue
		}
		opened := c.lines.number
		if rest, err = c.untilClosingQuote(rest[1:], opened); err != nil {
			return 0, err
		}
		var behind string
		if behind, rest, more = strings.Cut(rest, string(rune(c.comma))); len(behind) > 0 {
			if opened != c.lines.number {
				return 0, Fatal(Issue{Line: opened, Reason: fmt.Sprintf(
					"the quote that opens here closes on line %d, where text follows it: a closing quote may be missing", c.lines.number)})
			}
			if stray == 0 {
				stray = len(c.ends) + 1
			}
		}
		c.endCell(behind)
	}
	return stray, nil
}

// isQuotedText reports whether a cell is a formula that is only a text, as programs write them that forget to quote the cell:
// ="02134".
func isQuotedText(cell string) bool {
	text, isFormula := strings.CutPrefix(cell, `="`)
	return isFormula && text != "" && strings.IndexByte(text, '"') == len(text)-1
}

// untilClosingQuote appends the text of a quoted cell to buf and returns the rest
// of the line behind its closing quote. opened is the line of the opening quote.
func (c *csvReader) untilClosingQuote(rest string, opened int) (string, error) {
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
		if err == io.EOF || err == nil && len(c.buf)+len(next) > MaxLine {
			return "", Fatal(Issue{Line: opened, Reason: "the quote that opens here is never closed"})
		}
		if err != nil {
			return "", err
		}
		c.inner++
		rest = next
	}
}

func (c *csvReader) endCell(cell string) {
	c.buf = append(c.buf, cell...)
	c.ends = append(c.ends, len(c.buf))
}

func (c *csvReader) split(cells []string, line string) []string {
	for {
		i := strings.IndexByte(line, c.comma)
		if i < 0 {
			return append(cells, line)
		}
		cells, line = append(cells, line[:i]), line[i+1:]
	}
}
