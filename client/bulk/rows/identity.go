package rows

import (
	"encoding/binary"
	"slices"

	"reseller/client/schema"
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
