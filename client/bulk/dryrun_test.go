package bulk

import (
	"fmt"
	"slices"
	"testing"

	"reseller/client/bulk/rows"
)

func TestDryRunCountsWithoutSending(t *testing.T) {
	text := keywordHead + "1,1,a,target\n1,1,b,target\n1,1,c,target\n1,2,d,target\n1,1,e,target\n1,1,A,target\n"
	for name, c := range map[string]struct {
		options Options
		want    DryRunSummary
		batches []string // for each batch: converge, and its rows
	}{
		"default":         {Options{BatchSize: 2}, DryRunSummary{Send: 3, Present: 1, Differs: 1, Calls: 2}, []string{"false [c e]", "false [d]"}},
		"update existing": {Options{UpdateExisting: true}, DryRunSummary{Send: 4, Present: 1, Calls: 3}, []string{"false [c e]", "false [d]", "true [b]"}},
		"resend existing": {Options{ResendExisting: true}, DryRunSummary{Send: 5, Calls: 2}, []string{"false [a b c e]", "false [d]"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newUnreliableService(1)
			f.addStored("1", "1", "a", "target", false)
			f.addStored("1", "1", "b", "interest", false)
			src := openText(t, "csv", text, createSchema())
			if _, err := src.Validate(t.Context()); err != nil {
				t.Fatal(err)
			}
			var batches []string
			got, err := DryRun(t.Context(), src, f.op(), nil, c.options, func(batch []rows.Row, converge bool) {
				var texts []string
				for _, row := range batch {
					texts = append(texts, row.Values.Get("keyword").Text())
				}
				batches = append(batches, fmt.Sprint(converge, " ", texts))
			}, nil)
			c.want.Operation, c.want.Rows, c.want.Duplicates = "keywords.create", 6, 1
			if err != nil || got != c.want {
				t.Errorf("got %+v, error %v; want %+v", got, err, c.want)
			}
			if slices.Sort(batches); !slices.Equal(batches, c.batches) {
				t.Errorf("got the batches %q, want %q", batches, c.batches)
			}
			if f.posts > 0 || len(f.stored) != 2 {
				t.Errorf("a dry run made %d posts, want none", f.posts)
			}
		})
	}
}
