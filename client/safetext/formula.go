package safetext

import (
	"bytes"
	"iter"
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
	for part, isFormula := range cellParts(s) {
		if isFormula {
			dst = append(dst, '\'')
		}
		dst = append(dst, part...)
	}
	return dst
}

// FormulaUnsafe returns the text that AppendFormulaSafe turned into s, whether or not control characters have been escaped since.
// A text that did not come from AppendFormulaSafe loses the apostrophes that it would have added.
func FormulaUnsafe(s string) string {
	if !strings.Contains(s, "'") {
		return s
	}
	var dst []byte
	for part, isFormula := range cellParts([]byte(s)) {
		if isFormula {
			part = bytes.TrimPrefix(part, []byte("'"))
		}
		dst = append(dst, part...)
	}
	return string(dst)
}

// cellParts yields the parts into which a spreadsheet may split a cell, and whether it would run them as a formula but for the
// apostrophes before them. Behind these, \r at the beginning of the cell is a carriage return that has been escaped.
func cellParts(s []byte) iter.Seq2[[]byte, bool] {
	return func(yield func([]byte, bool) bool) {
		for isFirst := true; len(s) > 0; isFirst = false {
			part := s
			if end := bytes.IndexAny(s, cellEnds); end >= 0 {
				part = s[:end+1]
			}
			plain := bytes.TrimLeft(part, "'")
			isEscapedCR := isFirst && len(plain) < len(part) && bytes.HasPrefix(plain, []byte(`\r`))
			if s = s[len(part):]; !yield(part, isEscapedCR || runsAsFormula(plain, isFirst)) {
				return
			}
		}
	}
}

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
