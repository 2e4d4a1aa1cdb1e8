package output

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"

	"reseller/client/record"
	"reseller/output/encode"
)

var selectionShape = Shape{Columns: []Column{
	{Name: "id", Type: encode.TypeNumber}, {Name: "city", Type: encode.TypeText, Alt: []string{"town"}}, {Name: "note", Wide: true},
	{Name: "zip", Type: encode.TypeText}, {Name: "kind", Enum: []string{"old", "new"}, Words: map[string]string{"ancient": "old"}}, {Name: "due", Date: true}, {Name: "free"},
	{Name: "attributes"},
}}

// selectIDs prints the ids of the records that the options select, each on a line.
func selectIDs(t *testing.T, o Options, list iter.Seq2[record.Record, error]) (string, error) {
	t.Helper()
	var b bytes.Buffer
	o.Format, o.NoHeader = encode.TSV, true
	o.Columns = append(slices.Clip(o.Columns), "id")
	p, err := New(&b, o)
	if err == nil {
		err = p.Print(t.Context(), selectionShape, list)
	}
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", " "), err
}

func TestConditions(t *testing.T) {
	list := []string{
		`{"id":1,"city":"Portland","note":"a=b","zip":"0042"}`, `{"id":2,"city":"Salem","note":"","zip":42}`, `{"id":10,"town":"portland","note":null,"zip":"4.2e1"}`,
		`{"id":"20","more":{"x":1,"y":"1"},"kind":"OLD"}`, `{"id":"n/a","more":{"x":20},"kind":"new"}`,
	}
	for where, want := range map[string]string{
		"city=Portland": "1", "city = Portland ": "1", "city!=Portland": "2 10 20 n/a", "city~PORT": "1 10", "city=": "20 n/a", "city!=": "1 2 10",
		"id>2": "10 20", "id<10": "1 2", "id=10.0": "10", "id=1e1": "10", "id~0": "10 20", "id>=10": "10 20", "id<=2": "1 2", "id!=1": "2 10 20 n/a", "id=": "",
		"id in 1,20.0": "1 20", "id in 1, ,2": "1 2", "city in Portland, Salem": "1 2", `city in "Portland, OR",Salem`: "2", "city>Portland": "2 10", "city>=Portland": "1 2 10",
		"note=a=b": "1", "city~": "1 2 10 20 n/a",
		"zip=42": "2", "zip=0042": "1", "zip!=42": "1 10 20 n/a", "zip in 42,0042": "1 2", "zip<1": "1",
		".more.x=1": "20", ".more.x=1.0": "20", ".more.x>3": "n/a", ".more.y=1": "20", ".more.y=1.0": "", ".more.y!=1.0": "1 2 10 20 n/a", ".town~PORT": "10",
		"kind=new": "n/a", "kind=New": "n/a", "kind=ancient": "20", "kind!=new": "1 2 10 20", "kind in ancient,new": "20 n/a", "kind~o": "20",
	} {
		t.Run(where, func(t *testing.T) {
			if got, err := selectIDs(t, Options{Where: []string{where}}, records(list...)); err != nil || got != want {
				t.Errorf("got %q (%v), want %q", got, err, want)
			}
		})
	}
	t.Run("several", func(t *testing.T) {
		if got, err := selectIDs(t, Options{Where: []string{"id>1", "city~land", ".town!=x"}}, records(list...)); err != nil || got != "10" {
			t.Errorf("got %q (%v), want 10", got, err)
		}
	})
	for where, want := range map[string]string{
		"": "is not a column", "city": "is not a column", "city!x": "is not a column", "=x": "empty column name", "city==x": `"==" is not an operator`,
		"cty=x": "--where: unknown column", "all=x": "all", "id>x": "id is a number", "id=abc": "id is a number", "id!=abc": "id is a number", "id<": "id is a number", "id in 1,b": "id is a number",
		"kind=nwe": "kind is old or new", "kind!=nwe": "kind is old or new", "kind in old,nwe": "kind is old or new", "due=soon": "due is a date", "due<0": "due is a date", "due>12x4": "due is a date",
		"city in ": "has no values",
	} {
		t.Run("invalid "+where, func(t *testing.T) {
			p, err := New(io.Discard, Options{Where: []string{where}})
			if err == nil {
				err = p.Check(selectionShape)
			}
			if usage := (*UsageError)(nil); !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
				t.Errorf("got error %v, want a usage error with %q", err, want)
			}
		})
	}
}

