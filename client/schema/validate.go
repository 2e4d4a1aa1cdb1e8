package schema

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"reseller/client/record"
)

// ErrEmpty is the error of an empty text for a field that a record must have.
var ErrEmpty = errors.New("is empty, and the field is required")

// ErrNotWhole is the error of a text that is no whole number.
var ErrNotWhole = errors.New("is not a whole number")

// CheckEmpty returns ErrEmpty if a text is empty and the field must not be, so that it is never sent.
func (f *Field) CheckEmpty(text string) error {
	if text == "" && f.Has(Required) && f.Use&(EmptyIfAbsent|EmptyInFile) == 0 {
		return ErrEmpty
	}
	return nil
}

// Accept returns the JSON value of a text that a user gives for the field, repaired, and the set of repairs. country is the
// country of the record as a code of two letters, "" if it is not known. check and the error are as for FromText.
func (f *Field) Accept(text, country string, check bool) (v record.Value, made RepairSet, err error) {
	text, made = f.Repair(text, country, false)
	if err = f.CheckEmpty(text); err == nil && check {
		err = f.CheckPostal(text, country)
	}
	if err == nil {
		v, err = f.FromText(text, check)
	}
	return v, made, err
}

// FromText returns the JSON value for the text of a flag or a cell. With check, the text is validated by the type of the
// field, and must not be damaged. Without check, the only errors are texts that can't be sent at all. The error completes a
// sentence that begins with the name of the field: `"x" is not a whole number`.
func (f *Field) FromText(text string, check bool) (record.Value, error) {
	return f.AppendText(nil, text, check)
}

// AppendText appends the value that FromText returns to dst.
func (f *Field) AppendText(dst []byte, text string, check bool) ([]byte, error) {
	isPlainInt := f.Type == Int && f.Max == 0 && isPlainInt(text)
	if check && !isPlainInt && f.isScalar() {
		if err := f.Damage(text, nil); err != nil {
			return dst, err
		}
	}
	switch {
	case isPlainInt:
		return append(dst, text...), nil
	case text == `""` && (f.Type == Text || f.Type == Email): // how a cell says that there is none
		return append(dst, text...), f.CheckEmpty("")
	case f.Type == Text && record.IsPlain(text):
		return append(append(append(dst, '"'), text...), '"'), nil
	}
	if !utf8.ValidString(text) {
		return dst, fmt.Errorf("is not valid UTF-8")
	}
	switch f.Type {
	case Text:
		return record.AppendQuote(dst, text), nil
	case Int:
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if kind, id, isNamed := strings.Cut(strings.TrimSpace(text), "/"); isNamed && kind == f.kind() { // as -o name prints it
			n, err = strconv.ParseInt(id, 10, 64)
		}
		if err == nil && check && f.Max > 0 && (n < 1 || n > f.Max) {
			return dst, fmt.Errorf("%q is not between 1 and %d", text, f.Max)
		}
		if err == nil {
			return strconv.AppendInt(dst, n, 10), nil
		}
		if check {
			return dst, fmt.Errorf("%q %w", text, ErrNotWhole)
		}
	case Bool:
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "true", "yes", "1":
			return append(dst, "true"...), nil
		case "false", "no", "0":
			return append(dst, "false"...), nil
		}
		if check {
			return dst, fmt.Errorf("%q is neither true nor false", text)
		}
	case Pair:
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return dst, fmt.Errorf("%q is not FIELD=VALUE", text)
		}
		v := PairValue(name, value)
		if check {
			if err := f.Damage(text, v); err != nil {
				return dst, err
			}
		}
		return append(dst, v...), nil
	case Attributes, List:
		v, err := record.ParseValue([]byte(text))
		if err != nil {
			return dst, fmt.Errorf("is not JSON: %w", err)
		}
		v, err = f.FromJSON(v, check)
		return v.AppendCompact(dst), err
	case Choice:
		text = f.canonicalWord(text)
	}
	if check {
		if err := f.checkText(text); err != nil {
			return dst, err
		}
	}
	if f.Type == Country {
		text = strings.ToUpper(strings.TrimSpace(text))
	}
	return record.AppendQuote(dst, text), nil
}

// isPlainInt reports whether text is a whole number in the form of JSON with at most 18 digits, so that it fits in 64 bits.
func isPlainInt(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return len(text) > 0 && len(text) <= 18 && (text[0] != '0' || len(text) == 1)
}

// IsBroken reports whether a value has half of a surrogate pair. Its text has U+FFFD instead.
func IsBroken(v record.Value) bool {
	const replacement = "\ufffd"
	return bytes.Contains(v, []byte(`\u`)) && strings.Contains(v.Text(), replacement) && !bytes.Contains(v, []byte(replacement)) &&
		!bytes.Contains(bytes.ToLower(v), []byte(`\ufffd`))
}

