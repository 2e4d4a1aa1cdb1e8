package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"reseller/client"
	"reseller/client/record"
)

// Attempt makes n calls one after another. One of several that fails is told
// and the others go on; what would fail for all of them ends it. The error is
// that, or the outcome of calls that have all failed; the failures of some are
// for the caller, who tells of them with Several when the data is in place.
func (f *Factory) Attempt(n int, call func(i int) error) (failed []error, err error) {
	for i := range n {
		err := call(i)
		switch {
		case err == nil:
		case n == 1 || ends(err):
			return failed, err
		default:
			f.Warn(err)
			failed = append(failed, err)
		}
	}
	if len(failed) == n {
		return failed, Several(n, failed)
	}
	return failed, nil
}

// ends tells whether an error would be the same for every other call of a
// command. A 403 need not be: it may be about the one account.
func ends(err error) bool {
	var refusal *client.Error
	var unreadable *client.UnreadableError
	var interrupted Interrupted
	switch {
	case errors.As(err, &refusal):
		return refusal.HTTPStatus == http.StatusUnauthorized
	case errors.As(err, &unreadable):
		return false
	case errors.As(err, &interrupted), errors.Is(err, context.Canceled):
		return true
	}
	code := ExitCode(err)
	return code == ExitUsage || code == ExitAuth || code == ExitFailed
}

// Records are the data of an answer, an object or an array of them.
func Records(call client.Call, answer *client.Answer) ([]record.Record, error) {
	recs, err := records(answer)
	if err != nil {
		return nil, unreadable(call, answer, err)
	}
	return recs, nil
}

// One makes a call whose data is one object. An array of one is taken too,
// since the contract does not show every answer; an empty one is a record
// without fields.
func (f *Factory) One(ctx context.Context, call client.Call) (record.Record, error) {
	c, err := f.Client()
	if err != nil {
		return record.Record{}, err
	}
	answer, err := c.Do(ctx, call)
	if err != nil {
		return record.Record{}, err
	}
	recs, err := Records(call, answer)
	switch {
	case err != nil:
		return record.Record{}, err
	case len(recs) == 0:
		return record.Parse([]byte("{}"))
	case len(recs) > 1:
		return record.Record{}, unreadable(call, answer, fmt.Errorf("data is an array of %d objects, not one", len(recs)))
	}
	return recs[0], nil
}

func unreadable(call client.Call, answer *client.Answer, err error) error {
	return &client.UnreadableError{Operation: call.Op.Name(), What: call.Op.Title, HTTPStatus: answer.HTTPStatus, Err: err}
}
