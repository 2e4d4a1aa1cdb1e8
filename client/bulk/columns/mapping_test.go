package columns

import (
	"bytes"
	"fmt"
	"testing"
)

// TestParseRefuses checks that what is left empty by mistake is not taken for an empty text.
func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"values: {country_code: {x: }}":          "map.yaml: line 1: \"x\" has no value",
		"values: {country_code: {x: ~}}":         "map.yaml: line 1: \"x\" has no value",
		"values: {country_code: }":               "map.yaml: values: \"country_code\" has no value",
		"columns: {' ': phone}":                  "map.yaml: columns: a column has no name",
		"columns: {'': phone}":                   "map.yaml: columns: a column has no name",
		"values: {country_code: {x: '', y: DE}}": "<nil>",
	} {
		if _, err := Parse("map.yaml", []byte(text)); fmt.Sprint(err) != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// FuzzParse checks that a mapping is read as it was written.
func FuzzParse(f *testing.F) {
	f.Add("columns: {Company: account_name, MRR: '', Contact: [first_name, last_name]}\nvalues: {country: {Norge: NO}}")
	f.Add("columns:\n  \"No\\nYes\": \"2024\"\n  ? ~\n  : x\n")
	f.Add("values: {a: &x {b: c}, d: *x}")
	f.Add("columns: {? [a] : b}")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse("map.yaml", []byte(text))
		if err != nil {
			return
		}
		var written bytes.Buffer
		if err := m.Write(&written); err != nil {
			t.Fatal(err)
		}
		again, err := Parse("map.yaml", written.Bytes())
		if err != nil {
			t.Fatalf("got %v for the mapping that was written as %q", err, written.String())
		}
		if got, want := fmt.Sprintf("%q", again), fmt.Sprintf("%q", m); got != want {
			t.Errorf("got %s, want %s, written as %q", got, want, written.String())
		}
	})
}
