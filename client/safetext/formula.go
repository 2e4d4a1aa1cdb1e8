package safetext

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// cellEnds are the characters at which a spreadsheet may split a line of cells,
// whichever of them separates the cells of the file.
const cellEnds = ";,\t\n"

// AppendFormulaSafe appends the text of a cell with an apostrophe before everything that a spreadsheet would run as a formula: at
// the beginning of the cell and, since a spreadsheet may split the cell there, after each semicolon, comma, tab and line feed. A
// quote at the beginning gets one too, since spreadsheets remove it.
func AppendFormulaSafe(dst, s []byte) []byte {
	for start := 0; ; {
		if n := apostrophes(s); runsAsFormula(s[n:], start == 0) || n > 0 && isEscapedCR(s[n:], start == 0) {
			dst = append(dst, '\'')
		}
		i := bytes.IndexAny(s, cellEnds) + 1
		if i == 0 {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		s, start = s[i:], i
	}
}

// FormulaUnsafe returns the text that AppendFormulaSafe turned into s, whether or not control characters have been escaped since.
// A text that did not come from AppendFormulaSafe loses the apostrophes that it would have added.
func FormulaUnsafe(s string) string {
	if !strings.Contains(s, "'") {
		return s
	}
	var dst []byte
	for rest, start := []byte(s), 0; ; {
		n := apostrophes(rest)
		if n > 0 && (isEscapedCR(rest[n:], start == 0) || runsAsFormula(rest[n:], start == 0)) {
			rest = rest[1:]
		}
		i := bytes.IndexAny(rest, cellEnds) + 1
		if i == 0 {
			return string(append(dst, rest...))
		}
		dst = append(dst, rest[:i]...)
		rest, start = rest[i:], i
	}
}

func apostrophes(s []byte) int { return len(s) - len(bytes.TrimLeft(s, "'")) }

// isEscapedCR reports whether s begins as a cell does that began with a carriage return before it was escaped.
func isEscapedCR(s []byte, first bool) bool { return first && bytes.HasPrefix(s, []byte(`\r`)) }

// runsAsFormula reports whether a spreadsheet would run s as a formula, or remove the quotes at its beginning. first says that s
// begins the cell of the file, not a part of it.
func runsAsFormula(s []byte, first bool) bool {
	if first && len(s) > 0 && (s[0] == '"' || s[0] == '\t' || s[0] == '\r') {
		return true
	}
	r, _ := utf8.DecodeRune(bytes.TrimLeft(s, `"`))
	return IsFormulaSign(r)
}

// IsFormulaSign reports whether a spreadsheet runs a cell that begins with r as a formula.
func IsFormulaSign(r rune) bool {
	switch r {
	case '=', '+', '-', '@', '＝', '＋', '－', '＠':
		return true
	}
	return false
}

// HasCSVQuotes reports whether a cell has quotes as csv has them: around a text with
// quotes, each of which is doubled. In tsv, such a cell must be escaped.
func HasCSVQuotes[Text ~string | ~[]byte](cell Text) bool {
	if len(cell) < 4 || cell[0] != '"' || cell[len(cell)-1] != '"' {
		return false
	}
	inside := string(cell[1 : len(cell)-1])
	return strings.Contains(inside, `"`) && !strings.Contains(strings.ReplaceAll(inside, `""`, ""), `"`)
}
