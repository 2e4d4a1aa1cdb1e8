package mock

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// fields reads a JSON object field by field and gathers all that is wrong with it,
// so that one answer names every missing field.
type fields struct {
	raw map[string]json.RawMessage
	at  string // the place of a nested object, such as "keywords[3]."
	*problems
}

// requiredText begins the message that names absent fields.
const requiredText = "required: "

type problems struct{ missing, wrong []string }

// decode reads a request body.
func decode(body []byte) (*fields, error) {
	f := &fields{problems: &problems{}}
	if err := json.Unmarshal(body, &f.raw); err != nil || f.raw == nil {
		return nil, &failure{http.StatusBadRequest, "the body is not a JSON object"}
	}
	return f, nil
}

// err is the refusal of a body with missing fields or wrong types, or nil.
func (f *fields) err() error {
	switch {
	case len(f.missing) > 0:
		return &failure{http.StatusBadRequest, requiredText + strings.Join(f.missing, ", ")}
	case len(f.wrong) > 0:
		return &failure{http.StatusBadRequest, strings.Join(f.wrong, "; ")}
	}
	return nil
}

// get returns a field as it came; null counts as absent.
func (f *fields) get(name string, required bool) (json.RawMessage, bool) {
	raw, ok := f.raw[name]
	if ok && string(raw) != "null" {
		return raw, true
	}
	if required {
		f.missing = append(f.missing, f.at+name)
	}
	return nil, false
}

func (f *fields) mustBe(name, kind string) {
	f.wrong = append(f.wrong, f.at+name+" must be "+kind)
}

// text returns nil for an absent field.
func (f *fields) text(name string, required bool) *string {
	raw, ok := f.get(name, required)
	if !ok {
		return nil
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		f.mustBe(name, "a string")
		return nil
	}
	return &s
}

// needText is text for a required field: "" stands in for one that is not there,
// which err tells.
func (f *fields) needText(name string) string {
	if s := f.text(name, true); s != nil {
		return *s
	}
	return ""
}

// integer returns nil for an absent field. A number in quotes is a wrong type.
func (f *fields) integer(name string, required bool) *int64 {
	raw, ok := f.get(name, required)
	if !ok {
		return nil
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		f.mustBe(name, "an integer")
		return nil
	}
	return &n
}

func (f *fields) needInteger(name string) int64 {
	if n := f.integer(name, true); n != nil {
		return *n
	}
	return 0
}

func (f *fields) needBool(name string) bool {
	raw, ok := f.get(name, true)
	var b bool
	if ok && json.Unmarshal(raw, &b) != nil {
		f.mustBe(name, "true or false")
	}
	return b
}

// object returns nil for an absent field.
func (f *fields) object(name string) *fields {
	raw, ok := f.get(name, false)
	if !ok {
		return nil
	}
	return f.nested(name, raw)
}

func (f *fields) nested(place string, raw json.RawMessage) *fields {
	o := &fields{at: f.at + place + ".", problems: f.problems}
	if json.Unmarshal(raw, &o.raw) != nil || o.raw == nil {
		f.mustBe(place, "an object")
		return nil
	}
	return o
}

// objects returns the elements of an array of objects, nil for an absent field.
func (f *fields) objects(name string, required bool) []*fields {
	raw, ok := f.get(name, required)
	if !ok {
		return nil
	}
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		f.mustBe(name, "an array")
		return nil
	}
	all := make([]*fields, 0, len(items))
	for i, item := range items {
		if o := f.nested(fmt.Sprintf("%s[%d]", name, i), item); o != nil {
			all = append(all, o)
		}
	}
	return all
}

// texts returns an array of strings, empty for an absent field.
func (f *fields) texts(name string) []string {
	all := []string{}
	if raw, ok := f.get(name, false); ok && json.Unmarshal(raw, &all) != nil {
		f.mustBe(name, "an array of strings")
	}
	return all
}
