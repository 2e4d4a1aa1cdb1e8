package output

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/itchyny/gojq"

	"reseller/client/record"
	"reseller/output/encode"
)

func TestJQ(t *testing.T) {
	t.Setenv("RESELLER_TOKEN", "secret")
	texts := []string{`{"b":"two\nlines","a":12345678901234567890,"c":1.0}`, `{"a":1e400,"b":"\u001b[31m\u202e"}`}
	for _, tc := range []struct {
		o    Options
		s    Shape
		want string
	}{
		{Options{JQ: "length"}, abc, "2\n"},
		{Options{JQ: ".[0].b"}, abc, "two\nlines\n"},
		{Options{JQ: ".[].a"}, abc, "12345678901234567890\n1e400\n"},
		{Options{JQ: ".[0]"}, abc, `{"a":12345678901234567890,"b":"two\nlines","c":1.0}` + "\n"},
		{Options{JQ: ".[1].b"}, abc, "\x1b[31m\u202e\n"},
		{Options{JQ: ".[1].b", TTY: true}, abc, `\u001b[31m\u202e` + "\n"},
		{Options{JQ: ".[0].b", TTY: true}, abc, "two\nlines\n"},
		{Options{JQ: ".[1]|{b}"}, abc, `{"b":"\u001b[31m\u202e"}` + "\n"},
		{Options{JQ: ".a"}, single(abc), "12345678901234567890\n"},
		{Options{JQ: ".[0]|keys", Columns: []string{"c", "b"}}, abc, `["b","c"]` + "\n"},
		{Options{JQ: ".[].a", Sort: "-a"}, abc, "1e400\n12345678901234567890\n"},
		{Options{JQ: "env, $ENV"}, abc, "{}\n{}\n"},
		{Options{JQ: "1, halt, 2"}, abc, "1\n"},
		{Options{JQ: "empty"}, abc, ""},
		{Options{JQ: "null, false"}, abc, "null\nfalse\n"},
		{Options{JQ: ".", Format: encode.CSV}, Shape{Single: true}, `{"a":12345678901234567890,"b":"two\nlines","c":1.0}` + "\n"},
	} {
		if got := render(t, tc.o, tc.s, texts...); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.o.JQ, got, tc.want)
		}
	}
	if got := render(t, Options{JQ: "."}, abc); got != "[]\n" {
		t.Errorf("empty list: %q", got)
	}
}

// TestJQStreamsTheSame compares programs that take record by record with
// themselves on the whole list, which the first `.` gives them.
func TestJQStreamsTheSame(t *testing.T) {
	programs := []string{
		".[]", ".[].account_name", ".[] | .account_id", ".[] | .account_id, .note", ".[] | select(.note != null) | {account_id, n: .note}",
		"def f: .account_id; .[] | f", ".[] | .attributes | .[]? | .field_name?", ".[] | [.account_id, .account_name] | @csv", ".[].extra.deep?",
		".[] | try error(.account_id) catch .", ".[] | . as $r | keys[] | {(.): $r[.]}", ".[] | .account_id |= 7", ".[] | del(.note) | tojson",
		".[] | first(.account_id, .note)", ".[] | limit(1; .[])", ".[] | path(..)", ".[] | [paths] | length", ".[] | .account_name | length",
		".[] as $x | [length, $x.account_id]", "[.[] | .account_id]", ".[], length", ".[] // 1", "label $l | .[] | ., break $l", ".[0]", ".[1:][]", "(.[] | .note) | length",
		"reduce .[] as $x (0; . + 1)", ".[] | if .account_id == 3 then halt else .account_id end", ".[] | .big, .huge, .exact", ".[] | env, $ENV",
	}
	for _, program := range programs {
		for _, columns := range [][]string{nil, {"account_id", "note"}} {
			o := Options{JQ: program, Columns: columns}
			whole := Options{JQ: ". | " + program, Columns: columns}
			if strings.HasPrefix(program, "def ") {
				whole.JQ = strings.Replace(program, ".[]", ". | .[]", 1)
			}
			if got, want := render(t, o, accounts, hostile...), render(t, whole, accounts, hostile...); got != want {
				t.Errorf("%s: %q, want %q", program, got, want)
			}
		}
	}
	for program, streams := range map[string]bool{".[]": true, ".[].a": true, ".[] | .a": true, "def f: .; .[] | f | f": true, ".[] as $x | $x": false, ".[], 1": false, "[.[]]": false, ".": false} {
		q, err := compile(program)
		if err != nil || (streamable(q.program) != nil) != streams {
			t.Errorf("%s: streams is not %v (%v)", program, streams, err)
		}
	}
}

