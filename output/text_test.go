package output

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/itchyny/gojq"
	"go.yaml.in/yaml/v3"

	"reseller/client/record"
	"reseller/client/safetext"
)

func addJSON(f *testing.F) {
	for _, text := range append(hostile,
		`{"a":"\ud83d\ude00\ud800","b":"\u2028\ufeff\/","c":{"":[],"<<":{"x":1},"? ":"- a","#":"a #b","k: ":"x: y"}}`,
		`{"a":1,"a":2,"a":{"b":[[1,[2]],[],{}]}}`, `{"`+strings.Repeat("k", 1100)+`":[1]}`, `{"a":["0x1f","1_000","~","NO","1:30","!!int 3","*a","&b","|",">","%","@","`+"`"+`","a:","a:b","'","-","--- x","..."]}`) {
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

// FuzzDecoder compares what jq programs are given with what encoding/json
// would give them.
func FuzzDecoder(f *testing.F) {
	addJSON(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := record.ParseValue(text)
		if err != nil {
			t.Skip("what is no JSON never comes here")
		}
		want, _ := decode(v)
		var d jqDecoder
		got := []any{d.value(v, record.Unscanned)}
		if rec, err := record.Parse(v); err == nil {
			got = append(got, maps.Clone(d.shared(&rec).(map[string]any)), d.shared(&rec))
		}
		wanted, _ := gojq.Marshal(want)
		for _, one := range got {
			if text, err := gojq.Marshal(one); err != nil || !bytes.Equal(text, wanted) {
				t.Fatalf("%q is %s, want %s (%v)", v, text, wanted, err)
			}
		}
	})
}

func FuzzJSONStaysTheSame(f *testing.F) {
	addJSON(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := record.ParseValue(text)
		if err != nil {
			t.Skip("what is no JSON never comes here")
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

func FuzzYAMLReadsBack(f *testing.F) {
	addJSON(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		rec, err := record.Parse(text)
		if err != nil || strings.Count(string(text), "{")+strings.Count(string(text), "[") > 50 {
			t.Skip("no record, or a deeper one than the library reads back")
		}
		want, _ := decode(rec.Raw())
		for out, want := range map[string]any{
			render(t, Options{Format: YAML}, single(accounts), string(text)):             want,
			render(t, Options{Format: YAML}, accounts, string(text), `{}`, string(text)): []any{want, map[string]any{}, want},
		} {
			var got any
			if err := yaml.Unmarshal([]byte(out), &got); err != nil {
				t.Fatalf("%q: %v", out, err)
			}
			if !reflect.DeepEqual(level(got), level(want)) {
				t.Fatalf("%s\nis read as %#v, want %#v", out, level(got), level(want))
			}
			if strings.ContainsFunc(out, func(r rune) bool { return safetext.IsControl(r) && r != '\n' }) {
				t.Fatalf("%q is not clean", out)
			}
		}
	})
}

// level makes values of both libraries comparable.
func level(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			out[k] = level(x)
		}
		return out
	case []any:
		out := []any{}
		for _, x := range v {
			out = append(out, level(x))
		}
		return out
	case json.Number:
		n, err := v.Float64()
		if err != nil {
			return "text " + v.String() // too large for the yaml library
		}
		return strconv.FormatFloat(n+0, 'g', -1, 64)
	case int:
		return strconv.FormatFloat(float64(v), 'g', -1, 64)
	case int64:
		return strconv.FormatFloat(float64(v), 'g', -1, 64)
	case uint64:
		return strconv.FormatFloat(float64(v), 'g', -1, 64)
	case float64:
		return strconv.FormatFloat(v+0, 'g', -1, 64)
	case string:
		return "text " + v
	}
	return v
}

// unmark reads a Markdown cell as CommonMark does and fails where a character
// would mean something.
func unmark(t *testing.T, s string) string {
	t.Helper()
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\\':
			if i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
				i++
			}
			out.WriteByte(s[i])
		case '&':
			for entity, text := range map[string]string{"&lt;": "<", "&gt;": ">", "&amp;": "&"} {
				if strings.HasPrefix(s[i:], entity) {
					out.WriteString(text)
					i += len(entity) - 1
				}
			}
		case '|', '`', '*', '[', ']', '<', '>', '~', '$':
			t.Fatalf("%q: %c is live", s, c)
		default:
			if strings.HasPrefix(s[i:], "://") || strings.HasPrefix(s[i:], "www.") {
				t.Fatalf("%q: a link", s)
			}
			out.WriteByte(c)
		}
	}
	return out.String()
}

func TestMarkdownIsHarmless(t *testing.T) {
	for _, tc := range []string{
		"plain_name", "_it_ __b__ a_b_ _", "*b* **b**", "[x](javascript:alert(1))", "![i](http://example.com/x.png)", "<script>alert(1)</script>", "<http://example.com>",
		"https://example.com www.example.com WWW.example.com mailto:a@example.com", "a|b||", `\|`, `\\`, `\`, "`code`", "~~s~~", "&lt;b&gt; &#60;", "$x$", "日本_語",
	} {
		if got := unmark(t, string(appendMarkdown(nil, []byte(tc)))); got != tc {
			t.Errorf("%q is shown as %q", tc, got)
		}
	}
	for in, want := range map[string]string{"a_b": "a_b", "_a_": `\_a\_`, "x\ny": `x\ny`, "http://a": `http\://a`, "a: b": "a: b"} {
		if got := string(appendMarkdown(nil, []byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestWriteError(t *testing.T) {
	var out bytes.Buffer
	_ = WriteError(&out, ErrorInfo{Message: "bad <\u202e\x1b>", ExitCode: 1})
	_ = WriteError(&out, ErrorInfo{Message: "m", ExitCode: 6, HTTPStatus: 422, Messages: []string{"a\n"}, ErrorCode: "E", Operation: "POST /x"})
	want := `{"error":{"message":"bad <\u202e\u001b>","exit_code":1,"http_status":0,"messages":[],"error_code":"","operation":""}}
{"error":{"message":"m","exit_code":6,"http_status":422,"messages":["a\n"],"error_code":"E","operation":"POST /x"}}
`
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}
