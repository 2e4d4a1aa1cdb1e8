package portfolio

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// CurrentValue returns the value of a field in a record of the service, under any of the field's names, and reports
// whether the record has the field.
func CurrentValue(field *schema.Field, rec record.Record) (record.Value, bool) {
	for _, path := range append([]string{field.ReadName(), field.Name}, field.Aliases...) {
		if v := rec.Get(path); v != nil && (field.Name != fieldStatus || v.Text() != "") { // an empty one may stand beside an older form
			return v, true
		}
	}
	whole := wholeOf(field.Name)
	isName := field.Name == whole+".name"
	if v := rec.Get(whole); whole != field.Name && (v.Kind() == record.Null || v.Kind() == record.String && isName) {
		return v, true
	}
	return nil, false
}

// IsCurrent reports whether a record of the service holds the value of a file already. name is a field of res, or
// attributes.NAME for one attribute.
func IsCurrent(res *schema.Resource, name string, v record.Value, rec record.Record) bool {
	field := res.Field(name)
	if field == nil { // an attribute, or a part of a manager that no document names
		return Agrees(&schema.Field{}, v, rec.Get(name))
	}
	current, _ := CurrentValue(field, rec)
	return Agrees(field, v, current)
}

// Agrees reports whether the value of a file for a field is the one that the service holds, but for white space around a
// text, or that value as this program prints it. An empty value agrees with one that the service does not show: an exported
// list has an empty cell then. This is the only comparison of what a file says with what the service holds.
func Agrees(field *schema.Field, v, current record.Value) bool {
	switch k := current.Kind(); {
	case k == record.Missing || k == record.Null:
		return v.Text() == "" || v.Kind() == record.Array && len(pairsOf(v)) == 0 || v.Kind() == record.Object && pair(v) == [2]string{}
	case field.Type == schema.Attributes && v.Kind() == record.Array && k == record.Array:
		return slices.Equal(pairsOf(current), pairsOf(v))
	case field.Type == schema.Attributes: // which the service shows in a form of its own
		return EqualCell(string(plainText(v)), current)
	case field.Type == schema.Pair && v.Kind() == record.Object && k == record.Object:
		a, b := pair(current), pair(v)
		return a[0] == b[0] && Comparable(field, a[1]) == Comparable(field, b[1])
	case field.Name == fieldIdentifier:
		v, current = record.Quote(IdentifierText(v)), record.Quote(IdentifierText(current))
	case field.Type == schema.Country:
		code, _ := field.Repair(current.Text(), "", false)
		current = record.Quote(code)
	case field.Type == schema.Choice:
		current = record.Quote(field.Word(current.Text()))
	}
	return EqualCell(v.Text(), current) || v.Kind() == record.String && Comparable(field, v.Text()) == Comparable(field, current.Text())
}

// AttributesPrefix begins the name of one attribute.
const AttributesPrefix = fieldAttributes + "."

