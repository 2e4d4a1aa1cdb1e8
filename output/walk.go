package output

import (
	"bytes"
	"strings"

	"reseller/client/record"
)

// within is record.Value.Get without its allocations: nested columns are
// looked up in every record of a list.
func within(v record.Value, name string) record.Value {
	if v.Kind() != record.Object {
		return v.Get(name)
	}
	if inner := member(v, name); inner != nil {
		return inner
	}
	head, rest, nested := strings.Cut(name, ".")
	if !nested {
		return nil
	}
	return within(member(v, head), rest)
}

// member finds the member of that very name in an object, the last of
// several.
func member(v record.Value, name string) (found record.Value) {
	if v.Kind() != record.Object {
		return nil
	}
	i := space(v, 1)
	for v[i] != '}' {
		key := i
		i = skip(v, i)
		same := sameName(v[key:i], name)
		i = space(v, space(v, i)+1) // the colon
		start := i
		i = skip(v, i)
		if same {
			found = v[start:i:i]
		}
		if i = space(v, i); v[i] == ',' {
			i = space(v, i+1)
		}
	}
	return found
}

// sameName compares a name in quotes.
func sameName(quoted record.Value, name string) bool {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1:len(quoted)-1]) == name
	}
	return quoted.Text() == name
}

// space returns the index of the next byte of valid JSON that is no white
// space.
func space(v []byte, i int) int {
	for i < len(v) && (v[i] == ' ' || v[i] == '\n' || v[i] == '\t' || v[i] == '\r') {
		i++
	}
	return i
}

// skip returns the index behind the value of valid JSON that begins at i.
func skip(v []byte, i int) int {
	depth := 0
	for ; i < len(v); i++ {
		switch v[i] {
		case '"':
			for i++; v[i] != '"'; i++ {
				if v[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}
