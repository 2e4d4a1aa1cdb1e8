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
)

// fake is a service that takes batches of keywords.
type fake struct {
	mu      sync.Mutex
	calls   [][]string
	held    []Shown
	blind   bool // it can't be read back
	respond func(rows []Row) ([]Outcome, error)
}

func (f *fake) op() Op {
	op := Op{Name: "keywords.create", Campaigns: true, Key: campaignKey, Begin: OfRows(func(rows []Row) Send {
		rows = Keep(rows...)
		return func(ctx context.Context) ([]Outcome, error) { return f.batch(ctx, rows) }
	})}
	if !f.blind {
		op.Look = f.look
	}
	return op
}

func (f *fake) look(_ context.Context, r Reading) (View, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, shown := range f.held {
		r.Holdings.See(shown)
	}
	return r.Holdings, nil
}

var campaignKey = []string{"account_id", "campaign_id"}

func (f *fake) batch(_ context.Context, rows []Row) ([]Outcome, error) {
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
		if id, same := KeywordIdentity(r.Values, nil, nil); err == nil {
			f.held = append(f.held, Shown{ID: id, Same: string(same)})
		}
	}
	return outcomes, err
}

func refusal(status int, words ...string) error {
	return &client.Error{Operation: "POST /api/v1/keywords", Action: "add keywords", HTTPStatus: status, Messages: words}
}

// blame refuses every call in which a keyword begins with bad.
func blame(status int) func(rows []Row) ([]Outcome, error) {
	return func(rows []Row) ([]Outcome, error) {
		for _, r := range rows {
			if strings.HasPrefix(r.Values.Get("keyword").Text(), "bad") {
				return nil, refusal(status, "Unprocessable Entity")
			}
		}
		return make([]Outcome, len(rows)), nil
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

func mustRun(t *testing.T, format, text string, spec Spec, op Op, o Options) Summary {
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
func checkedRun(ctx context.Context, s *Source, op Op, o Options) (Summary, error) {
	report, err := s.Check(ctx)
	var wrong *decode.Error
	if err != nil && (o.OnInvalid != Skip || !errors.As(err, &wrong) || wrong.Fatal) {
		return Summary{Rows: report.Rows, Invalid: report.Invalid, Duplicates: report.Duplicates}, err
	}
	if o.Pause == nil {
		o.Pause = func(ctx context.Context, _ time.Duration) error { return context.Cause(ctx) }
	}
	return Run(ctx, s, op, nil, o)
}
