package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"reseller/client/phrase"
	"reseller/client/record"
)

// decodeAll returns the rows of a text, and the error that ended them.
func decodeAll(format string, text []byte) (rows []RawRow, err error) {
	for row, err := range rowsOf(format, bytes.NewReader(text), ',', 0, nil) {
		if err != nil {
			return rows, err
		}
		kept := *row
		kept.Cells = phrase.Each(row.Cells, strings.Clone)
		rows = append(rows, kept)
	}
	return rows, nil
}

// compact returns JSON without white space.
func compact(t *testing.T, text []byte) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// FuzzTSV checks that the decoder reads the cells that EscapeTSV wrote.
func FuzzTSV(f *testing.F) {
	f.Add("a\tb", `\n`, "\n\\\t")
	f.Add("\r", `\`, "")
	f.Add(`"a ""b"" c"`, `\"a""b"`, `"a"`)
	f.Fuzz(func(t *testing.T, a, b, c string) {
		want := []string{a, b, c}
		if invalidText(strings.Join(want, "\t")) != "" {
			t.Skip("the cells are not valid text, which the decoder refuses")
		}
		text := EscapeTSV(a) + "\t" + EscapeTSV(b) + "\t" + EscapeTSV(c) + "\n"
		rows, err := decodeAll("tsv", []byte(text))
		if err != nil || len(rows) != 1 || rows[0].Issues != nil || !slices.Equal(rows[0].Cells, want) {
			t.Errorf("%q: got %+v, %v, want the cells %q", text, rows, err, want)
		}
	})
}

// FuzzTXT checks that each line that is not blank is a row.
func FuzzTXT(f *testing.F) {
	f.Add([]byte("red shoes\r\n\n \nblue\rshoes\n\xff\n\ufeffx"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var want []string
		for line := range strings.SplitSeq(string(text), "\n") {
			line = strings.TrimPrefix(strings.TrimSuffix(line, "\r"), string(byteOrderMark))
			if strings.TrimSpace(line) != "" {
				want = append(want, line)
			}
		}
		rows, err := decodeAll("txt", text)
		var got []string
		for _, row := range rows {
			got = append(got, row.Cells...)
			line := row.Cells[0]
			if invalid := invalidText(line) != "" || strings.Contains(strings.TrimSpace(line), "\r"); invalid != (row.Issues != nil) {
				t.Errorf("%q: got issues %v, want some: %v", line, row.Issues, invalid)
			}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	})
}

// wantJSONRow checks that a row is what encoding/json reads of one value.
func wantJSONRow(t *testing.T, row RawRow, value []byte) {
	t.Helper()
	isObject := bytes.HasPrefix(bytes.TrimSpace(value), []byte("{"))
	if isValid := isObject && invalidText(string(value)) == ""; isValid != (row.Issues == nil) {
		t.Errorf("%q: got issues %v, want some: %v", value, row.Issues, !isValid)
	}
	if isObject && string(row.Object) != compact(t, value) {
		t.Errorf("%q: got the object %q", value, row.Object)
	}
}

// FuzzJSON compares the decoder with encoding/json, which reads the file as a whole.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`[{"a":1},{"b":"]},{\"\\"}]`, `{"a":[{}]}`, "[\n1 , \"x\",null,{} ]\n", `[{}{}]`, `[{},]`, `{}{}`, `[{"a":"`, "[\xff]", `[[{}],{"a":1.5e3}]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > 1000 {
			t.Skip("the two have different limits of depth")
		}
		rows, err := decodeAll("json", text)
		var want []json.RawMessage
		start := bytes.TrimLeft(text, " \t\r\n")
		switch {
		case bytes.HasPrefix(start, []byte("{")) && json.Valid(text):
			want = []json.RawMessage{text}
		case !bytes.HasPrefix(start, []byte("[")) || json.Unmarshal(text, &want) != nil:
			if err == nil {
				t.Errorf("%q: got %d rows, want an error", text, len(rows))
			}
			return
		}
		if err != nil || len(rows) != len(want) {
			t.Fatalf("%q: got %d rows, %v, want %d", text, len(rows), err, len(want))
		}
		for i, row := range rows {
			wantJSONRow(t, row, want[i])
		}
	})
}

// FuzzNDJSON compares the rows with what encoding/json reads of each line.
func FuzzNDJSON(f *testing.F) {
	f.Add([]byte("{\"a\":1}\r\n\n {\"b\" : [2]} \n{\n7\nnull\n{\"a\":\"\xff\"}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > 1000 {
			t.Skip("the two have different limits of depth")
		}
		rows, err := decodeAll("ndjson", text)
		if err != nil {
			t.Fatalf("%q: got error %v, want none", text, err)
		}
		for n, line := range bytes.Split(text, []byte("\n")) {
			if line = bytes.TrimSuffix(line, []byte("\r")); len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			if len(rows) == 0 || rows[0].Line != n+1 {
				t.Fatalf("%q: got rows %+v, want one of line %d", text, rows, n+1)
			}
			if json.Valid(line) {
				wantJSONRow(t, rows[0], line)
			} else if rows[0].Issues == nil {
				t.Errorf("%q: got no issue, want one", line)
			}
			rows = rows[1:]
		}
		if len(rows) > 0 {
			t.Errorf("%q: got more rows than lines: %+v", text, rows)
		}
	})
}

// FuzzYAML checks that a file that is read in chunks gives the rows of the whole file, or an
// error. The decoder may refuse what the library reads, such as an anchor of another chunk,
// and may read what the library refuses.
func FuzzYAML(f *testing.F) {
	for _, s := range []string{
		"- a: 1\n- b: |\n    - x\n- c\n", "a: 1\nb:\n- x\n- y\n---\n- z: ~\n...\n", "%YAML 1.1\n---\n- &a {x: 1}\n", "  - a\n  - b: 'c\n   - d'\n", "-\n  - a\n-\n  b: \"x\n\n  - y\"\n",
		"# c\n- {a: 1,\n  b: 2}\n--- \n", "- a: >-\n   b\n  # c\n  d: e\n-\tf\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := decodeAll("yaml", text)
		if err != nil {
			return
		}
		var want []RawRow
		// The decoder reads a last line without a line feed as if it had one.
		whole := append(bytes.TrimSuffix(bytes.Clone(text), []byte("\n")), '\n')
		for d := yaml.NewDecoder(bytes.NewReader(whole)); ; {
			var doc yaml.Node
			if err := d.Decode(&doc); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return
			}
			items := doc.Content
			if items[0].Kind == yaml.SequenceNode {
				items = items[0].Content
			}
			for _, item := range items {
				w := yamlToJSON{}
				if err := w.node(item, 0); err != nil {
					return
				}
				v, err := record.ParseValue(w.out)
				if err != nil {
					return
				}
				want = append(want, objectRow(item.Line, v))
			}
		}
		same := func(a, b RawRow) bool { return slices.Equal(a.Cells, b.Cells) && bytes.Equal(a.Object, b.Object) }
		isNull := func(row RawRow) bool { return row.Cells[0] == "null" } // an empty document or item, of which the decoder may make no row
		got, want = slices.DeleteFunc(got, isNull), slices.DeleteFunc(want, isNull)
		if !slices.EqualFunc(got, want, same) {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	})
}
