package xlsx

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// An epoch is the day from which a workbook counts days.
type epoch uint8

const (
	epoch1900 epoch = iota // day 1 is 1900-01-01, and day 60 the 29 February that 1900 did not have
	epoch1904              // day 0 is 1904-01-01
)

// A dateShape says whether a number is a date, a time, a duration or none of these, as its number format shows it.
type dateShape uint8

const (
	shapeNumber  dateShape = 0
	shapeDate    dateShape = 1 << 0
	shapeTime    dateShape = 1 << 1
	shapeElapsed dateShape = 1 << 2 // hours that may be more than 23
)

// A numberFormat says how to read the number in a cell.
type numberFormat struct {
	dateShape
	mask     string // how a whole number is shown, with digit for each of its digits; empty if that is not certain
	isStyled bool   // other numbers are not shown as they are
}

// maxFormats is how many number formats, and how many formats of cells, a workbook has at
// most. Excel allows 65,490 formats of cells.
const maxFormats = 1 << 17

func (a *archive) readFormats(name string) ([]numberFormat, error) {
	custom := map[int]numberFormat{}
	var formats []numberFormat
	var ids []int
	inCells := false
	err := a.eachStart(name, maxInflated, func(x *xmlReader) error {
		switch {
		case len(custom) > maxFormats || len(ids) > maxFormats:
			return errorf("has more than %d formats", maxFormats)
		case x.depth() == 2:
			inCells = x.Name.Local == "cellXfs"
		case x.Name.Local == "numFmt" && x.depth() == 3:
			if id, ok := parseNumber(x.attr("numFmtId"), math.MaxInt32); ok {
				custom[id] = formatOf(x.attr("formatCode"))
			}
		case inCells && x.depth() == 3 && x.Name.Local == "xf":
			id, _ := parseNumber(x.attr("numFmtId"), math.MaxInt32)
			ids = append(ids, id)
		}
		return nil
	})
	for _, id := range ids { // the list of the number formats may be behind that of the cells
		format, ok := custom[id]
		if !ok && id == 1 {
			format = formatOf("0")
		} else if !ok {
			format = numberFormat{dateShape: builtinShape(id), isStyled: id > 1 && id < 49}
		}
		formats = append(formats, format)
	}
	return formats, err
}

// digit stands in a mask for a digit of the number.
const digit = '\x00'

// formatOf returns the number format of a code. Only its first section counts, which is the one for positive numbers. It has a mask
// if it is made of zeros and texts, such as 00000 for postal codes, "K-"000 000, or "+"0 for phone numbers. The language that it may
// begin with does not count.
func formatOf(code string) numberFormat {
	first, _, _ := strings.Cut(code, ";")
	format := numberFormat{isStyled: first != "" && first != "@" && !strings.EqualFold(first, "general")}
	var has [256]bool
	var mask []byte
	shape, isMask := shapeNumber, true
	for i := 0; i < len(code) && code[i] != ';'; i++ {
		switch c := code[i]; {
		case c == '\\' && i+1 < len(code): // the next character is shown as it is
			i++
			mask = append(mask, code[i])
		case c == '_' || c == '*': // it is left out as wide, or repeated
			i++
			isMask = false
		case c == '"' || c == '[':
			inside, _, ok := strings.Cut(code[i+1:], map[byte]string{'"': `"`, '[': "]"}[c])
			switch {
			case !ok:
				return format
			case c == '"':
				mask = append(mask, inside...)
			case isElapsed(strings.ToLower(inside)):
				shape, isMask = shape|shapeTime|shapeElapsed, false
			default:
				isMask = isMask && i == 0 && strings.HasPrefix(inside, "$")
			}
			i += len(inside) + 1
		case c == '0':
			mask = append(mask, digit)
		case strings.IndexByte(" -()+:", c) >= 0:
			mask = append(mask, c)
		default:
			has[c|0x20], isMask = true, false
		}
	}
	isTime := has['h'] || has['s'] || shape&shapeTime != 0
	if isTime {
		shape |= shapeTime
	}
	if has['y'] || has['d'] || has['m'] && !isTime {
		shape |= shapeDate
	}
	format.dateShape = shape
	digits := bytes.Count(mask, []byte{digit})
	startsPhone := len(mask) > 0 && (mask[0] == '+' || mask[0] == '0') // the number follows as it is
	if isMask && (digits >= min(2, len(mask)) || digits == 1 && startsPhone) {
		format.mask = string(mask)
	}
	return format
}

// isElapsed reports whether what stands in brackets is a number of hours, minutes or seconds, such as hh.
func isElapsed(inside string) bool {
	return inside != "" && strings.Trim(inside, inside[:1]) == "" && strings.Contains("hms", inside[:1])
}

// builtinShape returns the shape of a number format that every program knows by its number.
// From 27 to 36 and from 50 to 58 they are those of East Asian languages.
func builtinShape(id int) dateShape {
	switch {
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return shapeDate
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id == 45, id == 47, id == 55, id == 56:
		return shapeTime
	case id == 22:
		return shapeDate | shapeTime
	case id == 46:
		return shapeTime | shapeElapsed
	}
	return shapeNumber
}

