package client

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"maps"
	"net/url"
	"strconv"

	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/redact"
	"reseller/client/schema"
	"reseller/client/transport"
)

// List sends a call whose data is an array and returns its records as they arrive. Its memory does not grow with the list. A
// record is valid until the iteration continues. No record is returned twice, however many attempts a page takes.
//
// If the pagination of a response announces more pages, List requests them with page=N (contract: Common response envelope). A
// list is either complete or ends with an error:
//   - A page can't be read.
//   - A page of a list that is no report repeats a record of the page before it: the service has another order than before. A report
//     may have equal records; its page must not repeat the first record of all or the last one of the page before it.
//   - A list that is no report has fewer records than its totalRecords, or its totalRecords falls from one page to the next: records
//     that are removed move those behind them to a page that was read before.
//
// Each record must come within Options.Timeout, however many bytes arrive before it, and a list has no more than maxPages pages.
//
// If the data of the operation may also be one object (schema.ShapeAny), such an object is the only record of the list.
func (c *Client) List(ctx context.Context, call Call) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		p := &pager{c: c, call: call, yield: yield, seed: maphash.MakeSeed(), pages: 1, before: map[uint64]bool{}}
		for page := int64(1); page <= p.pages && !p.stopped; page++ {
			if err := p.page(ctx, page); err != nil && !p.stopped {
				yield(record.Record{}, err)
				return
			}
		}
	}
}

// maxPages is how many pages a list may have: enough for millions of records on small
// pages, so that only a list without an end has more.
const maxPages = 100_000

// maxCompared is the number of records of a page, from its first, that the next page is compared with, beside its last.
const maxCompared = 10_000

type pager struct {
	c       *Client
	call    Call
	yield   func(record.Record, error) bool
	stopped bool           // yield returned false
	badData error          // why the data is not a list
	single  *record.Record // the data, if it is one object; emitted once the whole response was read
	pages   int64          // number of pages, as far as it is known; at most maxPages
	records int64          // number of records on the pages so far
	total   int64          // totalRecords, as the last page that has it says; 0 if none has
	stream  transport.Stream
	filter  *redact.Filter // hides secrets in the records
	seed    maphash.Seed
	first   uint64          // the hash of the first record
	present []uint64        // hashes of records of the present page, which move to before when the next one begins
	before  map[uint64]bool // hashes of the records that a page must not repeat
	emitted int             // number of records of the present page
}

// page requests one page, the first one without a number, and emits its records. If the response can't be read, page requests it
// again, unless it has emitted some of them, or copies the response.
func (p *pager) page(ctx context.Context, page int64) error {
	call := p.call
	if page > 1 {
		call.Query = url.Values{}
		maps.Copy(call.Query, p.call.Query)
		call.Query.Set("page", strconv.FormatInt(page, 10))
		clear(p.before)
		p.before[p.first] = true
		for _, hash := range p.present {
			p.before[hash] = true
		}
		p.present = p.present[:0]
	}
	ctx, cancel := context.WithCancel(call.context(ctx, &p.stream))
	defer cancel()
	p.emitted = 0
	for {
		if again, err := p.attempt(ctx, call, page); !again {
			return err
		}
	}
}

// attempt requests a page and emits its records. If again is true, the caller is to make another attempt.
func (p *pager) attempt(ctx context.Context, call Call, page int64) (again bool, err error) {
	resp, err := p.c.do(ctx, call)
	if err != nil {
		return false, err
	}
	defer func() { _ = resp.Body.Close() }()
	p.filter, p.single, p.badData = redact.NewFilter(p.c.secrets(call)), nil, nil
	body, raw := io.Reader(resp.Body), &copyWriter{w: call.CopyTo}
	if call.CopyTo != nil {
		body = io.TeeReader(body, raw)
	}
	r := record.NewReader(body, MaxRecord)
	env, err := readEnvelope(r, func() error {
		if !isWhole(resp.StatusCode, call) {
			_, err := r.Value()
			return err
		}
		return p.data(r, page)
	})
	if p.stopped {
		return false, nil
	}
	if p.emitted == 0 && raw.copied == 0 && p.c.retries(ctx, call, resp, env, err) {
		return true, nil
	}
	if call.CopyTo != nil && raw.err == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(body, MaxRecord)) // so that call.CopyTo receives the rest of the response
	}
	if raw.err != nil {
		return false, raw.err
	}
	_, isRepeated := errors.AsType[*repeatedPageError](err)
	_, isOther := errors.AsType[*OtherRecordError](err)
	if isRepeated || isOther {
		return false, call.unreadable(resp.StatusCode, err)
	}
	if err := p.c.checkResponse(ctx, call, resp, env, err, r.Rest()); err != nil {
		return false, err
	}
	return false, p.finish(call, resp.StatusCode, env, page)
}

