package xlsx

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"
)

// The indexes of the cell formats in styles.
const (
	styleGeneral = iota
	styleText
	styleDate
	styleTime
	styleWhole
	styleHeader
	styleElapsed
	styleExponent
)

const (
	xmlHeader         = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	namespace         = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relationshipTypes = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageNamespace  = "http://schemas.openxmlformats.org/package/2006"
	contentType       = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// contentTypes is the first part, before the number of sheets is known: a part that no line
// names is a sheet.
const contentTypes = xmlHeader + `<Types xmlns="` + packageNamespace + `/content-types">` +
	`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
	`<Default Extension="xml" ContentType="` + contentType + `worksheet+xml"/>` +
	`<Override PartName="/xl/workbook.xml" ContentType="` + contentType + `sheet.main+xml"/>` +
	`<Override PartName="/xl/styles.xml" ContentType="` + contentType + `styles+xml"/></Types>`

const packageRelationships = xmlHeader + `<Relationships xmlns="` + packageNamespace + `/relationships">` +
	`<Relationship Id="rId1" Type="` + relationshipTypes + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`

// styles has the cell formats. 49 and 1 are the number formats that every program knows for
// texts and whole numbers.
const styles = xmlHeader + `<styleSheet xmlns="` + namespace + `">` +
	`<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/><numFmt numFmtId="165" formatCode="yyyy\-mm\-dd\ hh:mm:ss"/></numFmts>` +
	`<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>` +
	`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
	`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
	`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
	`<cellXfs count="8"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
	`<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="1" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>` +
	`<xf numFmtId="46" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="11" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>` +
	`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

// The widths of columns, in characters.
const (
	minWidth = 8
	maxWidth = 60
)

// widthOf returns about how wide the longest line of a text is, and for one wider than
// maxWidth a number that is at least maxWidth.
func widthOf(text []byte) int {
	widest, line := 0, 0
	for i := 0; i < len(text) && widest < maxWidth; {
		r, n := utf8.DecodeRune(text[i:])
		i += n
		switch {
		case r == '\n':
			line = 0
			continue
		case r >= 0x1100: // for the most part Chinese, Japanese and Korean
			line++
		}
		line++
		widest = max(widest, line)
	}
	return widest
}

// appendColumn appends the letters of the column i: A, B, and AA after Z.
func appendColumn(dst []byte, i int) []byte {
	if i >= 26 {
		dst = appendColumn(dst, i/26-1)
	}
	return append(dst, byte('A'+i%26))
}

// needsSpace reports whether XML readers would drop or replace white space in a text.
func needsSpace(text []byte) bool {
	return len(text) == 0 || text[0] <= ' ' || text[len(text)-1] <= ' ' || bytes.Contains(text, []byte("  ")) ||
		bytes.ContainsFunc(text, func(r rune) bool { return r < ' ' })
}

// appendText appends a text as XML. A character that XML has no place for becomes
// _xHHHH_ with its code, and so does the underscore of a text that looks like that; bytes
// that are not UTF-8 become U+FFFD.
func appendText(dst, text []byte) []byte {
	start := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '&' && c != '<' && c != '>' && c != '_' {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		escape := ""
		switch {
		case c == '&':
			escape = "&amp;"
		case c == '<':
			escape = "&lt;"
		case c == '>':
			escape = "&gt;"
		case c == '_':
			if _, isName := hexUnit(text[i:]); isName { // also without its end: the next character may become an escape
				escape = "_x005F_"
			}
		case r == utf8.RuneError && n == 1:
			escape = "\uFFFD"
		case c < ' ' && c != '\t' && c != '\n', r == 0xFFFE, r == 0xFFFF:
			escape = fmt.Sprintf("_x%04X_", r)
		}
		if escape != "" {
			dst = append(append(dst, text[start:i]...), escape...)
			start = i + n
		}
		i += n
	}
	return append(dst, text[start:]...)
}

// shapeOf returns the number of digits of a number, without leading zeros, and whether it has neither a point nor an
// exponent. ok is false if the text is no number in the notation of JSON.
func shapeOf(number []byte) (digits int, isWhole, ok bool) {
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(strings.TrimPrefix(string(number), "-")), "e")
	whole, fraction, hasPoint := strings.Cut(mantissa, ".")
	if exponent != "" && (exponent[0] == '-' || exponent[0] == '+') {
		exponent = exponent[1:]
	}
	ok = isDigits(whole) && (whole == "0" || whole[0] != '0') && isDigits(fraction) == hasPoint && isDigits(exponent) == hasExponent
	return len(strings.TrimLeft(whole+fraction, "0")), !hasPoint && !hasExponent, ok
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// The numbers that stand for two dates: the first is from when on all spreadsheets count
// alike, since some have a 29 February 1900.
const (
	serialMarch1900   = 61
	serialJanuary1970 = 25569
)

func serialOf(date string) (serial float64, hasTime, ok bool) {
	const day = len(time.DateOnly)
	text := strings.TrimSuffix(date, "Z")
	switch {
	case len(date) == day:
		text += " 00:00:00"
	case len(text) == len(time.DateTime) && (text[day] == 'T' || text[day] == ' '):
		text = text[:day] + " " + text[day+1:]
	default:
		return 0, false, false
	}
	t, err := time.Parse(time.DateTime, text)
	serial = serialJanuary1970 + float64(t.Unix())/(24*60*60)
	return serial, serial != math.Trunc(serial), err == nil && serial >= serialMarch1900
}
