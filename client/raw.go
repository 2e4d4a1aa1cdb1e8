package client

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"

	"reseller/client/record"
	"reseller/client/transport"
)

// Raw sends a call and copies the response to w byte for byte as it arrives, whatever its size and content. It returns
// the header of the response, nil if there was no response. A response that can't be read is requested again if w has nothing of it.
//
// The errors are those of List and Do, except that the response may be any JSON: if it
// has no envelope, the HTTP status alone decides whether the call failed. If items of the
// data have a status_code of 400 or more, the error is an *Error with these Items.
func (c *Client) Raw(ctx context.Context, call Call, w io.Writer) (header http.Header, err error) {
	stream := &transport.Stream{}
	ctx, cancel := context.WithCancel(call.context(ctx, stream))
	defer cancel()
	for again := true; again; {
		header, again, err = c.rawAttempt(ctx, call, stream, &copyWriter{w: w})
	}
	return header, err
}

func (c *Client) rawAttempt(ctx context.Context, call Call, stream *transport.Stream, out *copyWriter) (header http.Header, again bool, err error) {
	resp, err := c.do(ctx, call)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = resp.Body.Close() }()
	body := io.TeeReader(resp.Body, out)
	r := record.NewReader(body, MaxRecord)
	found := &failedItems{ofWrite: call.Op.Writes()}
	env, err := readAny(r, stream, found, call.Op.Method == http.MethodHead || resp.StatusCode == http.StatusNoContent)
	if err != nil && out.copied == 0 && c.retries(ctx, call, resp, env, err) {
		return nil, true, nil
	}
	start := r.Rest()
	if err != nil && out.err == nil {
		_, _ = io.Copy(io.Discard, body) // so that w receives the rest of the response
	}
	if err := cmp.Or(out.err, c.checkResponse(ctx, call, resp, env, err, start)); err != nil {
		return resp.Header, false, err
	}
	secrets := c.secrets(call)
	for i := range found.items[:min(len(found.items), maxMessages)] {
		message := &found.items[i].StatusMessage
		*message = String(secrets.Messages([]string{string(*message)})[0])
	}
	return resp.Header, false, found.refusal(call, resp.StatusCode, nil)
}

// failedItems collects the items of a response that have a status_code of 400 or more, or, in that of a write, a status
// which says that it failed, although the HTTP status of the response is a success.
type failedItems struct {
	ofWrite bool
	items   []ItemError // only the first maxMessages have their message
	count   int         // the number of all items
}

func (f *failedItems) add(item record.Value) {
	f.count++
	if !f.ofWrite && !bytes.Contains(item, []byte(`"status_code"`)) { // most lists have none, and need not be parsed
		return
	}
	code, _ := item.Get("status_code").Int64()
	failed := ItemError{StatusCode: Integer(code)}
	if f.ofWrite {
		failed.Status = String(item.Get("status").Text())
		if item.Kind() == record.String { // data that is a text
			failed.Status = String(item.Text())
		}
	}
	if code < http.StatusBadRequest && !saysFailed(string(failed.Status)) {
		return
	}
	rankID, _ := item.Get("rank_id").Int64()
	failed.RankID = Integer(rankID)
	if len(f.items) < maxMessages {
		failed.Keyword, failed.StatusMessage = String(item.Get("keyword").Text()), String(item.Get("status_message").Text())
		failed.StatusMessage = String(failed.message())
	}
	f.items = append(f.items, failed)
}

func (f *failedItems) refusal(call Call, status int, messages []string) error {
	if f.items == nil {
		return nil
	}
	return &Error{Operation: call.Op.Name(), Action: call.Action(), HTTPStatus: status, Envelope: true, Messages: messages, Items: f.items, ItemCount: f.count}
}

// A copyWriter counts what it writes to w, and remembers the error of w, so that it can be distinguished from one of reading the
// response.
type copyWriter struct {
	w      io.Writer
	copied int
	err    error
}

func (c *copyWriter) Write(p []byte) (n int, err error) {
	n, c.err = c.w.Write(p)
	c.copied += n
	return n, c.err
}

// errEmpty is the error of a response without a body.
var errEmpty = errors.New("it is empty")

// readAny reads one JSON value from r and returns its envelope, which is empty if the value has none. Arrays are read
// element by element, so they may have any length and take any time. The items of the data are added to found.
func readAny(r *record.Reader, stream *transport.Stream, found *failedItems, mayBeEmpty bool) (*envelope, error) {
	env := &envelope{}
	first, err := r.Peek()
	switch {
	case err == io.EOF && mayBeEmpty:
		return env, nil
	case err == io.EOF:
		return env, errEmpty
	case err != nil:
		return env, err
	case first == '{':
		return readEnvelope(r, func() error { return skipValue(r, stream, found.add) })
	}
	if err := skipValue(r, stream, func(record.Value) {}); err != nil {
		return env, err
	}
	return env, r.End()
}

// skipValue reads one value, which may be an array with elements, and passes it or each of the elements to visit.
func skipValue(r *record.Reader, stream *transport.Stream, visit func(record.Value)) error {
	c, err := r.Peek()
	if err != nil {
		return record.UnexpectedEOF(err)
	}
	if c != '[' {
		v, err := r.Value()
		if err == nil {
			visit(v)
		}
		return err
	}
	return r.Array(func() error {
		v, err := r.Value()
		if err == nil {
			visit(v)
			stream.Progress()
		}
		return err
	})
}
