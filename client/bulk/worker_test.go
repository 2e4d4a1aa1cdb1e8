package bulk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"reseller/client"
	"reseller/client/bulk/rows"
	"reseller/client/record"
	"reseller/client/schema"
)

func TestClassifyFailure(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want failureClass
	}{
		"lost response":                     {errLostResponse, classUnknown},
		"unreadable response":               {&client.UnreadableError{Err: errors.New("cut short")}, classUnknown},
		"500":                               {refusal(500), classUnknown},
		"503":                               {refusal(503), classUnknown},
		"503 with Retry-After":              {&client.Error{HTTPStatus: 503, Envelope: true, RetryAfter: true}, classNotSent},
		"503 with Retry-After of a gateway": {&client.Error{HTTPStatus: 503, RetryAfter: true}, classUnknown},
		"503 with a long Retry-After":       {&client.Error{HTTPStatus: 503, Envelope: true, RetryAfter: true, Wait: time.Hour}, classFatal},
		"no connection":                     {&client.NetworkError{Err: errors.New("connection refused")}, classNotSent},
		"429":                               {refusal(429), classThrottled},
		"400":                               {refusal(400), classBadRow},
		"409":                               {refusal(409), classBadRow},
		"413":                               {refusal(413), classBadRow},
		"422":                               {refusal(422), classBadRow},
		"200 with an error":                 {refusal(200), classBadRow},
		"403":                               {refusal(403), classForbidden},
		"401":                               {refusal(401), classFatal},
		"404":                               {refusal(404), classFatal},
		"405":                               {refusal(405), classFatal},
		"no token":                          {&client.TokenSourceError{Err: &client.NetworkError{Err: errors.New("reset")}}, classFatal},
		"any other error":                   {errors.New("invalid URL"), classFatal},
		"a lost response inside of another": {fmt.Errorf("step 2: %w", errLostResponse), classUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			if got := classify(c.err); got != c.want {
				t.Errorf("classify(%v) = %d, want %d", c.err, got, c.want)
			}
		})
	}
}

func TestForbiddenRefusesTheRowsOfTheCall(t *testing.T) {
	f := fake{respond: refuseBad(403)}
	sum := mustLoad(t, "csv", keywordRows(9)+"1,1,bad,target\n", createSchema(), f.op(), Options{})
	wantCounts(t, sum, counts{Rows: 10, Sent: 6, Refused: 4})
	if *sum.Requests != 3 {
		t.Errorf("got %d requests, want 3", *sum.Requests)
	}
}

func TestFatalFailuresStopTheRun(t *testing.T) {
	for name, failure := range map[string]error{
		"unauthorized": refusal(401), "not found": refusal(404), "method not allowed": refusal(405),
		"guard": &client.GuardError{URL: "x", Reason: "y"}, "no token": errors.New("no token"),
		"unauthorized, and no other token": &client.TokenSourceError{Err: errors.New("no token")},
	} {
		t.Run(name, func(t *testing.T) {
			f := fake{respond: failAll(failure)}
			if !errors.As(failure, new(*client.Error)) && !errors.As(failure, new(*client.TokenSourceError)) {
				f.beforeSend = failure
			}
			sum, err := validateAndRun(t.Context(), openText(t, "csv", keywordRows(100), createSchema()), f.op(), Options{BatchSize: 1, Concurrency: 2})
			if !errors.Is(err, failure) || *sum.Requests > 2 {
				t.Errorf("got error %v after %d requests, want %v after at most 2", err, *sum.Requests, failure)
			}
			wantCounts(t, sum, counts{Rows: 100})
		})
	}
}

func TestLostResponsesOfUnverifiableRowsAreUnknown(t *testing.T) {
	n := 0
	f := fake{unverifiable: true, respond: func(batch []rows.Row) ([]Outcome, error) {
		if n++; n%2 == 0 {
			return nil, errLostResponse
		}
		return make([]Outcome, len(batch)), nil
	}}
	sum := mustLoad(t, "csv", keywordRows(60), createSchema(), f.op(), Options{BatchSize: 1, Concurrency: 1})
	wantCounts(t, sum, counts{Rows: 60, Sent: 30, Unknown: 30})
}

