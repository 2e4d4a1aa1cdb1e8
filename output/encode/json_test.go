package encode

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"reseller/client/record"
	"reseller/client/safetext"
)

// addJSON adds the seeds of the fuzz tests of JSON texts.
func addJSON(f *testing.F) {
	for _, text := range []string{
		`{"a":1,"note":"line\nbreak\ttab \u001b[31m","m":{"name":"Ann"},"l":[ {"k":"Industry", "v":"Cars"} ],
	  "big":12345678901234567890,"huge":1e400,"exact":1.0,"extra":{"deep":{"x":[1,{"y":2}]},"none":{}}}`,
		"{\"a\":\"del\x7f c1\u009b rtl\u202e bad\xff\",\"note\":\"a|b\\\\c\\r\",\"l\":[\"\xff\u202e\"]}", `{}`,
		`{"a":"\ud83d\ude00\ud800","b":"\u2028\ufeff\/","c":{"":[],"<<":{"x":1},"? ":"- a","#":"a #b","k: ":"x: y"}}`,
		`{"a":1,"a":2,"a":{"b":[[1,[2]],[],{}]}}`, `{"` + strings.Repeat("k", 1100) + `":[1]}`, `{"a":["0x1f","1_000","~","NO","1:30","!!int 3","*a","&b","|",">","%","@","` + "`" + `","a:","a:b","'","-","--- x","..."]}`,
	} {
		f.Add([]byte(text))
	}
}

// decode is what encoding/json makes of a text, numbers as they came.
func decode(raw []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	return v, err
}

func FuzzJSONStaysTheSame(f *testing.F) {
	addJSON(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := record.ParseValue(text)
		if err != nil {
			t.Skip("not JSON")
		}
		want, _ := decode(v)
		for _, depth := range []int{0, Compact} {
			out := AppendJSON(nil, v, depth)
			if got, err := decode(out); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%q became %q (%v)", v, out, err)
			}
			if strings.ContainsFunc(string(out), func(r rune) bool { return safetext.IsControl(r) && r != '\n' }) || !utf8.Valid(out) {
				t.Fatalf("%q is not clean", out)
			}
			if !bytes.Equal(AppendJSON(nil, out, depth), out) {
				t.Fatalf("%q changes when it is written again", out)
			}
		}
		var indented bytes.Buffer
		_ = json.Indent(&indented, v, "", "  ")
		clean := !strings.ContainsFunc(string(v), func(r rune) bool { return r >= 0x7f })
		if got := AppendJSON(nil, v, 0); clean && !bytes.Equal(got, indented.Bytes()) {
			t.Fatalf("%q, json.Indent gives %q", got, indented.Bytes())
		}
	})
}
