package rows

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// An Identity appends to id what identifies the thing that a row is about, and to
// content what all rows about that thing must agree in. Rows that agree in both
// repeat each other; rows that agree in id only contradict each other.
type Identity func(v Values, id, content []byte) ([]byte, []byte)

// ByAllFields identifies a row by all its values.
func ByAllFields(v Values, id, content []byte) ([]byte, []byte) {
	return AppendValues(id, v), content
}

// ByField identifies a row by one field, the key of the record. All values must agree.
func ByField(name string) Identity {
	return func(v Values, id, content []byte) ([]byte, []byte) {
		return v.Get(name).AppendText(id), AppendValues(content, v)
	}
}

// FoldText returns a text without differences of spelling: in NFC, case folded, with
// white space collapsed.
func FoldText(text string) string { return string(AppendFolded([]byte(text), 0)) }

// AppendFolded folds the text that b contains from start on, in place.
func AppendFolded(b []byte, start int) []byte {
	out := start
	for i := start; i < len(b); i++ {
		c := b[i]
		switch {
		case c >= utf8.RuneSelf: // what was folded so far stays folded
			rest := append(b[:out], b[i:]...)[start:]
			folded := norm.NFC.Bytes(cases.Fold().Bytes(norm.NFC.Bytes(rest)))
			return append(b[:start], bytes.Join(bytes.Fields(folded), blank)...)
		case c == ' ' || '\t' <= c && c <= '\r':
			if out == start || b[out-1] == ' ' {
				continue
			}
			c = ' '
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		b[out] = c
		out++
	}
	if out > start && b[out-1] == ' ' {
		out--
	}
	return b[:out]
}

var blank = []byte{' '}

// JoinKey joins parts so that different lists of parts give different keys.
func JoinKey(parts ...string) []byte {
	var b []byte
	ends := make([]int, len(parts))
	for i, p := range parts {
		b = append(b, p...)
		ends[i] = len(b)
	}
	return AppendEnds(b, ends...)
}

// AppendEnds appends where each part of a key ends.
func AppendEnds(b []byte, ends ...int) []byte {
	for _, end := range ends {
		b = binary.LittleEndian.AppendUint32(b, uint32(end))
	}
	return b
}

// AppendValues appends the values in the order of their names.
func AppendValues(b []byte, v Values) []byte {
	for _, value := range v.sorted() {
		b = append(b, value.Name...)
		b = append(b, '=')
		b = append(b, value.JSON...)
		b = append(b, '\n')
	}
	return b
}