func TestJQStreamEndsInAnError(t *testing.T) {
	cause := errors.New("page 2 failed")
	for _, program := range []string{".[].a", ".[] | try .a catch 0"} {
		var out bytes.Buffer
		p, _ := New(&out, Options{JQ: program})
		if err := p.Print(context.Background(), abc, failing(cause, `{"a":1}`)); !errors.Is(err, cause) || out.String() != "1\n" {
			t.Errorf("%v %q", err, out.String())
		}
	}
	var out bytes.Buffer
	p, _ := New(&out, Options{JQ: ".[] | .a.b"})
	if err := p.Print(context.Background(), abc, records(`{"a":{"b":1}}`, `{"a":2}`, `{"a":{"b":3}}`)); err == nil || out.String() != "1\n" {
		t.Errorf("%v %q", err, out.String())
	}
}

func TestJQErrors(t *testing.T) {
	for expression, want := range map[string]string{
		".[": "at byte 2", "nope": "nope/0", "a b": "b", "input": "input", `import "x" as x; .`: "module", "debug": "debug", `"\u001b`: "string",
	} {
		_, err := New(nil, Options{JQ: expression})
		var usage *UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) || strings.ContainsRune(err.Error(), 0x1b) {
			t.Errorf("%s: %v", expression, err)
		}
	}
	for expression, want := range map[string]string{
		"1, .a.b": "jq: expected an object", `"x"|halt_error`: "jq: x", "{}|halt_error": "jq: {}", `error("\u001b")`: `jq: error: \u001b`,
	} {
		var out bytes.Buffer
		p, _ := New(&out, Options{JQ: expression})
		err := p.Value(context.Background(), record.Value(`[1]`))
		var usage *UsageError
		if err == nil || errors.As(err, &usage) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", expression, err)
		}
		if strings.HasPrefix(expression, "1,") && out.String() != "1\n" {
			t.Errorf("%s: %q", expression, out.String())
		}
	}
	cause := errors.New("page 2 failed")
	var out bytes.Buffer
	p, _ := New(&out, Options{JQ: "length"})
	if err := p.Print(context.Background(), abc, failing(cause, `{"a":1}`)); !errors.Is(err, cause) || out.Len() > 0 {
		t.Errorf("%v %q", err, out.String())
	}
}

func TestEndlessJQStops(t *testing.T) {
	for _, expression := range []string{"repeat(1)|empty", "last(repeat(1))", "range(infinite)"} {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		p, _ := New(&bytes.Buffer{}, Options{JQ: expression})
		if err := p.Value(ctx, record.Value("null")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", expression, err)
		}
		cancel()
	}
}

func TestValue(t *testing.T) {
	for f, want := range map[encode.Format]string{encode.JSON: "[\n  1,\n  \"x\"\n]\n", encode.NDJSON: "[1,\"x\"]\n", encode.YAML: "- 1\n- x\n", encode.Table: "[\n  1,\n  \"x\"\n]\n"} {
		var out bytes.Buffer
		p, _ := New(&out, Options{Format: f})
		if err := p.Value(context.Background(), record.Value(`[1,"x"]`)); err != nil || out.String() != want {
			t.Errorf("%s: %v %q", f, err, out.String())
		}
	}
}

// FuzzJQDecoder compares what jq programs are given with what encoding/json
// would give them.
func FuzzJQDecoder(f *testing.F) {
	for _, text := range append(hostile, `{"a":"\ud83d\ude00\ud800","b":"\u2028\ufeff\/","c":{"":[],"k: ":"x: y"}}`, `{"a":1,"a":2,"a":{"b":[[1,[2]],[],{}]}}`) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := record.ParseValue(text)
		if err != nil {
			t.Skip("what is no JSON never comes here")
		}
		var want any
		unmarshal := json.NewDecoder(bytes.NewReader(v))
		unmarshal.UseNumber()
		_ = unmarshal.Decode(&want)
		var d jqDecoder
		got := []any{d.value(v, record.AllMarks)}
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
