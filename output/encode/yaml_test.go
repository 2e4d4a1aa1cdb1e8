package encode

import (
	"encoding/json"
	"io"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"reseller/client/record"
	"reseller/client/safetext"
)

func FuzzYAMLReadsBack(f *testing.F) {
	addJSON(f)
	for _, lines := range []string{`a\nb`, `a\n`, `a\n\n b \n`, `a\n\n`, `\na\nb`, ` a\nb`, `a\r\nb`, `a\n\tb`, `# a\n---\n- b: c\n`, `a\n\u2028`, `\n`} {
		f.Add([]byte(`{"a":"` + lines + `","b":["` + lines + `",{"c":"` + lines + `"}],"d":1}`))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		rec, err := record.Parse(text)
		if err != nil || strings.Count(string(text), "{")+strings.Count(string(text), "[") > 50 {
			t.Skip("no record, or one too deep for the library to read back")
		}
		want, _ := decode(rec.Raw())
		list := []any{want, map[string]any{}, want}
		for out, want := range map[string][]any{
			document(t, YAML, Layout{Single: true}, string(text)):                        {want},
			document(t, YAML, Layout{}, string(text), `{}`, string(text)):                {list},
			document(t, YAML, Layout{Documents: true}, string(text), `{}`, string(text)): list,
			document(t, YAML, Layout{Documents: true}):                                   {},
		} {
			got := []any{}
			documents := yaml.NewDecoder(strings.NewReader(out))
			for {
				var v any
				err := documents.Decode(&v)
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("%q: %v", out, err)
				}
				got = append(got, v)
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

// TestWordsOfYAMLAreQuoted checks that no program takes a text for a boolean or null, as those for YAML 1.1 take on and no.
func TestWordsOfYAMLAreQuoted(t *testing.T) {
	for _, word := range []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n", "No", "ON"} {
		if got := document(t, YAML, Layout{Single: true}, `{"a":"`+word+`"}`); got != `a: "`+word+"\"\n" && got != "a: '"+word+"'\n" {
			t.Errorf("got %q, want the word in quotes", got)
		}
	}
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

// TestDeepYAMLIsNotIndented writes an object that is nested deeply: the spaces of its lines must not grow with every level.
func TestDeepYAMLIsNotIndented(t *testing.T) {
	const levels = 40
	out := document(t, YAML, Layout{Single: true}, strings.Repeat(`{"a":`, levels)+"1"+strings.Repeat("}", levels))
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if last := lines[len(lines)-1]; len(lines) != maxIndent+2 || !strings.HasPrefix(strings.TrimSpace(last), `a: {"a":`) && !strings.HasPrefix(strings.TrimSpace(last), `{"a":`) {
		t.Errorf("got %d lines, want %d, the last with the rest as JSON:\n%s", len(lines), maxIndent+2, out)
	}
}
