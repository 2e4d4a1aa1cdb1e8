package rows

import "encoding/binary"

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
