package encode

import (
	"encoding/json"
	"testing"

	"reseller/client/record"
)

// abc are three columns for records whose fields are a, b and c.
var abc = []Column{NewColumn("a", "a"), NewColumn("b", "b"), NewColumn("c", "c")}

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
	for _, f := range Formats() {
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
		if got := FormatDate(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