func TestConsecutiveFailuresStopTheRun(t *testing.T) {
	for name, c := range map[string]struct {
		failure error
		unknown int
	}{
		"lost responses": {errLostResponse, maxConsecutiveFailures},
		"502":            {refusal(502), maxConsecutiveFailures},
		"not sent":       {&client.NetworkError{Err: errors.New("refused")}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := fake{unverifiable: true, respond: failAll(c.failure)}
			sum, err := validateAndRun(t.Context(), openText(t, "csv", keywordRows(60), createSchema()), f.op(), Options{BatchSize: 1, Concurrency: 1})
			var noResponse *NoResponseError
			if !errors.As(err, &noResponse) || noResponse.Calls != maxConsecutiveFailures || !errors.Is(err, c.failure) {
				t.Errorf("got error %v, want a *NoResponseError of %d calls with %v", err, maxConsecutiveFailures, c.failure)
			}
			wantError(t, err, "20 consecutive calls failed: ")
			if sum.Unknown != c.unknown || *sum.Requests != maxConsecutiveFailures {
				t.Errorf("got %d unknown rows after %d requests, want %d after %d", sum.Unknown, *sum.Requests, c.unknown, maxConsecutiveFailures)
			}
		})
	}
}

// TestThrottlingIsWaitedOut makes calls that take ten seconds until the service refuses
// them: the transport makes each attempt wait.
func TestThrottlingIsWaitedOut(t *testing.T) {
	for name, tt := range map[string]struct {
		refused int // calls
		refusal error
		calls   int
		sent    int
	}{
		"until the service accepts calls":         {60, refusal(429), 63, 3},
		"for 15 minutes":                          {1000, refusal(429), 90, 0},
		"but not if the service asks for an hour": {1000, &client.Error{HTTPStatus: 429, RetryAfter: true, Wait: time.Hour}, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var f fake
				f.respond = func(batch []rows.Row) ([]Outcome, error) {
					time.Sleep(10 * time.Second)
					if len(f.calls) <= tt.refused {
						return nil, tt.refusal
					}
					return make([]Outcome, len(batch)), nil
				}
				src := openText(t, "csv", keywordRows(3), createSchema())
				sum, err := validateAndRun(t.Context(), src, f.op(), Options{BatchSize: 1, Concurrency: 1, now: time.Now})
				if (err == nil) != (tt.sent > 0) || len(f.calls) != tt.calls {
					t.Errorf("got error %v after %d calls, want success %v after %d", err, len(f.calls), tt.sent > 0, tt.calls)
				}
				wantCounts(t, sum, counts{Rows: 3, Sent: tt.sent})
			})
		})
	}
}

func TestCallsMustReturnOneOutcomeOrOnePerRow(t *testing.T) {
	for outcomes, want := range map[int]string{0: "0 outcomes for 3 rows", 1: "", 2: "2 outcomes for 3 rows", 3: ""} {
		t.Run(fmt.Sprint(outcomes, " for 3 rows"), func(t *testing.T) {
			f := fake{respond: func([]rows.Row) ([]Outcome, error) {
				return slices.Repeat([]Outcome{{State: Refused, Message: "no"}}, outcomes), nil
			}}
			sum, err := validateAndRun(t.Context(), openText(t, "csv", keywordHead+"1,1,a,target\n1,1,b,target\n1,1,c,target\n", createSchema()), f.op(), Options{})
			if want != "" {
				wantError(t, err, want)
				return
			}
			noError(t, err)
			wantCounts(t, sum, counts{Rows: 3, Refused: 3})
		})
	}
}

// TestDefaultConcurrencyAndBatchSize checks that one call of a hundred rows runs alone,
// and then eight at a time.
func TestDefaultConcurrencyAndBatchSize(t *testing.T) {
	text := keywordHead
	for i := range 1600 {
		text += fmt.Sprintf("0,1,word %d,target\n", i)
	}
	src := openText(t, "csv", text, createSchema())
	synctest.Test(t, func(t *testing.T) {
		running, release := atomic.Int32{}, make(chan struct{})
		f := fake{respond: func(batch []rows.Row) ([]Outcome, error) {
			if running.Add(1) > 1 { // the first call runs alone
				<-release
			}
			return make([]Outcome, len(batch)), nil
		}}
		go func() {
			sum, err := validateAndRun(context.Background(), src, f.op(), Options{})
			if err != nil || sum.Sent != 1600 || len(f.calls) != 16 {
				t.Errorf("got %d sent rows in %d calls, error %v; want 1600 in 16", sum.Sent, len(f.calls), err)
			}
		}()
		synctest.Wait()
		if n := running.Load() - 1; n != 8 {
			t.Errorf("got %d calls at a time after the first one, want 8", n)
		}
		close(release)
	})
}

func TestCancelledContextStopsTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := fake{respond: func(batch []rows.Row) ([]Outcome, error) {
		cancel()
		return make([]Outcome, len(batch)), nil
	}}
	sum, err := validateAndRun(ctx, openText(t, "csv", keywordRows(1000), createSchema()), f.op(), Options{BatchSize: 1, Concurrency: 2})
	if !errors.Is(err, context.Canceled) || sum.Sent == 0 || sum.Sent > 4 {
		t.Errorf("got %d sent rows, error %v; want 1 to 4, %v", sum.Sent, err, context.Canceled)
	}
}

// TestRowsOfRejectedBatchesAreCompleted checks that a row which a snapshot completes is
// completed whenever it is sent, also in the parts of a rejected batch.
func TestRowsOfRejectedBatchesAreCompleted(t *testing.T) {
	var mu sync.Mutex
	stored := map[string]bool{}
	complete := func(_ context.Context, row *rows.Row) (Outcome, error) {
		mu.Lock()
		defer mu.Unlock()
		if stored[row.Values.Get("rank_id").Text()] {
			return Outcome{State: Present}, nil
		}
		row.Values.Set("keyword_type", record.Quote("target"))
		return Outcome{State: Absent}, nil
	}
	op := Operation{
		Name: "keywords.update", Key: []string{},
		Snapshot: func(context.Context, SnapshotRequest) (Snapshot, error) { return SnapshotFunc(complete), nil },
		Send: func(batch []rows.Row) Call {
			return func(_ context.Context, onSend func() error) ([]Outcome, error) {
				mu.Lock()
				defer mu.Unlock()
				for _, row := range batch {
					if row.Values.Get("keyword_type") == nil {
						t.Errorf("row %d of %d was sent without its type", row.Ordinal, len(batch))
					}
				}
				if err := onSend(); err != nil || len(batch) > 1 {
					return nil, cmp.Or(err, refusal(422, "no"))
				}
				stored[batch[0].Values.Get("rank_id").Text()] = true
				return []Outcome{{}}, nil
			}
		},
	}
	src := openText(t, "csv", "rank_id,status\n1,activate\n2,activate\n3,deactivate\n", updateSchema())
	sum, err := validateAndRun(t.Context(), src, op, Options{sleep: func(context.Context, time.Duration) error { return nil }})
	noError(t, err)
	wantCounts(t, sum, counts{Rows: 3, Sent: 3})
}

// TestUnchangedInvalidRowsAreTolerated checks that an invalid row is accepted if the
// service holds the same values, which are then not sent.
func TestUnchangedInvalidRowsAreTolerated(t *testing.T) {
	sch := rows.Schema{Resource: &schema.AccountsV2, Use: schema.Update, Validate: true, Identity: rows.IdentityOf(&schema.AccountsV2, schema.Update)}
	sch.KeepsInvalid = func(name string) bool { return name != "account_id" }
	const text = "account_id,email\n1,nobody\n2,nobody\n3,ada@example.com\n"
	src := openText(t, "csv", text, sch)
	_, err := src.Validate(t.Context())
	noError(t, err)
	op := Operation{Snapshot: func(context.Context, SnapshotRequest) (Snapshot, error) {
		return SnapshotFunc(func(_ context.Context, row *rows.Row) (Outcome, error) {
			if row.Values.Get("account_id").Text() == "1" {
				return Outcome{State: Present}, nil
			}
			return Outcome{State: Absent}, nil
		}), nil
	}}
	for _, c := range []struct {
		op      *Operation
		invalid int
		want    []string
	}{{&op, 1, []string{"line 3, email"}}, {nil, 2, []string{"line 2, email", "line 3, email"}}} {
		src := openText(t, "csv", text, sch)
		_, err := src.Validate(t.Context())
		noError(t, err)
		faults, err := InvalidChanges(t.Context(), src, c.op)
		noError(t, err)
		n, err := src.RefuseRows(faults)
		wantError(t, err, c.want...)
		if n != c.invalid || src.Report.Invalid != n || src.Report.Send != 3-n {
			t.Errorf("got %d invalid rows and %d to send, want %d and %d: what the service holds is not sent", n, src.Report.Send, c.invalid, 3-c.invalid)
		}
	}

	failed := errors.New("no list")
	op.Snapshot = func(context.Context, SnapshotRequest) (Snapshot, error) { return nil, failed }
	if _, err := InvalidChanges(t.Context(), src, &op); !errors.Is(err, failed) {
		t.Errorf("got error %v, want %v", err, failed)
	}
}
