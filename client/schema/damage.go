package schema

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"reseller/client/record"
)

// damages are the kinds of damage that a spreadsheet does to a text, and how the text is got back.
var damages = [...]struct {
	is     func(f *Field, text string) bool
	reason string
}{
	{func(f *Field, text string) bool { return IsShortened(text) || f.Content == Code && isFloat(text, "E") }, "is a number that a spreadsheet has shortened: write all its digits"},
	{func(f *Field, text string) bool { return f.Content >= PostalCode && isFloat(text, "") }, "is a fraction: write the text that is meant"},
	{isNarrow, "is what a spreadsheet shows where a column is too narrow: widen the column and save the file again"},
	{isFormulaError, "is an error of a spreadsheet: correct the cell there and save the file again"},
	{isTruthValue, "is what a spreadsheet makes of a truth value: if the text is meant, write it in small letters"},
	{isSeveral, "may be several keywords: give each by itself"},
	{hasLineFeed, "has a line feed: write it in one line"},
	{hasControl, "has a control character: remove it"},
}

// Damage returns an error if a spreadsheet has certainly spoiled a value of a file. text is the cell, v its value; in an
// array or object, each text is examined. The error completes a sentence that begins with the name of the field.
func (f *Field) Damage(text string, v record.Value) error {
	if f.Type == Password {
		return nil
	}
	switch v.Kind() {
	case record.Array:
		for item := range v.Elements() {
			if err := f.Damage(item.Text(), item); err != nil {
				return err
			}
		}
	case record.Object:
		for _, member := range v.Members() {
			if err := f.Damage(member.Text(), member); err != nil {
				return err
			}
		}
	default:
		for i := range damages {
			if damages[i].is(f, text) {
				return fmt.Errorf("%q %s", text, damages[i].reason)
			}
		}
	}
	return nil
}

// IsShortened reports whether text is a large number in scientific notation, such as 5.03556E+09.
func IsShortened(text string) bool {
	if text == "" || text[0] > '9' || !isDigits(text[len(text)-1:]) { // most texts
		return false
	}
	number, exponent, _ := strings.Cut(strings.ToUpper(strings.TrimLeft(text, "+-")), "E+")
	whole, fraction, _ := strings.Cut(strings.Replace(number, ",", ".", 1), ".")
	return len(exponent) <= 3 && exponent != "" && isDigits(exponent) && whole != "" && isDigits(whole) && isDigits(fraction)
}

// isFloat reports whether text is a number such as 4.9341E12, if exponent is E, or, if it is empty, one such as 0.5.
func isFloat(text, exponent string) bool {
	number, power, _ := strings.Cut(strings.ToUpper(text), "E")
	whole, fraction, _ := strings.Cut(strings.Replace(number, ",", ".", 1), ".")
	isOf := whole == "0" && number == strings.ToUpper(text)
	if exponent != "" {
		isOf = len(whole) == 1 && isDigits(whole) && power != "" && isDigits(power)
	}
	return isOf && fraction != "" && isDigits(fraction)
}

func isNarrow(_ *Field, text string) bool {
	return strings.HasPrefix(text, "##") && strings.Trim(text, "#") == ""
}

// formulaErrors are the errors that Excel and others show in a cell, in English, German,
// French, Spanish, Italian, Portuguese and Dutch.
const formulaErrors = "#N/A #REF! #VALUE! #DIV/0! #NAME? #NUM! #NULL! #SPILL! #CALC! #FIELD! #BLOCKED! #BUSY! #CONNECT! #UNKNOWN! #GETTING_DATA #ERROR! " +
	"#NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #KALK! #FELD! #BLOCKIERT! #UNBEKANNT! #CHAMP! #DÉVERSEMENT! #BLOQUÉ! #INCONNU! #OCCUPÉ! #VALEUR! #NOM? #NOMBRE! #NUL! #PROPAGATION! #CALCUL! #DESBORDAMIENTO! #¡REF! #¡VALOR! #¡DIV/0! #¿NOMBRE? #¡NUM! #¡NULO! " +
	"#N/D #RIF! #VALORE! #NOME? #NULLO! #VALOR! #NÚM! #NULO! #NB #VERW! #WAARDE! #DEEL/0! #NAAM? #GETAL! #LEEG!"

// isFormulaError reports whether text is the error of a formula, such as #REF!, or Err:502 (in German Fehler:502) as LibreOffice writes it.
// In French, a space is before the sign.
func isFormulaError(_ *Field, text string) bool {
	if name, number, ok := strings.Cut(text, ":"); ok && (strings.TrimSpace(name) == "Err" || name == "Fehler") {
		return len(number) == 3 && isDigits(number)
	}
	return strings.HasPrefix(text, "#") && slices.Contains(strings.Fields(formulaErrors), strings.Join(strings.Fields(text), ""))
}

// isTruthValue reports whether a keyword, a number or an identifier is exactly TRUE or FALSE. An item of a list may have a type behind a |.
func isTruthValue(f *Field, text string) bool {
	if f.Content != KeywordText && f.Content != Code && f.Content != PostalCode {
		return false
	}
	if f.Type == List {
		text, _, _ = strings.Cut(text, "|")
		text = TrimSpace(text)
	}
	return text == "TRUE" || text == "FALSE"
}

// isSeveral reports whether a keyword has a character that separates keywords. A comma may be part of it, and a | in a list precedes its type.
func isSeveral(f *Field, text string) bool {
	return f.Content == KeywordText && (strings.IndexByte(text, ';') >= 0 || f.Type == Text && strings.IndexByte(text, '|') >= 0)
}

func hasLineFeed(f *Field, text string) bool {
	return f.isOneLine() && !record.IsPlain(text) && strings.ContainsFunc(text, func(r rune) bool {
		const nextLine, lineSeparator, paragraphSeparator = '\u0085', '\u2028', '\u2029'
		return r == '\n' || r == '\r' || r == nextLine || r == lineSeparator || r == paragraphSeparator
	})
}

func hasControl(f *Field, text string) bool {
	const del = "\x7f"
	return f.isOneLine() && (!record.IsPlain(text) || strings.Contains(text, del)) && strings.ContainsFunc(text, unicode.IsControl)
}

// isOneLine reports whether the field is one line of free text, or several such texts. The
// check of any other type refuses control characters by itself.
func (f *Field) isOneLine() bool {
	return f.Content != Prose && slices.Contains([]Type{Text, Pair, Attributes, List}, f.Type)
}
