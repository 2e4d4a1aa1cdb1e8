package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

var samples = []string{
	`{}`, ` { } `, `{"a":1}`, `{"a":-0.5e+10,"b":[1,2,{"c":null}],"d":"x"}`, `{"a":"\u00e9\ud83d\ude00\n\"\\\/"}`,
	`{"a":"\ud800x","b":"` + "\xff" + `"}`, `{"a":1,"a":2}`, `{"a b":true,"c":false}`, `[]`, `[1,2]`, `null`, `12`, `"x"`,
	`{"a":01}`, `{"a":1.}`, `{"a":1e}`, `{"a":+1}`, `{"a":tru}`, `{"a":nul1}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `[1,]`, `{"a":1`, `{"a":"`,
	`{"a":"\x"}`, `{"a":"\u12g4"}`, "{\"a\":\"\t\"}", `{a:1}`, `{"a":1}}`, `{"a":1} x`, ``, ` `, `-`, `"`,
	`{"long":"` + strings.Repeat("abcdefghij", 40) + `","x":"é,\""}`, strings.Repeat("[", 300) + strings.Repeat("]", 300),
}

// compareWithJSON checks that the scanner accepts exactly what encoding/json accepts and
// sees the same values in it.
func compareWithJSON(t *testing.T, text []byte) {
	t.Helper()
	v, err := ParseValue(text)
	if ok := json.Valid(text); ok != (err == nil) {
		var syntax *SyntaxError
		if errors.As(err, &syntax) && syntax.Message == "nested too deeply" {
			return
		}
		t.Fatalf("ParseValue(%q): %v, json.Valid: %v", text, err, ok)
	}
	whole, readErr := readAll(bytes.NewReader(text))
	trickle, trickleErr := readAll(iotest.OneByteReader(bytes.NewReader(text)))
	if (readErr == nil) != (err == nil) || (trickleErr == nil) != (err == nil) {
		t.Fatalf("%q: ParseValue %v, Reader %v, byte by byte %v", text, err, readErr, trickleErr)
	}
	if err != nil {
		return
	}
	if !bytes.Equal(whole, v) || !bytes.Equal(trickle, v) {
		t.Fatalf("%q: ParseValue %q, Reader %q, byte by byte %q", text, v, whole, trickle)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil || !bytes.Equal(compact.Bytes(), v.AppendCompact(nil)) {
		t.Fatalf("%q: compact %q, want %q (%v)", text, v.AppendCompact(nil), compact.Bytes(), err)
	}
	if !utf8.ValidString(v.Text()) {
		t.Fatalf("%q: got the text %q, want valid UTF-8", text, v.Text())
	}
	switch v.Kind() {
	case String:
		var want string
		if json.Unmarshal(v, &want) != nil || want != v.Text() {
			t.Fatalf("%q: text %q, want %q", text, v.Text(), want)
		}
	case Object:
		compareObject(t, v)
	case Array:
		var want []json.RawMessage
		_ = json.Unmarshal(v, &want)
		n := 0
		for element := range v.Elements() {
			if n >= len(want) || string(element) != string(bytes.TrimSpace(want[n])) {
				t.Fatalf("%q: element %d is %q", text, n, element)
			}
			n++
		}
		if n != len(want) {
			t.Fatalf("%q: %d elements, want %d", text, n, len(want))
		}
	}
}

func compareObject(t *testing.T, v Value) {
	t.Helper()
	rec, err := Parse(v)
	noError(t, err)
	var want map[string]json.RawMessage
	_ = json.Unmarshal(v, &want)
	got := map[string]Value{}
	for name, value := range rec.Fields() {
		got[name] = value
		if last, _ := rec.Lookup(name); want[name] == nil || !bytes.Equal(last, want[name]) {
			t.Fatalf("%q: field %q is %q, want %q", v, name, last, want[name])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%q: %d names, want %d", v, len(got), len(want))
	}
}

func readAll(src io.Reader) (Value, error) {
	r := NewReader(src, 1<<20)
	v, err := r.Value()
	if err != nil {
		return nil, err
	}
	v = bytes.Clone(v)
	return v, r.End()
}

func TestSameAsEncodingJSON(t *testing.T) {
	for _, text := range samples {
		compareWithJSON(t, []byte(text))
		for i := range text { // every cut, and every byte made wrong
			compareWithJSON(t, []byte(text[:i]))
			compareWithJSON(t, []byte(text[:i]+"\x00"+text[i+1:]))
		}
	}
}

func FuzzSameAsEncodingJSON(f *testing.F) {
	for _, text := range samples {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { compareWithJSON(t, text) })
}

func TestGet(t *testing.T) {
	rec, err := Parse([]byte(`{"a":{"b":{"c":7}},"x.y":"whole","attributes":[{"field_name":"In.dustry","field_value":"Cars"}],"n":null,"id":"42"}`))
	noError(t, err)
	for path, want := range map[string]string{"a.b.c": "7", "x.y": "whole", "attributes.In.dustry": "Cars", "n": "", "a": `{"b":{"c":7}}`, "id": "42", "nope": "", "a.nope.c": "", "id.x": ""} {
		t.Run(path, func(t *testing.T) {
			if got := rec.Get(path).Text(); got != want {
				t.Errorf("%s: %q, want %q", path, got, want)
			}
		})
	}
	if n, ok := rec.Get("id").Int64(); n != 42 || !ok {
		t.Errorf("id: %d %v", n, ok)
	}
	if _, ok := rec.Get("n").Int64(); ok {
		t.Error("null is no number")
	}
}

// TestFindEqualsGet compares the two ways into a nested value: of a record, which
// does not allocate, and of any value, which parses each level.
func TestFindEqualsGet(t *testing.T) {
	rec, err := Parse([]byte(`{"v": {"a" : {"b.c":1,"b":{"c":2}, "x":"}\"{"} , "a":{"b":{"c":[3]},"k\u0065y":"\\\""},"l":[{"field_name":"n.x","field_value":"v"}],"e":{},"n":null}}`))
	noError(t, err)
	v, _ := rec.Lookup("v")
	for _, path := range []string{"a", "a.b", "a.b.c", "a.key", "l.n.x", "e", "e.x", "n", "n.x", "", "a.", ".", "nope", "a.b.c.d"} {
		t.Run(path, func(t *testing.T) {
			got, marks := rec.Find("v." + path)
			if want := v.Get(path); !bytes.Equal(got, want) || (got == nil) != (want == nil) || marks != AllMarks {
				t.Errorf("%q: got %q and marks %b, want %q", path, got, marks, want)
			}
		})
	}
}

func TestPrepend(t *testing.T) {
	for _, tc := range [][2]string{
		{`{"b":2}`, `{"a":1,"b":2}`}, {`{ }`, `{"a":1}`}, {`{"a":5}`, `{"a":5}`}, {` {  "b":"\u0041,", "\u0063" :[ {} ] } `, `{"a":1,"b":"\u0041,","\u0063":[{}]}`},
	} {
		t.Run(tc[0], func(t *testing.T) {
			rec, err := Parse([]byte(tc[0]))
			noError(t, err)
			got := rec.Prepend(Pair{"a", Value("1")})
			if text := string(got.Raw().AppendCompact(nil)); text != tc[1] {
				t.Errorf("got %s, want %s", text, tc[1])
			}
			// The record equals the one that is parsed from its text.
			again, err := Parse(got.Raw())
			if err != nil || !reflect.DeepEqual(got.fields, again.fields) {
				t.Errorf("got the fields %v, want %v as parsed (error %v)", got.fields, again.fields, err)
			}
		})
	}
	rec, _ := Parse([]byte(`{"date":"2026-01-01","organic":1}`))
	front := []Pair{{"account_id", Value("1")}, {"campaign_id", Value(`"101"`)}}
	if allocs := testing.AllocsPerRun(100, func() { rec.Prepend(front...) }); allocs > 3 {
		t.Errorf("got %v allocations, want at most 3", allocs)
	}
	want := `{"\"\\é":[],"date":"2026-01-01","organic":1}`
	if got := rec.Prepend(Pair{`"\` + "\u00e9", Value("[]")}); string(got.Raw()) != want {
		t.Errorf("got %s, want %s", got.Raw(), want)
	}
}

func TestReaderLimits(t *testing.T) {
	if _, err := NewReader(strings.NewReader(`"`+strings.Repeat("x", 300<<10)+`"`), 200<<10).Value(); err != ErrTooLarge {
		t.Errorf("a large value: got error %v, want %v", err, ErrTooLarge)
	}
	if _, err := NewReader(strings.NewReader(strings.Repeat(" ", 600<<10)+`1`), 200<<10).Value(); err != ErrTooLarge {
		t.Errorf("endless white space: got error %v, want %v", err, ErrTooLarge)
	}
	r := NewReader(strings.NewReader(strings.Repeat("1 ", 2<<20)), 1<<20)
	for err := error(nil); err == nil; {
		_, err = r.Value()
	}
	if cap(r.buf) > maxBuffer {
		t.Errorf("got a buffer of %d bytes for small values, want %d at most", cap(r.buf), maxBuffer)
	}
	if _, err := NewReader(strings.NewReader(strings.Repeat("[", 1000)), 1<<20).Value(); err == nil || !strings.Contains(err.Error(), "too deep") {
		t.Errorf("a deep value: got error %v, want one that says too deep", err)
	}
	if _, err := NewReader(strings.NewReader(`{"a":`), 1<<20).Value(); err != io.ErrUnexpectedEOF {
		t.Errorf("a value that is cut off: got error %v, want %v", err, io.ErrUnexpectedEOF)
	}
	broken := errors.New("wire cut")
	if _, err := NewReader(io.MultiReader(strings.NewReader(`{"a":`), iotest.ErrReader(broken)), 1<<20).Value(); err != broken {
		t.Errorf("a source that fails: got error %v, want %v", err, broken)
	}
}

func TestReaderReusesMemory(t *testing.T) {
	text := strings.Repeat(`{"rank_id":1,"keyword":"red shoes","type":"target"} `, 10000)
	r := NewReader(strings.NewReader(text), 1<<20)
	var rec Record
	noError(t, r.Record(&rec))
	allocs := testing.AllocsPerRun(5000, func() {
		noError(t, r.Record(&rec))
	})
	if allocs > 0.1 {
		t.Errorf("got %v allocations a record, want none", allocs)
	}
}

func TestTooManyMembers(t *testing.T) {
	object := func(n int) string {
		return "{" + strings.TrimSuffix(strings.Repeat(`"":0,`, n), ",") + "}"
	}
	for name, tt := range map[string]struct {
		text string
		ok   bool
	}{
		"as many as may be": {object(MaxMembers), true},
		"one more":          {object(MaxMembers + 1), false},
		"one more inside":   {`{"a":` + object(MaxMembers+1) + `}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse([]byte(tt.text)); (err == nil) != tt.ok {
				t.Errorf("got %v, want success %v", err, tt.ok)
			}
		})
	}
}

// FuzzFind compares Record.Find, which does not parse nested objects again, with Value.Get.
func FuzzFind(f *testing.F) {
	f.Add([]byte(`{"a":{"b.c":1,"b":{"c":2,"k\u0065y":"}\"{"}},"l":[{"field_name":"n.x","field_value":"v"}]}`), "a.b.c")
	f.Add([]byte(`{"a.b":1,"a":{"b":2}}`), "a.b")
	f.Fuzz(func(t *testing.T, text []byte, path string) {
		rec, err := Parse(text)
		if err != nil {
			t.Skip("no record")
		}
		v, err := ParseValue(text)
		noError(t, err)
		got, _ := rec.Find(path)
		if want := v.Get(path); !bytes.Equal(got, want) || (got == nil) != (want == nil) {
			t.Errorf("%q of %q: got %q, want %q", path, text, got, want)
		}
	})
}

// TestReaderOfBrokenArrays checks that an array without a comma is not taken for one that ends, and that an element which is
// no record is told apart from text that is no JSON.
func TestReaderOfBrokenArrays(t *testing.T) {
	r := NewReader(strings.NewReader(`[1 2]`), 100)
	if err := r.Array(func() error { _, err := r.Value(); return err }); err == nil {
		t.Error("got no comma behind 1, want an error")
	}
	for text, valid := range map[string]bool{`12,`: true, `12]`: true, `[{},1]`: true, `12x`: false, `tru]`: false, `"a`: true} {
		var syntax *SyntaxError
		if err := NewReader(strings.NewReader(text), 100).Record(new(Record)); !errors.As(err, &syntax) || syntax.Valid != valid {
			t.Errorf("%s: got error %v, want a syntax error, JSON: %v", text, err, valid)
		}
	}
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// FuzzQuote compares quoting with encoding/json, and Plain with looking at
// each byte.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "red shoes", "1234567\"", "12345678\\9", "caf\u00e9 12345678", "a\x00", "12345678\x1f", "\u2028 and \u2029", "\xff", "\x7f", "<&>", "a\xe2\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		noError(t, e.Encode(s))
		if got := string(AppendQuote([]byte("x"), s)); got != "x"+strings.TrimSuffix(want.String(), "\n") {
			t.Fatalf("%q becomes %s, not %s", s, got[1:], want.String())
		}
		plain := !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r >= 0x80 || r == '"' || r == '\\' })
		if IsPlain(s) != plain || IsPlain([]byte(s)) != plain {
			t.Fatalf("%q: %v", s, IsPlain(s))
		}
	})
}

// TestIsCommon puts each byte at each place of texts that are shorter and longer than what is looked at together.
func TestIsCommon(t *testing.T) {
	for size := range 20 {
		for place := range size {
			for b := range 0x100 {
				text := []byte(strings.Repeat("a", size))
				text[place] = byte(b)
				want := b >= ' ' && b < '{' && !strings.ContainsRune(`"\';`, rune(b))
				if got := IsCommon(string(text)); got != want {
					t.Fatalf("%q: got %v, want %v", text, got, want)
				}
			}
		}
	}
}
