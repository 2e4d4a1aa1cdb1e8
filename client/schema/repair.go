package schema

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"reseller/client/record"
	"reseller/client/safetext"
)

// Content says what kind of texts a field has, which decides how a cell of a file is repaired and what counts as damage.
type Content uint8

const (
	OneLine     Content = iota // a text of one line
	Prose                      // a text for people, of any number of lines
	KeywordText                // a keyword, or a list of them
	PostalCode                 // a postal code
	Code                       // another text of one line that may be all digits, such as an id or a phone number
)

// A Repair is a change that turns the cell of a file into what it certainly means.
type Repair struct {
	// Done tells what was done; %s is the number of cells.
	Done string
	// fix returns the repaired text, or text itself if there is nothing to repair.
	// country is the country of the row as a code of two letters, "" if it is not known.
	fix      func(f *Field, text, country string) string
	ofSheets bool // only of cells of csv, tsv and workbooks
}

// Repairs are all repairs, in the order in which a cell undergoes them.
var Repairs = [...]Repair{
	{"removed characters that are not seen, such as soft hyphens, from the text of %s", dropInvisible, false},
	{"removed white space around the text of %s", trimCell, false},
	{"took the text out of the formula, such as =\"02134\", in %s", unwrapFormula, false},
	{"removed the ' that --csv-safe puts before formulas from %s", dropApostrophes, true},
	{"replaced the name of the country by its code in %s", codeCountry, false},
	{"put https:// in front of the site in %s", addScheme, false},
	{"removed .0 after the number in %s", dropFraction, false},
	{"put back the leading zeros of the postal code in %s", addZeros, false},
	{Done: "took the number as the sheet shows it in %s"},
}

// ShownZeros has the last of Repairs, which is made where a workbook is read: no text tells how a sheet shows its number.
const ShownZeros RepairSet = 1 << (len(Repairs) - 1)

// IsOrdinary reports whether a cell is one of the many that are seen at once to be neither damaged nor to be repaired. The
// text of a field of type Text then is its JSON between quotes. text is not empty.
func (f *Field) IsOrdinary(text string) bool {
	switch first, last := text[0], text[len(text)-1]; f.Type {
	case Int:
		return isPlainInt(text)
	case Text: // damage begins with a digit or a sign, or as Err:, TRUE or FALSE do, or is a separator of keywords
		return first|' ' >= 'a' && first|' ' <= 'z' && first != 'E' && first != 'T' && first != 'F' && last > ' ' &&
			record.IsCommon(text)
	}
	return false
}

// A RepairSet is a set of Repairs: bit i stands for Repairs[i].
type RepairSet uint16

// Repair returns a text, which may be the cell of csv, tsv or a workbook, with all repairs, and the set of those that changed it. A
// password is never repaired. country is the country of the row as a code of two letters, "" if it is not known.
func (f *Field) Repair(text, country string, isCell bool) (string, RepairSet) {
	var made RepairSet
	if f.Type == Password {
		return text, made
	}
	for i := range Repairs {
		if Repairs[i].fix == nil || Repairs[i].ofSheets && !isCell {
			continue
		}
		if fixed := Repairs[i].fix(f, text, country); fixed != text {
			text = fixed
			made |= 1 << i
		}
	}
	return text, made
}

// unwrapFormula returns the text of a formula that only protects it from the spreadsheet, such as ="02134".
func unwrapFormula(_ *Field, text, _ string) string {
	inside, isFormula := strings.CutPrefix(strings.TrimPrefix(text, "'"), `="`)
	inside, isClosed := strings.CutSuffix(inside, `"`)
	if !isFormula || !isClosed || strings.Contains(inside, `"`) {
		return text
	}
	return TrimSpace(inside)
}

func trimCell(_ *Field, text, _ string) string { return TrimSpace(text) }

// dropApostrophes removes the apostrophes that --csv-safe has put into a text, if it has put any. The members of a list are
// texts of their own, to which others may have been added since.
func dropApostrophes(f *Field, text, _ string) string {
	plain := safetext.FormulaUnsafe(text)
	if plain == text || plain != TrimSpace(plain) || plain != safetext.FormulaUnsafe(plain) || f.Type != List && text != string(safetext.AppendFormulaSafe(nil, []byte(plain))) {
		return text
	}
	return plain
}