// TestConditionsThatNoRecordMeets has conditions whose fault only the whole list shows. What is not of the rows is known at its end.
func TestConditionsThatNoRecordMeets(t *testing.T) {
	list := []string{`{"id":1,"more":{"x":1}}`, `{"id":2,"more":{"x":null},"attributes":[{"field_name":"Size","field_value":"1"}]}`}
	for _, c := range []struct{ where, want, err string }{
		{".x=1", "", "no record of the list has the field x"},
		{".more.z!=1", "1 2", "no record of the list has the field more.z"},
		{"attributes.size!=1", "1 2", "no record of the list has the field attributes.size"},
		{".more.x!=abc", "1 2", ".more.x is a number in all records"},
		{"free<abc", "", "no record of the list has the field free"}, {".more.x=1", "1", ""}, {".more.x=", "2", ""}, {"attributes.Size=1", "2", ""}, {"note=x", "", "no record of the list has the field note"}, {"note=", "1 2", ""},
	} {
		t.Run(c.where, func(t *testing.T) {
			check := func(o Options, seq iter.Seq2[record.Record, error], want, wantErr string) {
				t.Helper()
				o.Where = append(o.Where, c.where)
				got, err := selectIDs(t, o, seq)
				usage := (*UsageError)(nil)
				if got != want || (err != nil) != (wantErr != "") || err != nil && (!errors.As(err, &usage) || !strings.Contains(err.Error(), wantErr)) {
					t.Errorf("%+v: got %q and error %v, want %q and %q", o, got, err, want, wantErr)
				}
			}
			check(Options{}, records(list...), c.want, c.err)
			check(Options{}, records(), "", "")
			check(Options{Where: []string{"id>5"}}, records(list...), "", c.err)
			if c.err != "" {
				check(Options{Sort: []string{"id"}}, records(list...), "", c.err)
			}
		})
	}
}

// TestConditionsOnDates checks that exactly one of =, < and > holds for two dates, however both are written: in the
// parts that the condition has.
func TestConditionsOnDates(t *testing.T) {
	shape := Shape{Columns: []Column{{Name: "id", Type: encode.TypeNumber}, {Name: "due", Date: true}}}
	list := []string{
		`{"id":1,"due":"2026-01-08T00:00:00"}`, `{"id":2,"due":"2026-01-08"}`, `{"id":3,"due":"2026-01-08T04:04:00Z"}`,
		`{"id":4,"due":"2026-01-08 04:04:30"}`, `{"id":5,"due":null}`, `{"id":6,"due":"soon"}`, `{"id":7,"due":""}`,
	}
	for value, want := range map[string]struct{ equal, less, greater string }{
		"2026-01-08":           {"1 2 3 4", "", ""},
		"2026-01":              {"1 2 3 4", "", ""},
		"2026-01-09":           {"", "1 2 3 4", ""},
		"2026-01-08T00:00:00Z": {"1 2", "", "3 4"},
		"2026-01-08 04:04":     {"3 4", "1 2", ""},
		"2026-01-08T04:04":     {"3 4", "1 2", ""},
		"2026-01-08 04:04:00":  {"3", "1 2", "4"},
		"2026-01-08T04:04:30Z": {"4", "1 2 3", ""},
	} {
		for operator, want := range map[string]string{"=": want.equal, "<": want.less, ">": want.greater} {
			t.Run(operator+value, func(t *testing.T) {
				var b bytes.Buffer
				p, err := New(&b, Options{Format: encode.TSV, NoHeader: true, Columns: []string{"id"}, Where: []string{"due" + operator + value}})
				if err == nil {
					err = p.Print(t.Context(), shape, records(list...))
				}
				if got := strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", " "); err != nil || got != want {
					t.Errorf("got %q (%v), want %q", got, err, want)
				}
			})
		}
	}
}

func TestSearch(t *testing.T) {
	list := []string{`{"id":1,"city":"Portland","note":"x"}`, `{"id":2,"city":"Salem","note":"PORT"}`, `{"id":3,"other":"port"}`}
	for _, tt := range []struct {
		name, search, want string
		columns            []string
	}{
		{"shown column", "port", "Portland\t1", []string{"city"}},
		{"another column", "port", "PORT\t2", []string{"note"}},
		{"number", "3", "3", nil},
		{"nothing", "zebra", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := selectIDs(t, Options{Search: tt.search, Columns: tt.columns}, records(list...)); err != nil || got != tt.want {
				t.Errorf("got %q (%v), want %q", got, err, tt.want)
			}
		})
	}
}

// TestLimitStopsReading reads a list whose end is broken: what comes after the last record that is printed is not
// read, but for a sort, which needs all: a record that is missing could be the first.
func TestLimitStopsReading(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name, want string
		options    Options
		isBroken   bool
	}{
		{"limit", "1 2", Options{Limit: 2}, false},
		{"limit of what is selected", "2", Options{Limit: 1, Where: []string{"id>1"}}, false},
		{"fewer than the limit", "1 2 3", Options{Limit: 4}, true},
		{"sorted", "", Options{Limit: 1, Sort: []string{"-id"}}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := selectIDs(t, tt.options, func(yield func(record.Record, error) bool) {
				for rec, err := range records(`{"id":1}`, `{"id":2}`, `{"id":3}`) {
					if !yield(rec, err) {
						return
					}
				}
				yield(record.Record{}, broken)
			})
			if got != tt.want || errors.Is(err, broken) != tt.isBroken {
				t.Errorf("got %q and error %v, want %q and the error of the list: %t", got, err, tt.want, tt.isBroken)
			}
		})
	}
}