// appendMasked appends the digits of a whole number as a mask shows them.
func appendMasked(dst []byte, mask, digits string) []byte {
	left := strings.Count(mask, string(digit)) - len(digits) // zeros in front, or less than 0
	for i := range len(mask) {
		switch {
		case mask[i] != digit:
			dst = append(dst, mask[i])
			continue
		case left > 0:
			dst = append(dst, '0')
		default:
			dst = append(dst, digits[:1-left]...)
			digits, left = digits[1-left:], 1
		}
		left--
	}
	return dst
}

const (
	daySeconds = 24 * 60 * 60
	// maxDay is the number of 9999-12-31, the last day of a spreadsheet.
	maxDay = 2958465
	// leapDay is the number of the day that 1900 did not have.
	leapDay = 60
	// days1904 is how many days later the days from 1904 begin.
	days1904 = 1462
)

// appendNumber appends the date, time or duration that a number stands for. A text that is no number is appended as it is.
func (s dateShape) appendNumber(dst []byte, text string, from epoch) []byte {
	if s == shapeNumber {
		return appendDecimal(dst, text)
	}
	value, ok := parseFloat(text)
	if !ok || value < 0 || value >= maxDay+1 {
		return appendDecimal(dst, text)
	}
	seconds := int64(math.Round(value * daySeconds))
	if s&shapeDate == 0 && (value < 1 || s&shapeElapsed != 0) {
		return appendClock(dst, seconds)
	}
	if s&shapeTime == 0 {
		seconds = int64(value) * daySeconds
	}
	day := seconds / daySeconds
	if from == epoch1904 {
		day += days1904
	}
	switch {
	case day == 0 && seconds == 0, day == 0 && s&shapeTime == 0:
		return appendDecimal(dst, text) // an empty cell that a formula refers to
	case day == leapDay:
		dst = append(dst, "1900-02-29"...)
	default:
		if day < leapDay {
			day++
		}
		dst = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(day)).AppendFormat(dst, time.DateOnly)
	}
	if s&shapeTime != 0 {
		dst = appendClock(append(dst, 'T'), seconds%daySeconds)
	}
	return dst
}

func appendClock(dst []byte, seconds int64) []byte {
	return fmt.Appendf(dst, "%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
}

// appendISO appends a date that the workbook writes as text, such as
// 2026-11-22T12:30:00.000Z.
func (s dateShape) appendISO(dst []byte, text string) []byte {
	date, clock, hasTime := strings.Cut(strings.TrimSuffix(text, "Z"), "T")
	if !hasTime || s == shapeDate {
		return append(dst, date...)
	}
	clock, _, _ = strings.Cut(clock, ".")
	return append(append(append(dst, date...), 'T'), clock...)
}

const maxDigits = 15

// appendDecimal appends a number as a decimal without an exponent, as spreadsheets show
// it. Whole numbers keep all digits that the workbook has.
func appendDecimal(dst []byte, text string) []byte {
	value, ok := parseFloat(text)
	if !ok || isDecimal([]byte(text)) {
		return append(dst, text...)
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(value, 'e', maxDigits-1, 64), 64)
	if rounded == 0 {
		rounded = 0 // and not -0
	}
	return strconv.AppendFloat(dst, rounded, 'f', -1, 64)
}

// isDecimal reports whether a number needs no change to be shown, as most numbers do.
func isDecimal(text []byte) bool {
	whole, fraction, hasPoint := strings.Cut(strings.TrimPrefix(string(text), "-"), ".")
	if !isDigits(whole) || whole[0] == '0' && whole != "0" {
		return false
	}
	return !hasPoint && string(text) != "-0" || isDigits(fraction) && !strings.HasSuffix(fraction, "0") && len(whole+fraction) <= maxDigits
}

// parseFloat returns the value of a number in the notation of workbooks. That of Go has
// hexadecimal numbers, infinity and underscores too.
func parseFloat(text string) (float64, bool) {
	if text == "" || strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, false
	}
	value, err := strconv.ParseFloat(text, 64)
	return value, err == nil
}

func isNumber(text string) bool {
	_, ok := parseFloat(text)
	return ok
}

func trimmed(text []byte) []byte { return bytes.Trim(text, " \t\r\n") }

// appendUnescapedControl appends a text with the characters that it names as _xHHHH_,
// which is how workbooks write characters that XML has no place for, and an underscore that begins
// such a name. dst and text may share their memory, since no text becomes longer.
func appendUnescapedControl(dst, text []byte) []byte {
	for {
		i := bytes.Index(text, []byte("_x"))
		if i < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:i]...)
		text = text[i:]
		r, ok := escapedUnit(text)
		if !ok {
			dst = append(dst, text[:2]...)
			text = text[2:]
			continue
		}
		text = text[escapeSize:]
		if low, ok := escapedUnit(text); ok && utf16.IsSurrogate(r) {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				r, text = pair, text[escapeSize:]
			}
		}
		dst = utf8.AppendRune(dst, r)
	}
}

const escapeSize = len("_xHHHH_")

func escapedUnit(text []byte) (rune, bool) {
	unit, ok := hexUnit(text)
	return unit, ok && len(text) >= escapeSize && text[escapeSize-1] == '_'
}

// hexUnit is escapedUnit for a text whose last underscore need not be there.
func hexUnit(text []byte) (rune, bool) {
	if len(text) < escapeSize-1 || text[0] != '_' || text[1] != 'x' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:escapeSize-1]), 16, 16)
	return rune(n), err == nil
}
