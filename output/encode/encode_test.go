package encode

import (
	"encoding/json"
	"iter"
	"testing"

	"reseller/client/record"
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
			yield(Column{Name: ".d", Keys: []string{"d"}}, rec.Get("d"))
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

func TestFrontFields(t *testing.T) {
	got := document(t, NDJSON, Layout{Front: []string{"id", "missing"}}, `{"a":1,"id":7,"b":2}`)
	if want := `{"id":7,"a":1,"b":2}` + "\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
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
