package bulk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"reseller/client"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
)

// fake is a service that takes batches of keywords.
type fake struct {
	mu      sync.Mutex
	calls   [][]string
	held    []Remote
	blind   bool // it can't be read back
	respond func(batch []rows.Row) ([]Outcome, error)
}

func (f *fake) op() Operation {
	op := Operation{Name: "keywords.create", Breaker: true, Key: campaignKey, Encode: EncodeRows(func(batch []rows.Row) Call {
		batch = rows.Clone(batch...)
		return func(ctx context.Context, _ func() error) ([]Outcome, error) { return f.batch(ctx, batch) }
	})}
	if !f.blind {
		op.Snapshot = f.look
	}
	return op
}

func (f *fake) look(_ context.Context, r SnapshotRequest) (Snapshot, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, shown := range f.held {
		r.List.Add(shown)
	}
	return r.List, nil
}

var campaignKey = []string{"account_id", "campaign_id"}

func (f *fake) batch(_ context.Context, rows []rows.Row) ([]Outcome, error) {
	var words []string
	for _, r := range rows {
		words = append(words, r.Values.Get("keyword").Text())
	}
	f.mu.Lock()
	f.calls = append(f.calls, words)
	f.mu.Unlock()
	outcomes, err := make([]Outcome, len(rows)), error(nil)
	if f.respond != nil {
		outcomes, err = f.respond(rows)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range rows {
		if id, same := keywordIdentity(r.Values, nil, nil); err == nil {
			f.held = append(f.held, Remote{ID: id, Content: string(same)})
		}
	}
	return outcomes, err
}

func refusal(status int, words ...string) error {
	return &client.Error{Operation: "POST /api/v1/keywords", Action: "add keywords", HTTPStatus: status, Messages: words}
}

// blame refuses every call in which a keyword begins with bad.
func blame(status int) func(batch []rows.Row) ([]Outcome, error) {
	return func(batch []rows.Row) ([]Outcome, error) {
		for _, r := range batch {
			if strings.HasPrefix(r.Values.Get("keyword").Text(), "bad") {
				return nil, refusal(status, "Unprocessable Entity")
			}
		}
		return make([]Outcome, len(batch)), nil
	}
}

func keywordRows(n int) string {
	var b strings.Builder
	b.WriteString(keywordHead)
	for i := range n {
		fmt.Fprintf(&b, "%d,1,word %d,target\n", i%3, i)
	}
	return b.String()
}

func mustRun(t *testing.T, format, text string, spec rows.Schema, op Operation, o Options) job.Summary {
	t.Helper()
	s, err := source(t, format, text, spec)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := checkedRun(t.Context(), s, op, o)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// checkedRun checks the rows and sends them, without a job.
func checkedRun(ctx context.Context, s *rows.Source, op Operation, o Options) (job.Summary, error) {
	report, err := s.Validate(ctx)
	var wrong *decode.Error
	if err != nil && (o.OnInvalid != Skip || !errors.As(err, &wrong) || wrong.Fatal) {
		return job.Summary{Rows: report.Rows, Invalid: report.Invalid, Duplicates: report.Duplicates}, err
	}
	if o.Sleep == nil {
		o.Sleep = func(ctx context.Context, _ time.Duration) error { return context.Cause(ctx) }
	}
	return Run(ctx, s, op, nil, o)
}
