package bulk

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"reseller/client"
)

// maxSilent is how many calls in a row may stay without an answer.
const maxSilent = 20

// verdict is what the failure of a call means for its rows.
type verdict uint8

const (
	stop   verdict = iota // nothing more is sent
	split                 // one of the rows is to blame
	refuse                // all rows of the call are refused
	lost                  // no answer, or none that tells anything
)

func judge(err error) verdict {
	var refusal *client.Error
	switch {
	case client.Unknown(err):
		return lost
	case !errors.As(err, &refusal):
		return stop
	}
	switch refusal.HTTPStatus {
	case http.StatusUnauthorized, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return stop // also what surely was not carried out, however often it was tried
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return split
	}
	if refusal.HTTPStatus < 400 {
		return split
	}
	return refuse
}

// batch sends rows and notes what became of them. A refused batch is halved
// until the row that is to blame stands alone.
func (r *run) batch(ctx context.Context, rows []Row) {
	if r.stop() != nil || ctx.Err() != nil {
		return
	}
	outcomes, err := r.op.Batch(ctx, rows)
	if err == nil && len(outcomes) != len(rows) {
		err = fmt.Errorf("%s: %d outcomes for %d rows", r.op.Name, len(outcomes), len(rows))
	}
	var what verdict
	if err != nil {
		what = judge(err)
	}
	r.count(err, what)
	switch {
	case err == nil:
		r.note(rows, func(i int) Outcome { return outcomes[i] })
	case what == split && len(rows) > 1:
		half := len(rows) / 2
		r.batch(ctx, rows[:half])
		r.batch(ctx, rows[half:])
	case what == stop:
		r.mu.Lock()
		if r.stopped == nil {
			r.stopped = err
		}
		r.mu.Unlock()
	default:
		outcome := failure(err, what)
		r.note(rows, func(int) Outcome { return outcome })
	}
}

// count counts a call, and stops the run after too many without an answer.
func (r *run) count(err error, what verdict) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	if err == nil || what != lost {
		r.silent = 0
		return
	}
	if r.silent++; r.silent >= maxSilent && r.stopped == nil {
		r.stopped = fmt.Errorf("%d calls in a row without an answer: %w", r.silent, err)
	}
}

// failure is the outcome of all rows of a failed call.
func failure(err error, what verdict) Outcome {
	out := Outcome{State: Refused, Message: err.Error()}
	if what == lost {
		out.State = Unknown
	}
	var refusal *client.Error
	if errors.As(err, &refusal) {
		out.HTTPStatus = refusal.HTTPStatus
		if len(refusal.Messages) > 0 {
			out.Message = strings.Join(refusal.Messages, "; ")
		}
	}
	return out
}

// note counts the outcomes of rows and writes them where they belong.
func (r *run) note(rows []Row, outcome func(i int) Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var err error
	for i, row := range rows {
		out := outcome(i)
		r.sum.count(out.State)
		switch out.State {
		case Refused:
			r.refused = out.HTTPStatus
			status := ""
			if out.HTTPStatus != 0 {
				status = strconv.Itoa(out.HTTPStatus)
			}
			err = errors.Join(err, r.rejects.write(row, out.Message, status))
		case Sent, Present, "":
			given := make([]string, len(r.op.Gives))
			for k, name := range r.op.Gives {
				if v := out.Result.Get(name); v != nil {
					given[k] = v.Text()
				} else {
					given[k] = row.Values[name].Text()
				}
			}
			err = errors.Join(err, r.results.write(row, given...))
		}
	}
	if err != nil && r.stopped == nil {
		r.stopped = err
	}
	r.done += len(rows)
	if r.o.Progress != nil {
		r.o.Progress(r.done, r.total)
	}
}