// pairsOf returns the pairs of a list of attributes, whose order does not count.
func pairsOf(list record.Value) [][2]string {
	var out [][2]string
	for item := range list.Elements() {
		out = append(out, pair(item))
	}
	slices.SortFunc(out, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return out
}

func pair(v record.Value) [2]string {
	return [2]string{v.Get("field_name").Text(), v.Get("field_value").Text()}
}

// EqualCell reports whether a cell of a file equals a value that the service holds: it is the text of the value, or
// that text as this program prints it in csv, with or without --csv-safe.
func EqualCell(cell string, current record.Value) bool {
	if cell == current.Text() {
		return true
	}
	printed := CellText(current)
	return printed == PrintedAs(cell) || printed == PrintedAs(safetext.FormulaUnsafe(cell))
}

// CellText returns the text of a value in a csv cell: arrays and objects as compact JSON, control characters escaped.
func CellText(v record.Value) string {
	return string(safetext.AppendData(nil, plainText(v), '\n', '\t'))
}

// plainText returns the text of a value: arrays and objects as compact JSON.
func plainText(v record.Value) []byte {
	if k := v.Kind(); k == record.Array || k == record.Object {
		return v.AppendCompact(nil)
	}
	return v.AppendText(nil)
}

// PrintedAs returns a cell as csv prints it. A cell that is escaped already stays as it is.
func PrintedAs(cell string) string { return CellText(record.Quote(cell)) }

// MergePartial completes the values that an update replaces as a whole: the list of attributes, and the name, the e-mail and
// whatever else the service shows of a manager. send are the values that differ, given are all values that are given, and rec is the account that the service
// holds, of which isLate reports what may be late. If it can't, it returns the field that is given, and the reason, perhaps a LateError, in the words for the user's input.
func MergePartial(send, given schema.Values, rec record.Record, isLate record.LateFunc, words Words) (field string, err error) {
	list, account := rec.Get(fieldAttributes), rec.Get(fieldAccount)
	for _, key := range slices.Sorted(maps.Keys(send)) {
		attribute, ok := strings.CutPrefix(key, AttributesPrefix)
		if !ok {
			continue
		}
		if list.Kind() != record.Array && list.Kind() != record.Null {
			return key, errors.New("the service does not show the account's attributes, which would be lost: give them all " + words.Attributes)
		}
		if isLate(fieldAccount, account, fieldAttributes, rec.Get(fieldAttributes), false) {
			return key, LateError{"attributes of the account", "give them all " + words.Attributes}
		}
		if others := slices.DeleteFunc(pairsOf(list), func(p [2]string) bool { return p[0] == attribute }); len(others) < len(pairsOf(list))-1 {
			return key, fmt.Errorf("the service shows the attribute %s more than once, of which one would be lost: give all attributes %s", safetext.Quote(attribute), words.Attributes)
		}
		list = schema.AddAttribute(list, attribute, send[key].Text())
		send[fieldAttributes] = list
		delete(send, key)
	}
	for _, half := range Halves(send) {
		field := schema.AccountsV2.Field(half[1])
		current, isHeld := CurrentValue(field, rec)
		switch {
		case given[half[1]] != nil:
			send[half[1]] = given[half[1]]
		case isLate(fieldAccount, account, half[1], current, false):
			return half[0], LateError{half[1] + " of the account", fmt.Sprintf("give both %s and %s", words.Field(half[0]), words.Field(half[1]))}
		case isHeld && current.Kind() != record.Null:
			send[half[1]] = record.Quote(current.Text())
		case !isHeld:
			return half[0], fmt.Errorf("the service does not show the account's %s, which would be lost: give both %s and %s, the second as \"\" if there is none", half[1], words.Field(half[0]), words.Field(half[1]))
		}
	}
	for _, object := range managers {
		for member, v := range rec.Get(object).Members() {
			if name := object + "." + member; schema.AccountsV2.Field(name) == nil && (send[object+".name"] != nil || send[object+".email"] != nil) {
				send[name] = slices.Clone(v)
			}
		}
	}
	return "", nil
}

// Differs reports whether an account is to have a value, v, but its record shows another one or may be late.
func Differs(isLate record.LateFunc, agrees bool, name string, v, shown record.Value, rec record.Record) bool {
	if strings.HasPrefix(name, AttributesPrefix) { // which are changed as a whole
		name, shown = fieldAttributes, rec.Get(fieldAttributes)
		v = shown
	}
	return isLate.Differs(agrees, fieldAccount, rec.Get(fieldAccount), name, v, shown)
}

// A LateError says that an update would keep a value which the service may show late, and what to do instead of waiting.
type LateError struct{ What, Instead string }

func (e LateError) Error() string {
	return fmt.Sprintf("the service does not show the %s that this machine has just sent: it is late, or somebody else has made a change; run this again in two minutes, or %s", e.What, e.Instead)
}

// Words are what the user's input calls a field, and all attributes.
type Words struct {
	Field      func(name string) string
	Attributes string
}

// InFile are the words for a file.
var InFile = Words{func(name string) string { return name }, "in the column attributes"}

// managers are the objects that an update replaces as a whole.
var managers = [...]string{"external_account_manager", "external_campaign_manager"}

// Halves returns the fields of managers of which an update has the other half only, each behind that half.
func Halves(send schema.Values) (halves [][2]string) {
	for _, object := range managers {
		for _, half := range [][2]string{{object + ".name", object + ".email"}, {object + ".email", object + ".name"}} {
			if send[half[0]] != nil && send[half[1]] == nil {
				halves = append(halves, half)
			}
		}
	}
	return halves
}

// CheckPostal returns an error if the postal code of an update is no code of the country of the account, as the service
// shows it.
func CheckPostal(send schema.Values, rec record.Record) error {
	return schema.AccountsV2.Field(FieldPostal).CheckPostal(send[FieldPostal].Text(), countryOf(rec))
}

// Restored returns the value v that a row has for a text of an account with what a spreadsheet, which took it for a number, has lost
// of it: the zeros or the + before the number that the service holds, and the zeros of a postal code in the country of the account.
// written is the code before the country of the row repaired it, "" if nothing was repaired. What the service holds stays as it is.
func Restored(name string, v record.Value, written string, rec record.Record) record.Value {
	field, text := schema.AccountsV2.Field(name), v.Text()
	isNumber := text != "" && text[0] != '0' && strings.Trim(text, "0123456789") == ""
	if !isNumber && written == "" || field == nil || field.Type != schema.Text || IsCurrent(&schema.AccountsV2, name, v, rec) {
		return v
	}
	held, _ := CurrentValue(field, rec)
	shown := IdentifierText(held)
	if lost, isEnd := strings.CutSuffix(shown, text); isEnd && isNumber && strings.Trim(lost, "+0") == "" {
		return record.Quote(shown)
	}
	if country := countryOf(rec); country != "" && text != "" && field.Content == schema.PostalCode {
		restored, _ := field.Repair(cmp.Or(written, text), country, true)
		v = record.Quote(restored)
	}
	return v
}

func countryOf(rec record.Record) string {
	country := schema.AccountsV2.Field("country_code")
	current, _ := CurrentValue(country, rec)
	code, _ := country.Repair(current.Text(), "", false)
	return strings.ToUpper(code)
}

// IdentifierText returns the text of an external_account_identifier of either form: a string, or the object with
// field_value that version 1 has.
func IdentifierText(v record.Value) string {
	if v.Kind() == record.Object {
		v = v.Get("field_value")
	}
	return v.Text()
}

// AccountStatus returns the status of an account in the words of version 2. Version 1 and older records have a number
// under another name.
func AccountStatus(rec record.Record) string {
	return StatusWord(cmp.Or(rec.Get(fieldStatus).Text(), rec.Get("active").Text()))
}

// StatusWord returns a status in the words of version 2, which may be spelled in capital letters. It returns any other
// status as it is.
func StatusWord(text string) string { return schema.AccountsV2.Field(fieldStatus).Word(text) }

// Comparable returns the text of a field in the form in which two of them are compared. White space around a text does not
// count, nor does case in e-mail addresses and identifiers.
func Comparable(f *schema.Field, text string) string {
	if f.Type == schema.Email || f.Name == fieldIdentifier {
		return schema.FoldText(text)
	}
	return schema.TrimSpace(text)
}

// isSame reports whether two rows say the same of an account by these texts.
func isSame(name, a, b string) bool {
	f := schema.AccountsV2.Field(name)
	switch {
	case f == nil:
		return schema.FoldText(a) == schema.FoldText(b) // the name and the e-mail address of a manager
	case f.Type != schema.Attributes:
		return Comparable(f, a) == Comparable(f, b)
	}
	first, _ := record.ParseValue([]byte(a))
	second, _ := record.ParseValue([]byte(b))
	return a == b || first.Kind() == record.Array && Agrees(f, first, second)
}

// wholeOf returns the name of what an update replaces as a whole if it sends a field: the field, or the object or the
// list that it is a part of.
func wholeOf(name string) string {
	whole, _, _ := strings.Cut(name, ".")
	return whole
}
