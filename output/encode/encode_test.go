package encode

import (
	"bytes"
	"encoding/json"
	"iter"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"reseller/client/record"
	"reseller/client/safetext"
)

// abc are three columns for records whose fields are a, b and c.
var abc = []Column{Column{Name: "a"}, Column{Name: "b"}, Column{Name: "c"}}

// document encodes the records of a list, or one record where l is Single.
func document(t *testing.T, f Format, l Layout, texts ...string) string {
	t.Helper()
	encoder := New(f, l)
	out := encoder.Begin(nil)
	var err error
	for _, text := range texts {
		rec, bad := record.Parse([]byte(text))
		if bad != nil {
			t.Fatal(bad)
		}
		if out, err = encoder.Record(out, rec); err != nil {
			t.Fatal(err)
		}
	}
	if out, err = encoder.End(out); err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// stringRecord returns a record with three texts as the values of a, b and c.
func stringRecord(t *testing.T, cells []string) string {
	t.Helper()
	text, err := json.Marshal(map[string]string{"a": cells[0], "b": cells[1], "c": cells[2]})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestFormats(t *testing.T) {
	for _, name := range Names() {
		f := Format(name)
		t.Run(string(f), func(t *testing.T) {
			if !f.Known() || f.Help() == "" {
				t.Errorf("known %v, help %q", f.Known(), f.Help())
			}
		})
	}
	if Format("jsn").Known() || Format("").Known() {
		t.Error("a format that is not listed is known")
	}
}

// TestDocuments shows every format: a list of two records, one of none, and one
// record.
func TestDocuments(t *testing.T) {
	first, second := `{"a":1,"b":"x, y","c":null,"d":[1, {"e":2}]}`, `{"a":-2,"b":"|"}`
	undocumented := func(rec record.Record) iter.Seq2[Column, record.Value] {
		return func(yield func(Column, record.Value) bool) {
			yield(Column{Name: ".d", Path: "d"}, rec.Get("d"))
		}
	}
	for _, tc := range []struct {
		format              Format
		list, empty, single string
	}{
		{
			Table,
			"A   B     C\n1   x, y\n-2  |\n", "A  B  C\n", "FIELD  VALUE\na      1\nb      x, y\nc\n.d     [1,{\"e\":2}]\n",
		},
		{
			JSON,
			"[\n  {\n    \"a\": 1,\n    \"b\": \"x, y\",\n    \"c\": null,\n    \"d\": [\n      1,\n      {\n        \"e\": 2\n      }\n    ]\n  },\n  {\n    \"a\": -2,\n    \"b\": \"|\"\n  }\n]\n",
			"[]\n",
			"{\n  \"a\": 1,\n  \"b\": \"x, y\",\n  \"c\": null,\n  \"d\": [\n    1,\n    {\n      \"e\": 2\n    }\n  ]\n}\n",
		},
		{
			NDJSON,
			`{"a":1,"b":"x, y","c":null,"d":[1,{"e":2}]}` + "\n" + second + "\n", "", `{"a":1,"b":"x, y","c":null,"d":[1,{"e":2}]}` + "\n",
		},
		{CSV, "a,b,c\n1,\"x, y\",\n-2,|,\n", "a,b,c\n", "a,b,c\n1,\"x, y\",\n"},
		{TSV, "a\tb\tc\n1\tx, y\t\n-2\t|\t\n", "a\tb\tc\n", "a\tb\tc\n1\tx, y\t\n"},
		{
			YAML,
			"- a: 1\n  b: x, y\n  c: null\n  d:\n    - 1\n    - e: 2\n- a: -2\n  b: \"|\"\n", "[]\n", "a: 1\nb: x, y\nc: null\nd:\n  - 1\n  - e: 2\n",
		},
		{
			Markdown,
			"| a | b | c |\n| --- | --- | --- |\n| 1 | x, y |  |\n| -2 | \\| |  |\n", "| a | b | c |\n| --- | --- | --- |\n", "| a | b | c |\n| --- | --- | --- |\n| 1 | x, y |  |\n",
		},
	} {
		t.Run(string(tc.format), func(t *testing.T) {
			if got := document(t, tc.format, Layout{Columns: abc}, first, second); got != tc.list {
				t.Errorf("list: got\n%swant\n%s", got, tc.list)
			}
			if got := document(t, tc.format, Layout{Columns: abc}); got != tc.empty {
				t.Errorf("empty list: got\n%swant\n%s", got, tc.empty)
			}
			if got := document(t, tc.format, Layout{Columns: abc, Single: true, Undocumented: undocumented}, first); got != tc.single {
				t.Errorf("one record: got\n%swant\n%s", got, tc.single)
			}
		})
	}
}

// Of picked columns the formats that show whole records write objects with
// just those.
func TestPickedColumns(t *testing.T) {
	for f, want := range map[Format]string{
		JSON: "[\n  {\n    \"b\": null,\n    \"a\": 1\n  }\n]\n", NDJSON: "{\"b\":null,\"a\":1}\n", YAML: "- b: null\n  a: 1\n",
	} {
		t.Run(string(f), func(t *testing.T) {
			if got := document(t, f, Layout{Columns: []Column{abc[1], abc[0]}, Picked: true}, `{"a":1,"c":2}`); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestAppendValue(t *testing.T) {
	for f, want := range map[Format]string{JSON: "[\n  1,\n  \"x\"\n]", NDJSON: "[1,\"x\"]", YAML: "- 1\n- x", Table: "[\n  1,\n  \"x\"\n]"} {
		t.Run(string(f), func(t *testing.T) {
			if got := string(AppendValue(nil, f, record.Value(`[1,"x"]`), nil)); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestFormatDate(t *testing.T) {
	for text, want := range map[string]string{
		"2024-04-10T04:04:00":       "2024-04-10 04:04",
		"2024-04-10T04:04:59":       "2024-04-10 04:04",
		"2023-11-01 00:00:00":       "2023-11-01",
		"2023-11-01T00:00:00":       "2023-11-01",
		"2023-11-01 00:00:01":       "2023-11-01 00:00",
		"2024-12-01":                "2024-12-01",
		"2024-07-06T19:09:14Z":      "2024-07-06 19:09",
		"2024-02-30T00:00:00":       "2024-02-30T00:00:00",
		"2024-02-03T24:00:00":       "2024-02-03T24:00:00",
		"2024-02-03t04:00:00":       "2024-02-03t04:00:00",
		"2024-02-03T04:00:00.5":     "2024-02-03T04:00:00.5",
		"2024-02-03T04:00:00,5":     "2024-02-03T04:00:00,5",
		"2024-02-03T04:00:00+02:00": "2024-02-03T04:00:00+02:00",
		"0000-00-00 00:00:00":       "0000-00-00 00:00:00",
		" 024-02-03T04:00:00":       " 024-02-03T04:00:00",
		"soon":                      "soon",
		"Z":                         "Z",
		"":                          "",
		"2024-02-0\x00T04:00:00":    "2024-02-0\x00T04:00:00",
	} {
		t.Run(text, func(t *testing.T) {
			if got := FormatDate(text); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// readMarkdown returns the text of a Markdown cell as CommonMark reads it. It
// fails where a character has a meaning.
func readMarkdown(t *testing.T, s string) string {
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
			t.Fatalf("%c has a meaning in %q", c, s)
		default:
			if strings.HasPrefix(s[i:], "://") || strings.HasPrefix(s[i:], "www.") {
				t.Fatalf("%q has a link", s)
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
		t.Run(tc, func(t *testing.T) {
			if got := readMarkdown(t, string(appendMarkdown(nil, []byte(tc), nil))); got != tc {
				t.Errorf("got %q, want %q", got, tc)
			}
		})
	}
}

func TestMarkdownEscapes(t *testing.T) {
	for in, want := range map[string]string{"a_b": "a_b", "_a_": `\_a\_`, "x\ny": `x\ny`, "http://a": `http\://a`, "a: b": "a: b"} {
		t.Run(in, func(t *testing.T) {
			if got := string(appendMarkdown(nil, []byte(in), nil)); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

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