// finish checks, once a response was read to its end, that it is the page that was requested, and updates the number of pages.
// If the data was one object, finish emits it.
func (p *pager) finish(call Call, status int, env *envelope, page int64) error {
	fail := func(err error) error { return call.unreadable(status, err) }
	switch {
	case !env.hasData:
		return fail(errNoData)
	case p.badData != nil:
		return fail(p.badData)
	case p.single != nil:
		if err := call.checkSubject(p.single.Raw()); err != nil {
			return fail(err)
		}
		return p.emit(p.single)
	}
	if page > 1 && env.page > 0 && env.page != page {
		return fail(&repeatedPageError{fmt.Sprintf("requested page %d and got page %d", page, env.page)})
	}
	if env.badTotalPages != "" {
		return fail(fmt.Errorf("invalid pagination: totalPages is %s", snippet(p.c.secrets(call).Text(env.badTotalPages))))
	}
	if env.totalPages > p.pages || env.totalPages > 0 && page == 1 {
		p.pages = max(env.totalPages, page)
	}
	if p.pages > maxPages {
		return fail(fmt.Errorf("the list has more than %d pages", maxPages))
	}
	if p.emitted == 0 && page < p.pages {
		return fail(fmt.Errorf("page %d of %d is empty", page, p.pages))
	}
	p.records += int64(p.emitted)
	if env.totalRecords > 0 && !p.isReport() { // which count something else
		if env.totalRecords < p.total {
			return fail(fmt.Errorf("the list has changed while its pages were read: totalRecords was %d, and is %d on page %d", p.total, env.totalRecords, page))
		}
		p.total = env.totalRecords
	}
	if page == p.pages && p.records < p.total {
		return fail(fmt.Errorf("the list has %s, but totalRecords is %d", phrase.Count(int(p.records), "record", "records"), p.total))
	}
	return nil
}

type repeatedPageError struct{ what string }

func (e *repeatedPageError) Error() string { return e.what }

// data reads the data of a page, which is next in r, and emits its records. Data that is one object is stored in p.single instead.
func (p *pager) data(r *record.Reader, page int64) error {
	c, err := r.Peek()
	if err != nil {
		return record.UnexpectedEOF(err)
	}
	var rec record.Record
	switch {
	case c == '{' && p.call.Op.Data == schema.ShapeAny:
		err := r.Record(&rec)
		only := rec.Clone() // reading the rest of the envelope overwrites the buffer of r
		p.single = &only
		if rec.Len() == 0 {
			p.single = nil // an empty object means that there are no records
		}
		return err
	case c != '[':
		v, err := r.Value()
		if isNone := v.Kind() == record.Null && p.call.Op.Data == schema.ShapeAny; err == nil && !isNone {
			// If the service refused the call, its data is no array either. That is
			// known only when the rest of the envelope was read.
			p.badData = fmt.Errorf("data is %s, not an array", v.Kind())
		}
		return err
	}
	var hash uint64
	err = r.Array(func() error {
		if err := r.Record(&rec); err != nil {
			return err
		}
		raw := rec.Raw()
		hash = maphash.Bytes(p.seed, raw)
		switch p.emitted++; {
		case page > 1 && p.before[hash]:
			return &repeatedPageError{fmt.Sprintf("page %d repeats a record of the pages before it", page)}
		case page == 1 && p.emitted == 1:
			p.first = hash
		}
		if p.emitted <= maxCompared && !p.isReport() {
			p.present = append(p.present, hash)
		}
		if len(p.call.PathParams) > 0 { // most lists are of no campaign
			if err := p.call.checkSubject(raw); err != nil {
				return err
			}
		}
		return p.emit(&rec)
	})
	if err == nil && p.emitted > 0 {
		p.present = append(p.present, hash)
	}
	return err
}

func (p *pager) isReport() bool { return p.call.Op.Data == schema.ShapeAny }

// errStopped ends the reading of a page when the caller stops the iteration.
var errStopped = errors.New("the iteration was stopped")

// emit hides the secrets in a record and hands it to the caller of List. It returns errStopped if the caller
// wants no more records.
func (p *pager) emit(rec *record.Record) error {
	p.stream.Progress()
	if err := p.filter.Record(rec); err != nil {
		return err
	}
	if !p.yield(*rec, nil) {
		p.stopped = true
		return errStopped
	}
	return nil
}