// FromJSON converts a value of a JSON file to the JSON type of the field: an id that is a string in the file becomes a
// number, a postal code that is a number becomes a string. check and the error are as for FromText.
func (f *Field) FromJSON(v record.Value, check bool) (record.Value, error) {
	kind := v.Kind()
	if check && (kind == record.Array || kind == record.Object) && !f.isScalar() {
		if err := f.Damage("", v); err != nil {
			return nil, err
		}
	}
	switch f.Type {
	case Attributes:
		if kind != record.Array {
			return nil, fmt.Errorf("is %s, not an array of field_name and field_value", kind)
		}
		if !check {
			return v, nil
		}
		var out []string
		for item := range v.Elements() {
			pair, isPair := pairOfTexts(item)
			if !isPair {
				return nil, fmt.Errorf("%s is not an object with the strings field_name and field_value", item)
			}
			out = append(out, string(pair))
		}
		return record.Value("[" + strings.Join(out, ",") + "]"), nil
	case List:
		if kind != record.Array {
			return nil, fmt.Errorf("is %s, not an array", kind)
		}
		return v, nil
	case Pair:
		if kind == record.Object && check {
			if pair, isPair := pairOfTexts(v); isPair {
				return pair, nil
			}
			return nil, fmt.Errorf("is not an object with the strings field_name and field_value")
		}
	}
	switch kind {
	case record.String, record.Number, record.Bool:
		switch {
		case !IsBroken(v):
			return f.FromText(v.Text(), check)
		case check:
			return nil, fmt.Errorf("has half of a surrogate pair")
		}
		return v, nil // sent as it is
	case record.Null:
		return nil, fmt.Errorf("is null")
	}
	if !check {
		return v, nil
	}
	return nil, fmt.Errorf("is %s", kind)
}

// pairOfTexts returns a field_name and a field_value as strings, as which the service may list numbers, and reports whether v has
// both.
func pairOfTexts(v record.Value) (record.Value, bool) {
	var pairs []record.Pair
	for _, name := range []string{"field_name", "field_value"} {
		half := v.Get(name)
		if k := half.Kind(); k != record.String && k != record.Number && k != record.Bool {
			return nil, false
		}
		pairs = append(pairs, record.Pair{Name: name, Value: record.Quote(half.Text())})
	}
	return record.Of(pairs...).Raw(), true
}

func (f *Field) isScalar() bool { return f.Type != Pair && f.Type != Attributes && f.Type != List }

func (f *Field) checkText(text string) error {
	switch f.Type {
	case Email:
		if text == "" {
			return nil
		}
		if a, err := mail.ParseAddress(text); err != nil || a.Address != text || !strings.Contains(text[strings.LastIndex(text, "@"):], ".") {
			return fmt.Errorf("%q is not an e-mail address", text)
		}
	case URL:
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.ContainsAny(text, " \t\r\n") {
			return fmt.Errorf("%q is not an http or https address", text)
		}
	case Country:
		code := strings.ToUpper(strings.TrimSpace(text))
		if len(code) != 2 || code[0] < 'A' || code[0] > 'Z' || code[1] < 'A' || code[1] > 'Z' {
			return fmt.Errorf("%q is not a two-letter country code", text)
		}
	case Choice:
		if !slices.Contains(f.Enum, text) {
			return fmt.Errorf("%q is not one of %s", text, strings.Join(slices.Concat(f.Enum, f.Values, slices.Sorted(maps.Keys(f.Synonyms))), ", "))
		}
	}
	return nil
}

// Shows returns the value that reads show for a text: that of the word of Enum for which the text stands. It returns any other text
// as it is.
func (f *Field) Shows(text string) string {
	if i := slices.Index(f.Enum, f.Word(text)); i >= 0 && f.Values != nil {
		return f.Values[i]
	}
	return text
}

// Word returns the word of Enum that a text of a read stands for, whatever its case. It returns any other text as it is.
func (f *Field) Word(text string) string {
	folded := f.canonicalWord(strings.ToLower(TrimSpace(text)))
	if i := slices.Index(f.Enum, cmp.Or(f.ReadWords[folded], folded)); i >= 0 {
		return f.Enum[i]
	}
	return text
}

// canonicalWord returns the word of Enum that text stands for, if text is the value
// that reads show for that word, or a synonym. It returns any other text as it is. It ignores the case of true and false.
func (f *Field) canonicalWord(text string) string {
	if i := slices.Index(f.Values, text); i >= 0 {
		return f.Enum[i]
	}
	if strings.EqualFold(text, "true") || strings.EqualFold(text, "false") {
		return cmp.Or(f.Synonyms[strings.ToLower(text)], text)
	}
	return cmp.Or(f.Synonyms[text], text)
}
