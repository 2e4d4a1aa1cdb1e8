package output

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

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
		{Options{JQ: ".[0]"}, abc, `{"b":"two\nlines","a":12345678901234567890,"c":1.0}` + "\n"},
		{Options{JQ: ".[1].b"}, abc, "\x1b[31m\u202e\n"},
		{Options{JQ: ".[1].b", TTY: true}, abc, `\u001b[31m\u202e` + "\n"},
		{Options{JQ: ".[0].b", TTY: true}, abc, "two\nlines\n"},
		{Options{JQ: ".[1]|{b}"}, abc, `{"b":"\u001b[31m\u202e"}` + "\n"},
		{Options{JQ: ".a"}, single(abc), "12345678901234567890\n"},
		{Options{JQ: ".[0]|keys", Columns: []string{"c", "b"}}, abc, `["b","c"]` + "\n"},
		{Options{JQ: ".[].a", Sort: []string{"-a"}}, abc, "1e400\n12345678901234567890\n"},
		{Options{JQ: "env, $ENV"}, abc, "{}\n{}\n"},
		{Options{JQ: "1, halt, 2"}, abc, "1\n"},
		{Options{JQ: "empty"}, abc, ""},
		{Options{JQ: "null, false"}, abc, "null\nfalse\n"},
		{Options{JQ: ".", Format: encode.CSV}, Shape{Single: true}, `{"b":"two\nlines","a":12345678901234567890,"c":1.0}` + "\n"},
	} {
		t.Run(tc.o.JQ, func(t *testing.T) {
			if got := render(t, tc.o, tc.s, texts...); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
	t.Run("empty list", func(t *testing.T) {
		if got := render(t, Options{JQ: "."}, abc); got != "[]\n" {
			t.Errorf("got %q, want []", got)
		}
	})
}

// TestJQKeepsTheOrderOfKeys checks that objects have their keys in the order in which the record or the program has them.
func TestJQKeepsTheOrderOfKeys(t *testing.T) {
	text := `{"id":1,"name":"x","boss":{"name":"y","id":2,"age":3},"email":"e","rows":[{"b":1,"a":2},{"a":1,"b":2,"b":3}]}`
	for program, want := range map[string]string{
		".[0]":                                        `{"id":1,"name":"x","boss":{"name":"y","id":2,"age":3},"email":"e","rows":[{"b":1,"a":2},{"b":3,"a":1}]}`,
		".[] | del(.rows, .name)":                     `{"id":1,"boss":{"name":"y","id":2,"age":3},"email":"e"}`,
		".[].boss | del(.id)":                         `{"name":"y","age":3}`,
		".[].boss + {z: 1, c: 2, age: 4}":             `{"name":"y","id":2,"age":4,"z":1,"c":2}`,
		".[] | {name, \"e mail\": .email, id}":        `{"name":"x","e mail":"e","id":1}`,
		".[].boss as $b | 1 as $a | {$b, $a}":         `{"b":{"name":"y","id":2,"age":3},"a":1}`,
		".[].boss | with_entries(.value |= tostring)": `{"name":"y","id":"2","age":"3"}`,
		".[].boss | .new = 1 | .zip = 2":              `{"name":"y","id":2,"age":3,"new":1,"zip":2}`,
		".[].boss | to_entries[0], keys_unsorted":     `{"key":"name","value":"y"}` + "\n" + `["name","id","age"]`,
		`.[].name | {(.): 1, ("a" + .): 2}`:           `{"ax":2,"x":1}`,
	} {
		t.Run(program, func(t *testing.T) {
			if got := render(t, Options{JQ: program}, abc, text); got != want+"\n" {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// TestJQStreamEqualsList compares the results of programs that take the records
// one by one with those on the whole list, which a first `.` gives them.
func TestJQStreamEqualsList(t *testing.T) {
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
			t.Run(fmt.Sprint(program, columns), func(t *testing.T) {
				if got, want := render(t, o, accounts, hostile...), render(t, whole, accounts, hostile...); got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			})
		}
	}
}

func TestStreamablePrograms(t *testing.T) {
	for program, want := range map[string]bool{".[]": true, ".[].a": true, ".[] | .a": true, "def f: .; .[] | f | f": true, ".[] as $x | $x": false, ".[], 1": false, "[.[]]": false, ".": false} {
		t.Run(program, func(t *testing.T) {
			q, err := compile(program, nil, false)
			noError(t, err)
			if got := streamingProgram(q.program) != nil; got != want {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func TestJQStreamEndsInAnError(t *testing.T) {
	cause := errors.New("page 2 failed")
	for _, program := range []string{".[].a", ".[] | try .a catch 0"} {
		t.Run(program, func(t *testing.T) {
			out, err := printed(t, Options{JQ: program}, failing(cause, `{"a":1}`))
			if !errors.Is(err, cause) || out != "1\n" {
				t.Errorf("got %q, %v, want the first record and the error", out, err)
			}
		})
	}
	t.Run("of the program", func(t *testing.T) {
		out, err := printed(t, Options{JQ: ".[] | .a.b"}, records(`{"a":{"b":1}}`, `{"a":2}`, `{"a":{"b":3}}`))
		if err == nil || out != "1\n" {
			t.Errorf("got %q, %v, want the first record and an error", out, err)
		}
	})
}

func TestJQErrors(t *testing.T) {
	for expression, want := range map[string]string{
		".[": "at byte 2", "nope": "nope/0", "a b": "b", "input": "input", `import "x" as x; .`: "module", "debug": "debug", `"\u001b`: "string",
	} {
		t.Run(expression, func(t *testing.T) {
			_, err := New(nil, Options{JQ: expression})
			var usage *UsageError
			if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) || strings.ContainsRune(err.Error(), 0x1b) {
				t.Errorf("got %v, want a usage error with %q", err, want)
			}
		})
	}
	for expression, want := range map[string]string{
		`"a" * 9e6 | explode`: "jq: a single text or list would have",
		"1, .a.b":             "jq: expected an object", `"x"|halt_error`: "jq: x", "{}|halt_error": "jq: {}", `error("\u001b")`: `jq: error: \u001b`,
	} {
		t.Run(expression, func(t *testing.T) {
			var out bytes.Buffer
			p, err := New(&out, Options{JQ: expression})
			noError(t, err)
			err = p.Value(context.Background(), record.Value(`[1]`))
			var usage *UsageError
			if err == nil || errors.As(err, &usage) || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("got error %v, want %q", err, want)
			}
			if strings.HasPrefix(expression, "1,") && out.String() != "1\n" {
				t.Errorf("got %q, want the result before the error", out.String())
			}
		})
	}
	t.Run("of the list", func(t *testing.T) {
		cause := errors.New("page 2 failed")
		out, err := printed(t, Options{JQ: "length"}, failing(cause, `{"a":1}`))
		if !errors.Is(err, cause) || out != "" {
			t.Errorf("got %q, %v, want nothing but the error", out, err)
		}
	})
}

// A cancelingWriter calls a function when it is written to.
type cancelingWriter context.CancelFunc

func (w cancelingWriter) Write(p []byte) (int, error) {
	w()
	return len(p), nil
}

// TestEndlessJQStops interrupts programs after their first result.
func TestEndlessJQStops(t *testing.T) {
	for _, expression := range []string{"repeat(1)|empty", "last(repeat(1))", "range(infinite)", "def f: f; f"} {
		t.Run(expression, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			p, err := New(cancelingWriter(cancel), Options{JQ: `"a" * 1e6, (` + expression + ")"})
			noError(t, err)
			if err := p.Value(ctx, record.Value("null")); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want %v", err, context.Canceled)
			}
		})
	}
}

func TestValue(t *testing.T) {
	for f, want := range map[encode.Format]string{encode.JSON: "[\n  1,\n  \"x\"\n]\n", encode.NDJSON: "[1,\"x\"]\n", encode.YAML: "- 1\n- x\n", encode.Table: "[\n  1,\n  \"x\"\n]\n"} {
		t.Run(string(f), func(t *testing.T) {
			var out bytes.Buffer
			p, err := New(&out, Options{Format: f})
			noError(t, err)
			if err := p.Value(context.Background(), record.Value(`[1,"x"]`)); err != nil || out.String() != want {
				t.Errorf("got %q, %v, want %q", out.String(), err, want)
			}
		})
	}
}

// FuzzJQDecoder compares the values that jq programs get with those of
// encoding/json.
func FuzzJQDecoder(f *testing.F) {
	for _, text := range append(hostile, `{"a":"\ud83d\ude00\ud800","b":"\u2028\ufeff\/","c":{"":[],"k: ":"x: y"}}`, `{"a":1,"a":2,"a":{"b":[[1,[2]],[],{}]}}`) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := record.ParseValue(text)
		if err != nil {
			t.Skip("not JSON")
		}
		var want any
		unmarshal := json.NewDecoder(bytes.NewReader(v))
		unmarshal.UseNumber()
		_ = unmarshal.Decode(&want)
		d := jqDecoder{order: &keyOrder{known: map[uint64][]string{}}}
		got := []any{d.value(v, record.AllMarks)}
		if rec, err := record.Parse(v); err == nil {
			got = append(got, d.record(&rec, map[string]any{}))
		}
		wanted, _ := gojq.Marshal(want)
		for _, one := range got {
			if text, err := gojq.Marshal(one); err != nil || !bytes.Equal(text, wanted) {
				t.Fatalf("decoding %q: got %s, %v, want %s", v, text, err, wanted)
			}
		}
	})
}
