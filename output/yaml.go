package output

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"reseller/client/record"
	"reseller/client/safetext"
)

// yamlEncoder writes block style by hand: the yaml library has no way to ask
// for \uXXXX, and would retype numbers.
type yamlEncoder struct {
	pl      plan
	scratch []byte
	some    bool
}

func (e *yamlEncoder) begin(dst []byte) []byte { return dst }

func (e *yamlEncoder) record(dst []byte, rec record.Record) ([]byte, error) {
	e.some = true
	v := rec.Raw()
	if e.pl.picked {
		e.scratch = e.pl.appendPicked(e.scratch[:0], &rec)
		v = e.scratch
	}
	if e.pl.shape.Single {
		return append(appendYAML(dst, v, 0), '\n'), nil
	}
	return append(appendYAML(append(dst, "- "...), v, 2), '\n'), nil
}

func (e *yamlEncoder) end(dst []byte) ([]byte, error) {
	if !e.some && !e.pl.shape.Single {
		dst = append(dst, "[]\n"...)
	}
	return dst, nil
}

// appendYAML writes v, whose later lines begin with indent spaces.
func appendYAML(dst []byte, v record.Value, indent int) []byte {
	switch v.Kind() {
	case record.Object:
		return appendMapping(dst, v, indent)
	case record.Array:
		first := true
		for element := range v.Elements() {
			if !first {
				dst = appendIndent(dst, indent)
			}
			first = false
			dst = appendYAML(append(dst, "- "...), element, indent+2)
		}
		if first {
			dst = append(dst, "[]"...)
		}
		return dst
	case record.String:
		return appendScalar(dst, v.Text())
	}
	return append(dst, v...)
}

// longKey is below the 1024 characters beyond which YAML wants a question
// mark before a key.
const longKey = 1000

func appendMapping(dst []byte, v record.Value, indent int) []byte {
	// YAML forbids what JSON allows, two members of one name: the last counts.
	last := map[string]int{}
	n := 0
	for name := range v.Members() {
		last[name] = n
		n++
	}
	if n == 0 {
		return append(dst, "{}"...)
	}
	i, first := 0, true
	for name, inner := range v.Members() {
		if i++; last[name] != i-1 {
			continue
		}
		if !first {
			dst = appendIndent(dst, indent)
		}
		first = false
		start := len(dst)
		dst = appendScalar(dst, name)
		if len(dst)-start > longKey {
			dst = append(dst[:start], "? "...)
			dst = appendIndent(appendScalar(dst, name), indent)
		}
		dst = append(dst, ':')
		if nested(inner) {
			dst = appendYAML(appendIndent(dst, indent+2), inner, indent+2)
		} else {
			dst = appendYAML(append(dst, ' '), inner, indent+2)
		}
	}
	return dst
}

// nested tells whether v takes lines of its own.
func nested(v record.Value) bool {
	k := v.Kind()
	return (k == record.Object || k == record.Array) && v[space(v, 1)] != '}' && v[space(v, 1)] != ']'
}

func appendIndent(dst []byte, n int) []byte {
	dst = append(dst, '\n')
	for range n {
		dst = append(dst, ' ')
	}
	return dst
}

// appendScalar writes a string plainly where every YAML reader takes it for
// that very string, else in double quotes.
func appendScalar(dst []byte, s string) []byte {
	if plainScalar(s) {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n' || r == '\t':
			dst = safetext.AppendEscaped(dst, r)
		case safetext.IsControl(r), r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff: // breaks and the unprintable
			dst = safetext.AppendUnicode(dst, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// plainScalar is strict: a letter first, then only what means nothing to
// YAML. Numbers, dates and the words of any YAML version are left out.
func plainScalar(s string) bool {
	before := rune(0)
	for i, r := range s {
		switch {
		case unicode.IsLetter(r) || r == '_':
		case i == 0:
			return false
		case unicode.IsDigit(r) || strings.ContainsRune(" -./@+,()&'%$;=?!*~", r):
		case r == ':' && i+1 < len(s) && s[i+1] != ' ':
		default:
			return false
		}
		before = r
	}
	if before == 0 || before == ' ' {
		return false
	}
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return false
	}
	return true
}
