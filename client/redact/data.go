package redact

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"sync"

	"reseller/client/record"
)

// A Filter hides secrets in the data of the responses to a call: the values of members with a secret name, values that equal a
// secret of the call, and secrets of eight bytes or more inside of strings. It is for one goroutine.
type Filter struct {
	secrets  Secrets        // without white space around them
	shortest int            // the length of the shortest secret
	plain    [][]byte       // the secrets
	harmless record.NameSet // the names of the last record, none of which is one of a secret
}

// NewFilter returns a filter for the responses to a call with these secrets.
func NewFilter(secrets Secrets) *Filter {
	f := &Filter{shortest: math.MaxInt}
	for _, s := range secrets {
		if plain := strings.TrimSpace(s); len(plain) >= minSecret {
			f.secrets, f.plain, f.shortest = append(f.secrets, plain), append(f.plain, []byte(plain)), min(f.shortest, len(plain))
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
		texts[i] = f.Text(text)
	}
	return texts
}

// Record hides the secrets in rec. It finds out with little work that there are none if
// rec has the same names as the record before.
func (f *Filter) Record(rec *record.Record) (err error) {
	if f.suspectsRecord(rec) {
		*rec, err = record.Parse(f.redact(rec.Raw()))
	}
	return err
}

func (f *Filter) redact(v record.Value) record.Value {
	return (&redactor{str: f.Text, secrets: f.secrets}).append(nil, v)
}

// Text returns a text with the secrets of the call hidden: shorter ones only if they are all of it.
func (f *Filter) Text(text string) string {
	if f.secrets.equal(text) {
		return Placeholder
	}
	for _, secret := range f.secrets {
		if len(secret) >= minPrefix {
			text = strings.ReplaceAll(text, secret, Placeholder)
		}
	}
	return text
}

// suspectsRecord reports whether a record may contain something to hide.
func (f *Filter) suspectsRecord(rec *record.Record) bool {
	if set := rec.NameSet(); set == (record.NameSet{}) || set != f.harmless {
		for i := range rec.Len() {
			if name, _, _ := rec.At(i); isSecretName(name) {
				return true
			}
		}
		f.harmless = set
	}
	if len(rec.Raw()) < f.shortest && rec.Marks()&record.MarkNested == 0 {
		return false
	}
	for i := range rec.Len() {
		switch v, marks := rec.Field(i); {
		case marks&record.MarkNested != 0:
			if f.holdsSecret(v) || f.suspects(v) {
				return true
			}
		case len(v) >= f.shortest && (f.holdsSecret(v) || marks&record.MarkEscape != 0 && f.escapesSecret(v)):
			return true
		}
	}
	return false
}

// suspects reports whether v, which may be no JSON, may contain a member with a secret name, or a secret with escapes.
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
		next := record.SkipSpace(v, end)
		isName := next < len(v) && v[next] == ':'
		if isName && isSecretName(v[start:end]) || !isName && escaped && f.escapesSecret(v[start:end]) {
			return true
		}
		start = end
	}
}

// maxJudged is for how many names it is remembered whether they are those of secrets. The service has fewer.
const maxJudged = 1000

// judged has the names that were judged so far, by their JSON text.
var judged = struct {
	sync.RWMutex
	isSecret map[string]bool
}{isSecret: map[string]bool{}}

func isSecretName(quoted []byte) bool {
	judged.RLock()
	isSecret, isKnown := judged.isSecret[string(quoted)]
	judged.RUnlock()
	if !isKnown {
		isSecret = IsSecretName(record.Value(quoted).Text())
		judged.Lock()
		defer judged.Unlock()
		if len(judged.isSecret) < maxJudged {
			judged.isSecret[string(quoted)] = isSecret
		}
	}
	return isSecret
}

func (f *Filter) holdsSecret(text []byte) bool {
	if len(text) < f.shortest {
		return false
	}
	return slices.ContainsFunc(f.plain, func(secret []byte) bool { return bytes.Contains(text, secret) })
}

// escapesSecret reports whether a string contains a secret once its escapes are undone.
func (f *Filter) escapesSecret(v record.Value) bool {
	return len(v) > f.shortest && f.holdsSecret([]byte(v.Text()))
}

// SecretsIn returns the values of all members with a secret name in the body of a request, which may be no JSON.
func SecretsIn(body []byte) (found Secrets) {
	if !(&Filter{shortest: math.MaxInt}).suspects(body) { // most bodies need not be parsed
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
