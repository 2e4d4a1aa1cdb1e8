package redact

import (
	"bytes"
	"strings"

	"reseller/client/record"
)

// maxNames is the number of names whose judgement a Filter remembers.
const maxNames = 1000

// A Filter hides secrets in the data of the responses to a call: the values of members
// with a secret name, values that equal a secret of the call, and secrets of eight bytes
// or more inside of strings. It is for one goroutine.
type Filter struct {
	secrets Secrets
	plain   [][]byte        // the secrets without white space around them
	names   map[string]bool // by the JSON text of a name: whether it is one of a secret
	last    [][]byte        // the names of the last record, none of which is one of a secret
}

// NewFilter returns a filter for the responses to a call with these secrets.
func NewFilter(secrets Secrets) *Filter {
	f := &Filter{names: map[string]bool{}}
	for _, s := range secrets {
		if plain := strings.TrimSpace(s); len(plain) >= minSecret {
			f.secrets, f.plain = append(f.secrets, s), append(f.plain, []byte(plain))
		}
	}
	return f
}

// Value returns v with its secrets hidden.
func (f *Filter) Value(v record.Value) record.Value {
	if !f.holdsSecret(v) && !f.suspects(v) {
		return v
	}
	return f.redact(v)
}

// Texts returns texts with the secrets of the call hidden.
func (f *Filter) Texts(texts []string) []string {
	for i, text := range texts {
		texts[i] = f.text(text)
	}
	return texts
}

// Record returns rec with its secrets hidden. It returns rec itself if it contains none,
// which it finds out with little work if rec has the same names as the record before.
func (f *Filter) Record(rec record.Record) (record.Record, error) {
	if !f.suspectsRecord(rec) {
		return rec, nil
	}
	return record.Parse(f.redact(rec.Raw()))
}

func (f *Filter) redact(v record.Value) record.Value {
	return (&redactor{str: f.text, secrets: f.secrets}).append(nil, v)
}

// text returns a text with the secrets of the call hidden.
func (f *Filter) text(text string) string {
	if f.secrets.equal(text) {
		return Placeholder
	}
	for _, secret := range f.plain {
		if len(secret) >= minPrefix {
			text = strings.ReplaceAll(text, string(secret), Placeholder)
		}
	}
	return text
}

// suspectsRecord reports whether a record may contain something to hide.
func (f *Filter) suspectsRecord(rec record.Record) bool {
	for i := range rec.Len() {
		name, v, marks := rec.At(i)
		if f.holdsSecret(v) {
			return true
		}
		if i >= len(f.last) || !bytes.Equal(f.last[i], name) {
			if f.isSecretName(name) {
				return true
			}
			f.last = append(f.last[:min(i, len(f.last))], bytes.Clone(name))
		}
		switch v[0] {
		case '"':
			if marks&record.MarkEscape != 0 && f.escapesSecret(v) {
				return true
			}
		case '{', '[':
			if f.suspects(v) {
				return true
			}
		}
	}
	return false
}

// suspects reports whether v, which may be no JSON, may contain a member with a secret
// name, or a secret with escapes.
func (f *Filter) suspects(v record.Value) bool {
	for start := 0; ; {
		quote := bytes.IndexByte(v[start:], '"')
		if quote < 0 {
			return false
		}
		start += quote
		end, escaped := start+1, false
		for end < len(v) && v[end] != '"' {
			if v[end] == '\\' {
				escaped = true
				end++
			}
			end++
		}
		if end++; end > len(v) {
			return true // v is not JSON
		}
		next := end
		for next < len(v) && (v[next] == ' ' || v[next] == '\t' || v[next] == '\r' || v[next] == '\n') {
			next++
		}
		isName := next < len(v) && v[next] == ':'
		if isName && f.isSecretName(v[start:end]) || !isName && escaped && f.escapesSecret(v[start:end]) {
			return true
		}
		start = end
	}
}

// holdsSecret reports whether a text contains a secret as it is.
func (f *Filter) holdsSecret(text []byte) bool {
	for _, secret := range f.plain {
		if len(text) >= len(secret) && bytes.Contains(text, secret) {
			return true
		}
	}
	return false
}

// escapesSecret reports whether a string contains a secret once its escapes are undone.
func (f *Filter) escapesSecret(v record.Value) bool {
	for _, secret := range f.plain {
		if len(v) > len(secret) {
			return f.holdsSecret([]byte(v.Text()))
		}
	}
	return false
}

// isSecretName is IsSecretName for the JSON text of a name.
func (f *Filter) isSecretName(quoted []byte) bool {
	secret, known := f.names[string(quoted)]
	if !known {
		secret = IsSecretName(record.Value(quoted).Text())
		if len(f.names) < maxNames {
			f.names[string(quoted)] = secret
		}
	}
	return secret
}

// SecretsIn returns the values of all members with a secret name in the body of a
// request, which may be no JSON.
func SecretsIn(body []byte) (found Secrets) {
	if !NewFilter(nil).suspects(body) { // most bodies need not be parsed
		return nil
	}
	v, err := record.ParseValue(body)
	if err != nil {
		return nil
	}
	var collect func(v record.Value, secret bool)
	collect = func(v record.Value, secret bool) {
		for name, member := range v.Members() {
			collect(member, secret || IsSecretName(name))
		}
		for element := range v.Elements() {
			collect(element, secret)
		}
		if kind := v.Kind(); secret && (kind == record.String || kind == record.Number) {
			found = append(found, v.Text())
		}
	}
	collect(v, false)
	return found
}
