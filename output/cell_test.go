package output

import (
	"bytes"
	"testing"

	"reseller/client/record"
)

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

// Dates have one shape where people read, and are as they came elsewhere. Only
// columns of dates are touched.
func TestDatesByFormat(t *testing.T) {
	rec, err := record.Parse([]byte(`{"when":"2024-04-10T04:04:00","text":"2024-04-10T04:04:00","n":[{"when":"2024-04-10T04:04:00"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	const came = "2024-04-10T04:04:00"
	for _, c := range []struct {
		format Format
		single bool
		want   string
	}{
		{Table, false, "WHEN              TEXT                 N\n2024-04-10 04:04  " + came + "  [{\"when\":\"" + came + "\"}]\n"},
		{Table, true, "FIELD  VALUE\nwhen   2024-04-10 04:04\ntext   " + came + "\nn      [{\"when\":\"" + came + "\"}]\n"},
		{Markdown, false, "| when | text | n |\n| --- | --- | --- |\n| 2024-04-10 04:04 | " + came + " | \\[{\"when\":\"" + came + "\"}\\] |\n"},
		{CSV, false, "when,text,n\n" + came + "," + came + ",\"[{\"\"when\"\":\"\"" + came + "\"\"}]\"\n"},
		{NDJSON, false, string(rec.Raw()) + "\n"},
	} {
		var b bytes.Buffer
		p, err := New(&b, Options{Format: c.format})
		if err != nil {
			t.Fatal(err)
		}
		shape := Shape{Columns: []Column{{Name: "when", Date: true}, {Name: "text"}, {Name: "n"}}, Single: c.single}
		err = p.Print(t.Context(), shape, func(yield func(record.Record, error) bool) { yield(rec, nil) })
		if err != nil || b.String() != c.want {
			t.Errorf("%s: %v\n%swant\n%s", c.format, err, b.String(), c.want)
		}
	}
}