// dropInvisible removes soft hyphens and characters without a width, and marks of direction unless the text may need them. It
// keeps joiners between characters that are not ASCII: they tell words of Persian and of the scripts of India apart, and emoji.
func dropInvisible(f *Field, text, _ string) string {
	// Address books put marks of direction around phone numbers. Names and sentences may need them.
	dropsMarks := f.Content == Code || f.Content == PostalCode || f.Content == KeywordText || f.Type == Email || f.Type == URL
	isDropped := func(r rune) bool { return safetext.SaysNothing(r) || dropsMarks && unicode.Is(unicode.Bidi_Control, r) }
	if record.IsPlain(text) || !strings.ContainsFunc(text, func(r rune) bool { return isDropped(r) || isJoiner(r) }) {
		return text
	}
	isJoined := func(r rune) bool { return r >= utf8.RuneSelf && !isSpace(r) }
	var kept, joiners []rune // joiners are kept once it is known which character follows them
	before := rune(0)
	for _, r := range text {
		switch {
		case isDropped(r):
		case isJoiner(r):
			joiners = append(joiners, r)
		default:
			if isJoined(before) && isJoined(r) {
				kept = append(kept, joiners...)
			}
			kept, joiners, before = append(kept, r), joiners[:0], r
		}
	}
	return string(kept)
}

func isJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// TrimSpace is strings.TrimSpace, but also removes characters of no width, which copied texts often begin or end with.
func TrimSpace(text string) string {
	if n := len(text); n == 0 || text[0] > ' ' && text[0] < utf8.RuneSelf && text[n-1] > ' ' && text[n-1] < utf8.RuneSelf {
		return text // most texts
	}
	return strings.TrimFunc(text, isSpace)
}

func isSpace(r rune) bool { return unicode.IsSpace(r) || safetext.SaysNothing(r) || isJoiner(r) }

func codeCountry(f *Field, text, _ string) string {
	switch {
	case f.Type != Country:
	case strings.EqualFold(text, "UK"):
		return "GB"
	case len(text) > 2:
		if code := countryCode(text); code != "" {
			return code
		}
	}
	return text
}

func addScheme(f *Field, text, _ string) string {
	if f.Type != URL || !isSite(text) {
		return text
	}
	return "https://" + text
}

// isSite reports whether text is the name of a host on the Internet, such as example.com, which a path may follow.
func isSite(text string) bool {
	host, rest := text, ""
	if end := strings.IndexAny(text, ":/?#"); end >= 0 {
		host, rest = text[:end], text[end:]
	}
	if strings.HasPrefix(rest, "://") || strings.ContainsAny(text, " \t\r\n") {
		return false
	}
	labels := strings.Split(host, ".")
	isHostRune := func(r rune) bool { return r == '-' || unicode.In(r, unicode.L, unicode.M, unicode.N) }
	for _, label := range labels {
		if label == "" || strings.ContainsFunc(label, func(r rune) bool { return !isHostRune(r) }) {
			return false
		}
	}
	first, size := utf8.DecodeRuneInString(labels[len(labels)-1])
	if len(labels) < 2 || !unicode.IsLetter(first) || size == len(labels[len(labels)-1]) {
		return false
	}
	u, err := url.Parse("https://" + text)
	return err == nil && u.User == nil // the part in front of an @ is a user, not a host
}

// dropFraction removes a fraction of one or two zeros. Three may be a group of thousands: 1.000 is 1000 in German.
func dropFraction(f *Field, text, _ string) string {
	isOfDigits := f.Type == Int || f.Content == PostalCode || f.Content == Code
	whole, fraction, _ := strings.Cut(text, ".")
	if !isOfDigits || whole == "" || !isDigits(whole) || fraction != "0" && fraction != "00" {
		return text
	}
	if _, err := strconv.ParseInt(whole, 10, 64); f.Type == Int && err != nil {
		return text // too large for a number
	}
	return whole
}

func isDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }
