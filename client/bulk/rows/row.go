package rows

import (
	"encoding/binary"
	"slices"
	"strings"
	"unsafe"

	"reseller/client/bulk/decode"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/xlsx"
)

// Values are the values of a row's fields. They are a slice, because a row has few fields: a search through a slice is faster
// than a map, and its memory can be used again for the next row.
type Values []Value

// A Value is the JSON of one field.
type Value struct {
	Name string
	JSON record.Value
}

// Get returns the value of a field, nil if the row has none.
func (v Values) Get(name string) record.Value {
	for i := range v {
		if v[i].Name == name {
			return v[i].JSON
		}
	}
	return nil
}

func (v *Values) Set(name string, json record.Value) {
	for i := range *v {
		if (*v)[i].Name == name {
			(*v)[i].JSON = json
			return
		}
	}
	*v = append(*v, Value{name, json})
}

// Map returns the values as a map, from which the body of a request is made.
func (v Values) Map() schema.Values {
	m := make(schema.Values, len(v))
	for i := range v {
		m[v[i].Name] = v[i].JSON
	}
	return m
}

func FromMap(m schema.Values) Values {
	v := make(Values, 0, len(m))
	for name, json := range m {
		v = append(v, Value{name, json})
	}
	return v
}

// AppendValues appends the values as lines NAME=JSON, in the order of their names.
func AppendValues(b []byte, v Values) []byte {
	v = slices.Clone(v)
	slices.SortFunc(v, func(a, b Value) int { return strings.Compare(a.Name, b.Name) })
	for _, value := range v {
		b = append(append(append(append(b, value.Name...), '='), value.JSON...), '\n')
	}
	return b
}

// An Arena stores copies of rows in a few large slices. A slice that is full is followed by another one, since rows would keep what
// it grew out of.
type Arena struct {
	Rows   []Row
	values Values
	bytes  []byte
	full   int      // how much memory the slices take that are full
	names  []string // of the values that Load added, each made once
}

const sizeOfRow, sizeOfValue = int(unsafe.Sizeof(Row{})), int(unsafe.Sizeof(Value{}))

// Add copies a row's line, ordinal, values and repaired cells. It does not copy its cells
// and its read-only texts, which are not sent.
func (a *Arena) Add(row *Row) {
	size := 0
	for _, v := range row.Values {
		size += len(v.JSON)
	}
	if len(a.bytes)+size > cap(a.bytes) {
		a.full += cap(a.bytes)
		a.bytes = make([]byte, 0, max(size, min(2*cap(a.bytes), 256<<10)))
	}
	if len(a.values)+len(row.Values) > cap(a.values) {
		a.full += sizeOfValue * cap(a.values)
		a.values = make(Values, 0, max(len(row.Values), min(2*cap(a.values), 4<<10)))
	}
	first := len(a.values)
	for _, v := range row.Values {
		start := len(a.bytes)
		a.bytes = append(a.bytes, v.JSON...)
		v.JSON = a.bytes[start:len(a.bytes):len(a.bytes)]
		a.values = append(a.values, v)
	}
	a.Rows = append(a.Rows, Row{Line: row.Line, Ordinal: row.Ordinal, Values: a.values[first:len(a.values):len(a.values)], Repaired: slices.Clone(row.Repaired)})
}

// Size is about how much memory the arena takes.
func (a *Arena) Size() int {
	return sizeOfRow*cap(a.Rows) + sizeOfValue*cap(a.values) + cap(a.bytes) + a.full
}

// AppendTo appends the rows to b, from which Load adds them to another arena.
func (a *Arena) AppendTo(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(a.Rows)))
	for _, row := range a.Rows {
		b = binary.AppendUvarint(b, uint64(row.Line))
		b = binary.AppendUvarint(b, uint64(row.Ordinal))
		b = binary.AppendUvarint(b, uint64(len(row.Values)))
		for _, v := range row.Values {
			b = append(binary.AppendUvarint(b, uint64(len(v.Name))), v.Name...)
			b = append(binary.AppendUvarint(b, uint64(len(v.JSON))), v.JSON...)
		}
	}
	return b
}

// Load adds the rows that AppendTo of another arena appended.
func (a *Arena) Load(saved []byte) {
	number := func() int {
		n, used := binary.Uvarint(saved)
		saved = saved[used:]
		return int(n)
	}
	text := func() []byte {
		n := number()
		out := saved[:n]
		saved = saved[n:]
		return out
	}
	var row Row
	for range number() {
		row.Line, row.Ordinal, row.Values = number(), number(), row.Values[:0]
		for range number() {
			name := text()
			at := slices.Index(a.names, string(name))
			if at < 0 {
				at, a.names = len(a.names), append(a.names, string(name))
			}
			row.Values = append(row.Values, Value{a.names[at], text()})
		}
		a.Add(&row)
	}
}

// Clone returns copies of rows, made by Arena.Add. The copies stay valid when the walk of the rows continues.
func Clone(rows ...Row) []Row {
	var a Arena
	for i := range rows {
		a.Add(&rows[i])
	}
	return a.Rows
}

// A Row is one row of the input. Its slices and maps are valid until the walk that yielded it continues; Clone copies them.
type Row struct {
	Line    int // the line of the file on which the row begins; Source.Locate finds it in a folder
	Ordinal int // the row's place among the rows of the file, from 0
	Values  Values
	// ReadOnly are the texts of read-only fields, by the name of the field. The name of
	// a field that is not documented has a leading dot.
	ReadOnly map[string]string
	Repaired []RepairedCell // the cells that were repaired
	// Invalid are the invalid values of a row that is invalid, or that the schema keeps (see Schema.KeepsInvalid). They are not in
	// Values, so they are never sent.
	Invalid []InvalidValue
	// Cells are the cells of the input, one for each column. In a format without
	// columns, the only cell is the row's object as JSON.
	Cells []string

	number  int         // the number that a spreadsheet shows for the row; 0 in a format without rows
	kinds   []xlsx.Kind // of the cells of a workbook; nil in any other format
	layout  *layout     // of the file of a folder that has the row; nil for a row that Clone has copied or that Expand has made
	written Values      // the texts of the file for ids that it names in other words
}

// An InvalidValue is a value that can't be sent, and the issue for which it can't.
type InvalidValue struct {
	Value
	Issue decode.Issue
}

// Given returns all values that the file gives for the row, the invalid ones among them.
func (r *Row) Given() Values {
	if r.Invalid == nil {
		return r.Values
	}
	given := slices.Clone(r.Values)
	for i := range r.Invalid {
		given = append(given, r.Invalid[i].Value)
	}
	return given
}

// A RepairedCell is a cell whose text was repaired before it became a value of its row.
type RepairedCell struct {
	Field   string // the name of the value
	Column  string // the name of the column in the file
	Text    string // the text in the file
	Repairs schema.RepairSet
}

// An Identity computes two keys from the values of a row, appends them to id and content, and returns both. Rows with the same
// id are about the same thing, for instance the same account. If their content is the same too, they repeat each other; if it
// differs, they contradict each other.
type Identity func(v Values, id, content []byte) ([]byte, []byte)

// ByAllFields is an Identity: the id is all values of the row, and the content is empty.
func ByAllFields(v Values, id, content []byte) ([]byte, []byte) {
	return AppendValues(id, v), content
}

// IdentityOf returns the Identity that a resource declares. The id of an update is the key of the record, that of a create
// the fields with the use Identity; the content is all other values.
func IdentityOf(res *schema.Resource, use schema.Use) Identity {
	fields := res.Having(schema.Identity)
	if use == schema.Update {
		fields = res.Having(schema.Key)[:1]
	}
	if len(fields) == 1 {
		return func(v Values, id, content []byte) ([]byte, []byte) {
			return v.Get(fields[0].Name).AppendText(id), AppendValues(content, v)
		}
	}
	isIdentity := func(v Value) bool {
		return slices.ContainsFunc(fields, func(f *schema.Field) bool { return f.Name == v.Name })
	}
	return func(v Values, id, content []byte) ([]byte, []byte) {
		id = AppendValues(id, slices.DeleteFunc(slices.Clone(v), func(value Value) bool { return !isIdentity(value) }))
		switch rest := slices.DeleteFunc(slices.Clone(v), isIdentity); len(rest) {
		case 0:
			return id, content
		case 1: // such as a password, of which files of the history have the hash
			return id, rest[0].JSON.AppendText(content)
		default:
			return id, AppendValues(content, rest)
		}
	}
}

// JoinKey joins parts to one key. Different lists of parts give different keys.
func JoinKey(parts ...string) []byte {
	var b []byte
	ends := make([]int, len(parts))
	for i, p := range parts {
		b = append(b, p...)
		ends[i] = len(b)
	}
	return AppendEnds(b, ends...)
}

// AppendEnds appends the offset at which each part of a key ends. Two keys whose joined
// parts are equal then differ if their parts end at different offsets.
func AppendEnds(b []byte, ends ...int) []byte {
	for _, end := range ends {
		b = binary.LittleEndian.AppendUint32(b, uint32(end))
	}
	return b
}

// asWritten returns values with the texts of the file in place of the ids that they stand for. The digest of a file is made of
// them, so that it is that of the file, whatever the texts stand for.
func (r *Row) asWritten(values Values) Values {
	if r.written == nil {
		return values
	}
	values = slices.Clone(values)
	for _, v := range r.written {
		values.Set(v.Name, v.JSON)
	}
	return values
}

// Texts are texts in place of those of a row, by the field. Nil are none.
type Texts func(field string) (text string, ok bool)

// TextsIn returns the texts in a map.
func TextsIn(texts map[string]string) Texts {
	return func(field string) (text string, ok bool) {
		text, ok = texts[field]
		return text, ok
	}
}

// Or returns the texts of t, and where it has none, those of other.
func (t Texts) Or(other Texts) Texts {
	if t == nil {
		return other
	}
	return func(field string) (text string, ok bool) {
		if text, ok = t(field); !ok && other != nil {
			return other(field)
		}
		return text, ok
	}
}

// AsSent adds to texts what is sent in place of the row's cells: ids that have other words there, and values that were repaired.
func (r *Row) AsSent(texts Texts) Texts {
	sent := map[string]string{}
	for _, v := range r.written {
		sent[v.Name] = r.Values.Get(v.Name).Text()
	}
	for _, cell := range r.Repaired {
		v := r.Values.Get(cell.Field)
		if name, _, isPart := strings.Cut(cell.Field, "."); v == nil && isPart {
			v = record.Of(record.Pair{Name: name, Value: r.Values.Get(name)}).Get(cell.Field)
		}
		if k := v.Kind(); k == record.String || k == record.Number {
			sent[cell.Field] = v.Text()
		}
	}
	return texts.Or(TextsIn(sent))
}

// IsAppended reports whether Append has added the row.
func (r *Row) IsAppended() bool { return r.Line < 0 }
