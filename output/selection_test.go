package output

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"reseller/client/record"
	"reseller/output/encode"
)

var selectionShape = Shape{Columns: []Column{
	{Name: "id", Type: encode.TypeNumber}, {Name: "city", Alt: []string{"town"}}, {Name: "note", Wide: true},
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
		`{"id":1,"city":"Portland","note":"a=b"}`, `{"id":2,"city":"Salem","note":""}`, `{"id":10,"town":"portland","note":null}`, `{"id":"20","more":{"x":1}}`,
	}
	for where, want := range map[string]string{
		"city=Portland": "1", "city = Portland ": "1", "city!=Portland": "2 10 20", "city~PORT": "1 10", "city=": "20", "city!=": "1 2 10",
		"id>2": "10 20", "id<10": "1 2", "id=10.0": "10", "id~0": "10 20", "id>x": "", "city>Portland": "2 10", "note=a=b": "1", ".more.x=1": "20", "city~": "1 2 10 20",
	} {
		t.Run(where, func(t *testing.T) {
			if got, err := selectIDs(t, Options{Where: []string{where}}, records(list...)); err != nil || got != want {
				t.Errorf("got %q (%v), want %q", got, err, want)
			}
		})
	}
	t.Run("several", func(t *testing.T) {
		if got, err := selectIDs(t, Options{Where: []string{"id>1", "city~land"}}, records(list...)); err != nil || got != "10" {
			t.Errorf("got %q (%v), want 10", got, err)
		}
	})
	for where, want := range map[string]string{
		"": "is not a column", "city": "is not a column", "city!x": "is not a column", "=x": "empty column name", "city==x": "is not an operator", "id>=1": "is not an operator",
		"cty=x": "--where: unknown column", "all=x": "all",
	} {
		t.Run("invalid "+where, func(t *testing.T) {
			_, err := selectIDs(t, Options{Where: []string{where}}, records(list...))
			if usage := (*UsageError)(nil); !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
				t.Errorf("got error %v, want a usage error with %q", err, want)
			}
		})
	}
}

// TestConditionsOnDates checks that exactly one of =, < and > holds for two dates, however both are written: to the minute
// as tables show them, or to the second if the condition has seconds.
func TestConditionsOnDates(t *testing.T) {
	shape := Shape{Columns: []Column{{Name: "id", Type: encode.TypeNumber}, {Name: "due", Date: true}}}
	list := []string{
		`{"id":1,"due":"2026-01-08T00:00:00"}`, `{"id":2,"due":"2026-01-08"}`, `{"id":3,"due":"2026-01-08T04:04:00Z"}`,
		`{"id":4,"due":"2026-01-08 04:04:30"}`, `{"id":5,"due":null}`, `{"id":6,"due":"soon"}`,
	}
	for value, want := range map[string]struct{ equal, less, greater string }{
		"2026-01-08":           {"1 2", "", "3 4 6"},
		"2026-01-08T00:00:00Z": {"1 2", "", "3 4 6"},
		"2026-01-08 04:04":     {"3 4", "1 2", "6"},
		"2026-01-08T04:04":     {"3 4", "1 2", "6"},
		"2026-01-08 04:04:00":  {"3", "1 2", "4 6"},
		"2026-01-08T04:04:30Z": {"4", "1 2 3", "6"},
		"soon":                 {"6", "1 2 3 4", ""},
		"":                     {"5", "", "1 2 3 4 6"},
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
		{"sorted", "3", Options{Limit: 1, Sort: []string{"-id"}}, true},
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
