package client

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"reseller/client/record"
	"reseller/client/schema"
)

// List calls an operation whose data is an array and walks its records as they
// arrive, in memory that does not grow with the list. A record is valid until
// the next one is asked for.
//
// When the answer's pagination says that there are more pages, the next ones
// are asked for with page=N. A page that fails, or that repeats what came
// before, ends the walk with an error: a list is whole or it fails.
//
// Where the operation's data may also be one object, that object is the only
// record.
func (c *Client) List(ctx context.Context, call Call) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		w := &pager{c: c, call: call, yield: yield, seed: maphash.MakeSeed(), pages: 1}
		for page := int64(1); page <= w.pages && !w.stopped; page++ {
			if err := w.page(ctx, page); err != nil && !w.stopped {
				yield(record.Record{}, err)
				return
			}
		}
	}
}

// A pager is one pass over a list.
type pager struct {
	c         *Client
	call      Call
	yield     func(record.Record, error) bool
	stopped   bool
	badData   error          // data that is no list
	single    *record.Record // data that is one object, given when all is well
	pages     int64
	seed      maphash.Seed
	pageEdges map[uint64]bool // the first and last records of the pages so far
}

func (w *pager) page(ctx context.Context, page int64) error {
	call := w.call
	if page > 1 {
		call.Query = url.Values{}
		for name, values := range w.call.Query {
			call.Query[name] = values
		}
		call.Query.Set("page", strconv.FormatInt(page, 10))
	}
	ctx, cancel := context.WithCancel(call.context(ctx, true))
	defer cancel()
	resp, err := w.c.do(ctx, call)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	body := io.Reader(resp.Body)
	raw := &errWriter{w: call.CopyTo}
	if call.CopyTo != nil {
		body = io.TeeReader(body, raw)
	}
	r := record.NewReader(body, MaxRecord)
	records := 0
	env, err := readEnvelope(r, func() error {
		if resp.StatusCode >= 300 {
			_, err := r.Value()
			return err
		}
		n, err := w.data(r, page)
		records = n
		return err
	})
	if w.stopped {
		return nil
	}
	var repeated *repeatedError
	if errors.As(err, &repeated) {
		return &UnreadableError{call.Op.Name(), call.Action(), resp.StatusCode, "", err}
	}
	if raw.err != nil {
		return raw.err
	}
	if call.CopyTo != nil && err != nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(body, MaxRecord)) // the rest goes out as it came
	}
	if err := w.c.checkResponse(ctx, call, resp, env, err, r.Rest()); err != nil {
		return err
	}
	if !env.hasData {
		w.badData = errNoData
	}
	if w.badData != nil {
		return &UnreadableError{call.Op.Name(), call.Action(), resp.StatusCode, "", w.badData}
	}
	if w.single != nil {
		return w.emit(*w.single)
	}
	return w.next(call, resp.StatusCode, env, page, records)
}

// next finds how many pages there are, and whether this one was its own.
func (w *pager) next(call Call, status int, env *envelope, page int64, records int) error {
	fail := func(err error) error {
		return &UnreadableError{call.Op.Name(), call.Action(), status, "", err}
	}
	if page > 1 && env.page > 0 && env.page != page {
		return fail(&repeatedError{fmt.Sprintf("page %d was asked for and page %d came", page, env.page)})
	}
	if env.noPages != "" {
		return fail(fmt.Errorf("whether there are more pages can't be told: totalPages is %s", snippet(w.c.secrets(call).Text(env.noPages))))
	}
	if env.totalPages > w.pages || env.totalPages > 0 && page == 1 {
		w.pages = max(env.totalPages, page)
	}
	if records == 0 && page < w.pages {
		return fail(fmt.Errorf("page %d of %d is empty", page, w.pages))
	}
	return nil
}

// A repeatedError is a page that came twice.
type repeatedError struct{ what string }

func (e *repeatedError) Error() string { return e.what }

// data walks the array, or the one object, that r stands before.
func (w *pager) data(r *record.Reader, page int64) (int, error) {
	c, err := r.Peek()
	if err != nil {
		return 0, unexpectedEOF(err)
	}
	var rec record.Record
	switch {
	case c == '{' && w.call.Op.Data == schema.ShapeAny:
		err := r.Record(&rec)
		only := rec.Clone() // the buffer moves on to the rest of the envelope
		w.single = &only
		if len(rec.Raw().AppendCompact(nil)) == len("{}") {
			w.single = nil // no rows, as the service writes it now and then
		}
		return 1, err
	case c != '[':
		v, err := r.Value()
		if err == nil && v.Kind() != record.Null && (c != '{' || len(v.AppendCompact(nil)) > 2) {
			// The data of a refusal is no array; the envelope behind it has the word.
			w.badData = fmt.Errorf("data is %s, not an array", v.Kind())
		}
		return 0, err
	}
	if err := r.Delim('['); err != nil {
		return 0, err
	}
	if c, err = r.Peek(); err == nil && c == ']' {
		return 0, r.Delim(']')
	}
	var last uint64
	for n := 1; ; n++ {
		if err := r.Record(&rec); err != nil {
			return n, err
		}
		if page > 1 || n == 1 || !r.NextIs(',') { // else it is neither compared nor the last
			last = maphash.Bytes(w.seed, rec.Raw())
		}
		if page > 1 && w.pageEdges[last] {
			return n, &repeatedError{fmt.Sprintf("page %d repeats a record of the pages before it", page)}
		}
		if n == 1 && page == 1 {
			w.addPageEdge(last)
		}
		if err := w.emit(rec); err != nil {
			return n, err
		}
		more, err := r.More()
		if err != nil {
			return n, err
		}
		if !more {
			w.addPageEdge(last)
			return n, nil
		}
	}
}

func (w *pager) addPageEdge(hash uint64) {
	if w.pageEdges == nil {
		w.pageEdges = map[uint64]bool{}
	}
	w.pageEdges[hash] = true
}

var errStopped = errors.New("the walk was stopped")

func (w *pager) emit(rec record.Record) error {
	if !w.yield(rec, nil) {
		w.stopped = true
		return errStopped
	}
	return nil
}

// Received is embedded in the types that reads decode into.
type Received struct {
	// Record is what the service sent, with fields that the type does not have.
	// From a list it is valid until the next one is asked for; Record.Clone makes
	// one that stays.
	Record record.Record `json:"-"`
}

func (r *Received) setRecord(rec record.Record) { r.Record = rec }

// Each decodes the records of a list into T, such as Account for Accounts:
//
//	for account, err := range client.Each[client.Account](c.Accounts(ctx)) {
//
// A record that does not decode ends the list with an error.
func Each[T any](list iter.Seq2[record.Record, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for rec, err := range list {
			var v T
			if err == nil {
				v, err = decode[T](rec)
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// decode decodes a record into T, which keeps it where T embeds Received.
func decode[T any](rec record.Record) (v T, err error) {
	err = rec.Decode(&v)
	if r, ok := any(&v).(interface{ setRecord(record.Record) }); ok {
		r.setRecord(rec)
	}
	return v, err
}

// get calls an operation whose data is one object and decodes it into T.
func get[T any](ctx context.Context, c *Client, call Call) (T, error) {
	rec, err := c.Record(ctx, call)
	if err != nil {
		var none T
		return none, err
	}
	v, err := decode[T](rec)
	if err != nil {
		err = &UnreadableError{call.Op.Name(), call.Action(), http.StatusOK, "", err}
	}
	return v, err
}
