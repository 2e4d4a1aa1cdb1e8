package client

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"net/url"
	"strconv"

	"reseller/client/record"
	"reseller/client/schema"
)

// List sends a call whose data is an array and returns its records as they arrive,
// in memory that does not grow with the list. A record is valid until the next one
// is asked for.
//
// Where the pagination of the answer says that there are more pages, the next ones
// are requested with page=N (contract: Common response envelope). A page that fails, or that
// repeats what came before, ends the list with an error: a list is complete or it
// fails.
//
// Where the data of the operation may be one object (schema.ShapeAny), that object
// is the only record.
func (c *Client) List(ctx context.Context, call Call) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		p := &pager{c: c, call: call, yield: yield, seed: maphash.MakeSeed(), pages: 1}
		for page := int64(1); page <= p.pages && !p.stopped; page++ {
			if err := p.page(ctx, page); err != nil && !p.stopped {
				yield(record.Record{}, err)
				return
			}
		}
	}
}

// A pager reads the pages of one list.
type pager struct {
	c         *Client
	call      Call
	yield     func(record.Record, error) bool
	stopped   bool
	badData   error          // the data is not a list
	single    *record.Record // the data is this one object, returned when the rest of the answer was read
	pages     int64
	seed      maphash.Seed
	pageEdges map[uint64]bool // hashes of the first and the last record of each page so far
}

func (p *pager) page(ctx context.Context, page int64) error {
	call := p.call
	if page > 1 {
		call.Query = url.Values{}
		for name, values := range p.call.Query {
			call.Query[name] = values
		}
		call.Query.Set("page", strconv.FormatInt(page, 10))
	}
	ctx, cancel := context.WithCancel(call.context(ctx, true))
	defer cancel()
	resp, err := p.c.do(ctx, call)
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
		n, err := p.data(r, page)
		records = n
		return err
	})
	if p.stopped {
		return nil
	}
	var repeated *repeatedError
	if errors.As(err, &repeated) {
		return call.unreadable(resp.StatusCode, err)
	}
	if raw.err != nil {
		return raw.err
	}
	if call.CopyTo != nil && err != nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(body, MaxRecord)) // copies the rest of the answer, too
	}
	if err := p.c.checkResponse(ctx, call, resp, env, err, r.Rest()); err != nil {
		return err
	}
	if !env.hasData {
		p.badData = errNoData
	}
	if p.badData != nil {
		return call.unreadable(resp.StatusCode, p.badData)
	}
	if p.single != nil {
		return p.emit(*p.single)
	}
	return p.next(call, resp.StatusCode, env, page, records)
}

// next checks that the answer is the page that was requested, and sets how many
// pages there are.
func (p *pager) next(call Call, status int, env *envelope, page int64, records int) error {
	fail := func(err error) error { return call.unreadable(status, err) }
	if page > 1 && env.page > 0 && env.page != page {
		return fail(&repeatedError{fmt.Sprintf("requested page %d and got page %d", page, env.page)})
	}
	if env.noPages != "" {
		return fail(fmt.Errorf("invalid pagination: totalPages is %s", snippet(p.c.secrets(call).Text(env.noPages))))
	}
	if env.totalPages > p.pages || env.totalPages > 0 && page == 1 {
		p.pages = max(env.totalPages, page)
	}
	if records == 0 && page < p.pages {
		return fail(fmt.Errorf("page %d of %d is empty", page, p.pages))
	}
	return nil
}

// A repeatedError is the error of a page that came twice.
type repeatedError struct{ what string }

func (e *repeatedError) Error() string { return e.what }

// data reads the array, or the one object, that comes next in r. It returns the
// number of records.
func (p *pager) data(r *record.Reader, page int64) (int, error) {
	c, err := r.Peek()
	if err != nil {
		return 0, unexpectedEOF(err)
	}
	var rec record.Record
	switch {
	case c == '{' && p.call.Op.Data == schema.ShapeAny:
		err := r.Record(&rec)
		only := rec.Clone() // the buffer of r is needed for the rest of the envelope
		p.single = &only
		if len(rec.Raw().AppendCompact(nil)) == len("{}") {
			p.single = nil // an empty object stands for no rows
		}
		return 1, err
	case c != '[':
		v, err := r.Value()
		if err == nil && v.Kind() != record.Null && (c != '{' || len(v.AppendCompact(nil)) > 2) {
			// A refusal has no array either; the envelope after the data decides.
			p.badData = fmt.Errorf("data is %s, not an array", v.Kind())
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
		if page > 1 || n == 1 || !r.NextIs(',') { // other records are neither compared nor the last of their page
			last = maphash.Bytes(p.seed, rec.Raw())
		}
		if page > 1 && p.pageEdges[last] {
			return n, &repeatedError{fmt.Sprintf("page %d repeats a record of the pages before it", page)}
		}
		if n == 1 && page == 1 {
			p.addPageEdge(last)
		}
		if err := p.emit(rec); err != nil {
			return n, err
		}
		more, err := r.More()
		if err != nil {
			return n, err
		}
		if !more {
			p.addPageEdge(last)
			return n, nil
		}
	}
}

func (p *pager) addPageEdge(hash uint64) {
	if p.pageEdges == nil {
		p.pageEdges = map[uint64]bool{}
	}
	p.pageEdges[hash] = true
}

// errStopped ends the reading of a page when the caller stops the iteration.
var errStopped = errors.New("the iteration was stopped")

func (p *pager) emit(rec record.Record) error {
	if !p.yield(rec, nil) {
		p.stopped = true
		return errStopped
	}
	return nil
}
