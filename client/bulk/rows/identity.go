package rows

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// An Identity computes two keys from the values of a row, appends them to id and content,
// and returns both. Rows with the same id are about the same thing, for instance the same
// account. If their content is the same too, they repeat each other; if it differs, they
// contradict each other.
type Identity func(v Values, id, content []byte) ([]byte, []byte)

// ByAllFields is an Identity: the id is all values of the row, and the content is empty.
func ByAllFields(v Values, id, content []byte) ([]byte, []byte) {
	return AppendValues(id, v), content
}

// ByField returns an Identity: the id is the value of one field, the key of the record,
// and the content is all values of the row.
func ByField(name string) Identity {
	return func(v Values, id, content []byte) ([]byte, []byte) {
		return v.Get(name).AppendText(id), AppendValues(content, v)
	}
}

// FoldText returns a text in NFC, case folded, without white space around it, and with
// one space in place of other white space. Texts that differ only in these ways become
// equal.
func FoldText(text string) string { return string(AppendFolded([]byte(text), 0)) }

// AppendFolded folds the text that begins at b[start], as FoldText does, in place.
func AppendFolded(b []byte, start int) []byte {
	out := start
	for i := start; i < len(b); i++ {
		c := b[i]
		switch {
		case c >= utf8.RuneSelf: // fold the whole text again: folding a folded text changes nothing
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

// AppendValues appends the values as lines NAME=JSON, in the order of their names.
func AppendValues(b []byte, v Values) []byte {
	for _, value := range v.sorted() {
		b = append(b, value.Name...)
		b = append(b, '=')
		b = append(b, value.JSON...)
		b = append(b, '\n')
	}
	return b
}
