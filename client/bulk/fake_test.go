package bulk

import (
	"cmp"
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

// A fake is a service that stores batches of keywords, unless respond says otherwise.
type fake struct {
	mu           sync.Mutex
	calls        [][]string // the texts of the keywords of each call
	stored       []Remote
	unverifiable bool // the service can't be read back
	respond      func(batch []rows.Row) ([]Outcome, error)
	beforeSend   error // every call fails with it before its request is written
}

func (f *fake) op() Operation {
	op := Operation{Name: "keywords.create", Breaker: "campaign", Key: campaignKeyFields, Send: func(batch []rows.Row) Call {
		return func(_ context.Context, onSend func() error) ([]Outcome, error) {
			if f.beforeSend != nil {
				return nil, f.beforeSend
			}
			if err := onSend(); err != nil {
				return nil, err
			}
			return f.post(batch)
		}
	}}
	if !f.unverifiable {
		op.Snapshot = f.snapshot
	}
	return op
}

func (f *fake) snapshot(_ context.Context, r SnapshotRequest) (Snapshot, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, stored := range f.stored {
		r.List.Add(stored)
	}
	return r.List, nil
}

func (f *fake) post(batch []rows.Row) ([]Outcome, error) {
	var texts []string
	for _, r := range batch {
		texts = append(texts, r.Values.Get("keyword").Text())
	}
	f.mu.Lock()
	f.calls = append(f.calls, texts)
	f.mu.Unlock()
	outcomes, err := make([]Outcome, len(batch)), error(nil)
	if f.respond != nil {
		outcomes, err = f.respond(batch)
	}
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range batch {
		id, content := keywordIdentity(r.Values, nil, nil)
		f.stored = append(f.stored, Remote{ID: id, Content: content})
	}
	return outcomes, nil
}

// refusal is the error of a call that the service refuses.
func refusal(status int, messages ...string) error {
	return &client.Error{Operation: "POST /api/v1/keywords", Action: "add keywords", HTTPStatus: status, Envelope: true, Messages: messages}
}

// fromGateway is the error of a call that a gateway has answered in place of the service.
func fromGateway(status int) error {
	if status < 300 {
		return &client.UnreadableError{Action: "add keywords", HTTPStatus: status, Err: errors.New("not JSON")}
	}
	return &client.Error{Operation: "POST /api/v1/keywords", Action: "add keywords", HTTPStatus: status, RetryAfter: true}
}

// errLostResponse is the error of a call whose response was lost.
var errLostResponse = &client.NetworkError{Operation: "POST", Action: "add keywords", Sent: true, Err: errors.New("reset")}

// refuseBad returns a function that refuses each batch with a keyword that begins with
// "bad".
func refuseBad(status int) func(batch []rows.Row) ([]Outcome, error) {
	return func(batch []rows.Row) ([]Outcome, error) {
		for _, r := range batch {
			if strings.HasPrefix(r.Values.Get("keyword").Text(), "bad") {
				return nil, refusal(status, "Unprocessable Entity")
			}
		}
		return make([]Outcome, len(batch)), nil
	}
}

// failAll returns a function that fails every call.
func failAll(err error) func([]rows.Row) ([]Outcome, error) {
	return func([]rows.Row) ([]Outcome, error) { return nil, err }
}

// keywordRows returns a file of n keywords of three campaigns in turn.
func keywordRows(n int) string {
	var b strings.Builder
	b.WriteString(keywordHead)
	for i := range n {
		fmt.Fprintf(&b, "%d,1,word %d,target\n", i%3, i)
	}
	return b.String()
}

// mustLoad loads a text without a job.
func mustLoad(t *testing.T, format, text string, sch rows.Schema, op Operation, o Options) job.Summary {
	t.Helper()
	sum, err := validateAndRun(t.Context(), openText(t, format, text, sch), op, o)
	noError(t, err)
	return sum
}

// validateAndRun validates the rows and sends them without a job. Unless the options say
// otherwise, the engine sleeps by a clock of its own.
func validateAndRun(ctx context.Context, s *rows.Source, op Operation, o Options) (job.Summary, error) {
	report, err := s.Validate(ctx)
	var invalid *decode.Error
	if err != nil && (o.OnInvalid != Skip || !errors.As(err, &invalid) || invalid.Fatal) {
		return job.Summary{Rows: report.Rows, Invalid: report.Invalid, Duplicates: report.Duplicates}, err
	}
	if o.now == nil {
		o = withClock(o)
	}
	return Run(ctx, s, Rows(op), nil, o)
}

// withClock gives options a clock of their own, unless they have a Sleep.
func withClock(o Options) Options {
	clock := &testClock{}
	o.now = clock.time
	if sleep := o.sleep; sleep == nil {
		o.sleep = clock.sleep
	} else {
		o.sleep = func(ctx context.Context, d time.Duration) error { return cmp.Or(sleep(ctx, d), clock.sleep(ctx, d)) }
	}
	return o
}

// A testClock moves only while the engine sleeps.
type testClock struct {
	mu  sync.Mutex
	now time.Duration
}

// epoch is the time at which the clocks of tests begin.
var epoch = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func (c *testClock) sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += d
	return context.Cause(ctx)
}

func (c *testClock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return epoch.Add(c.now)
}
