package client

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-resty/resty/v2"

	"reseller/client/record"
	"reseller/client/redact"
	"reseller/client/schema"
	"reseller/client/transport"
)

// A TokenSource supplies the JWT of every call. See [transport.TokenSource] for its methods.
type TokenSource = transport.TokenSource

// A StaticToken is a TokenSource with one token, which it can't renew.
type StaticToken string

// Token returns the token.
func (t StaticToken) Token(context.Context) (string, error) { return string(t), nil }

// Renew returns the same token, so that a call that the service refused with 401 fails with that error.
func (t StaticToken) Renew(context.Context, string) (string, error) { return string(t), nil }

// Options configure a Client. Only BaseURL is required. See [transport.Options] for the fields.
type Options = transport.Options

// A Client calls one service. It is safe for concurrent use.
type Client struct {
	base   string
	resty  *resty.Client
	header http.Header // the header of requests that are sent without resty
	chain  *transport.Chain
	IsLate record.LateFunc // record.NeverLate, unless it is set
	// MayLack reports whether lists may lack accounts or keywords, since this machine has just created some. If it is nil, they never do.
	MayLack func(what string) bool
}

// New returns a client without connecting to the service. If no call can go to o.BaseURL, the error is a *GuardError: it needs a
// host, and https unless the host is this machine or o.AllowHTTP is set.
func New(o Options) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(o.BaseURL, "/"))
	if err != nil || base.Host == "" {
		return nil, &GuardError{URL: cmp.Or(o.BaseURL, `""`), Reason: "not the address of a service"}
	}
	if err := transport.CheckAddress(base, o.AllowHTTP); err != nil {
		return nil, err
	}
	chain := transport.New(base, o)
	r := resty.NewWithClient(&http.Client{Transport: chain, CheckRedirect: transport.CheckRedirect}).SetLogger(discardLogger{})
	header := http.Header{"Accept": {jsonType}, "Content-Type": {jsonType}}
	if o.UserAgent != "" {
		r.SetHeader("User-Agent", o.UserAgent)
		header.Set("User-Agent", o.UserAgent)
	}
	return &Client{base: base.String(), resty: r, header: header, chain: chain, IsLate: record.NeverLate}, nil
}

// sender returns the chain of the client. That of a zero value sends nothing.
func (c *Client) sender() *transport.Chain {
	if c.chain == nil {
		return transport.New(&url.URL{}, Options{})
	}
	return c.chain
}

// Close closes idle connections.
func (c *Client) Close() { c.sender().Close() }

// Count returns how many requests were sent, and how many of them were retries.
func (c *Client) Count() (requests, retries int) { return c.sender().Counts() }

// Throttled returns the number of requests per second that the service was found to
// allow, and whether it has refused any with 429.
func (c *Client) Throttled() (perSecond float64, throttled bool) { return c.sender().Throttled() }

// URL returns the URL to which a call is sent.
func (c *Client) URL(call Call) string { return c.base + call.Target() }

// discardLogger keeps resty from writing to the process's stderr.
type discardLogger struct{}

func (discardLogger) Errorf(string, ...any) {}
func (discardLogger) Warnf(string, ...any)  {}
func (discardLogger) Debugf(string, ...any) {}

const jsonType = "application/json"

// do sends a call and returns the response, whose body the caller must close.
func (c *Client) do(ctx context.Context, call Call) (*http.Response, error) {
	if call.err != nil || call.Op == nil || c.chain == nil {
		return nil, cmp.Or(call.err, errZero)
	}
	if call.Body != nil && !call.Op.Public && call.OnSend != nil {
		return c.doDirect(ctx, call)
	}
	req := c.resty.R().SetContext(ctx).SetDoNotParseResponse(true).SetHeader("Accept", jsonType)
	if call.Body != nil {
		req.SetHeader("Content-Type", jsonType).SetBody(bytes.NewReader(call.Body)) // resty copies other bodies twice
	}
	resp, err := req.Execute(call.Op.Method, c.URL(call))
	if err != nil {
		if resp != nil && resp.RawResponse != nil && resp.RawResponse.Body != nil {
			_ = resp.RawResponse.Body.Close()
		}
		return nil, c.sendError(ctx, call, err)
	}
	return resp.RawResponse, nil
}

// doDirect sends a call without resty. The writes of bulk jobs use it: they need
// nothing from resty, which takes a fifth of the time of a call.
func (c *Client) doDirect(ctx context.Context, call Call) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, call.Op.Method, c.URL(call), bytes.NewReader(call.Body))
	if err != nil {
		return nil, err
	}
	req.Header = c.header
	resp, err := c.chain.RoundTrip(req)
	if err != nil {
		return nil, c.sendError(ctx, call, err)
	}
	return resp, nil
}

// sendError unwraps an error of net/http or resty, adds the name of the call to it
// and removes secrets from it. If the context has ended, it returns the cause.
func (c *Client) sendError(ctx context.Context, call Call, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		if network, ok := errors.AsType[*NetworkError](err); ok && network.Sent && call.Op.Writes() {
			return &endedError{cause}
		}
		return cause
	}
	if source, ok := errors.AsType[*TokenSourceError](err); ok {
		return source
	}
	if network, ok := errors.AsType[*NetworkError](err); ok {
		network.Operation, network.Action, network.Err = call.Op.Name(), call.Action(), c.secrets(call).Error(network.Err)
		return network
	}
	wrapped, ok := errors.AsType[*url.Error](err)
	switch {
	case !ok:
		return err
	case strings.Contains(wrapped.Err.Error(), "Location header"):
		return errors.New("a redirect to an invalid address") // the error of net/http quotes the address, which may hold a secret
	}
	return wrapped.Err
}

// Do sends a call and reads its whole response, up to 32 MB (MaxRecord).
//   - If the service refused the call, it returns both the response and an *Error.
//   - So it does if it refused parts of a write, by a status_code of 400 or more: they are the Items of the error.
//   - If the response has no data, that is an empty object after a write, and an *UnreadableError after a read.
//
// Secrets in the data and the messages of the response are hidden (redact.Filter), except
// after a login. Response.Raw and Call.CopyTo have the response as it came.
func (c *Client) Do(ctx context.Context, call Call) (*Response, error) {
	ctx = call.context(ctx, nil)
	response, again, err := c.attempt(ctx, call)
	for again {
		response, again, err = c.attempt(ctx, call)
	}
	if response != nil && call.CopyTo != nil {
		if _, err := call.CopyTo.Write(response.Raw); err != nil {
			return response, err
		}
	}
	return response, err
}

// attempt is Do without another attempt. If again is true, the caller is to make one.
func (c *Client) attempt(ctx context.Context, call Call) (response *Response, again bool, err error) {
	resp, err := c.do(ctx, call)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = resp.Body.Close() }()
	raw, readErr := transport.ReadAll(resp)
	response = &Response{HTTPStatus: resp.StatusCode, Raw: raw}
	if readErr == nil && len(raw) > MaxRecord {
		readErr = record.ErrTooLarge
	}
	env := &envelope{}
	if readErr == nil {
		r := record.ReaderOf(raw)
		env, readErr = readEnvelope(r, func() (err error) {
			response.Data, err = r.Value()
			return err
		})
		response.Messages, response.TokenExp = env.messages, env.tokenExp
		if !call.Op.Public { // the token of a login is in its data
			secrets := c.chain.Secrets()
			if !call.Op.IsBatch() {
				secrets = c.secrets(call)
			}
			filter := redact.NewFilter(secrets)
			response.Data, response.Messages = filter.Value(response.Data), filter.Texts(env.messages)
		}
	}
	if readErr == nil && env.isOfService() && c.waits(ctx, call, resp) || c.retries(ctx, call, resp, env, readErr) {
		return nil, true, nil
	}
	if err := c.checkResponse(ctx, call, resp, env, readErr, response.Raw); err != nil {
		return response, false, err
	}
	// An estimate is requested by POST, but it is a read, so its response must have data.
	if !env.hasData && (!call.Op.Writes() || !env.recognized) || call.Op == &schema.OpEstimate && !response.Data.HasElements() {
		return response, false, call.unreadable(resp.StatusCode, errNoData)
	}
	if !env.hasData {
		response.Data = record.Value("{}")
	}
	if call.Op.Writes() && (call.Op.Response == nil || call.Op.Response.Field("status_code") == nil) {
		found := &failedItems{ofWrite: true}
		for item := range response.Data.Items() {
			found.add(item)
		}
		if err := found.refusal(call, resp.StatusCode, response.Messages); err != nil {
			return response, false, err
		}
	}
	if err := call.checkRecord(response); err != nil {
		return response, false, call.unreadable(resp.StatusCode, err)
	}
	return response, false, nil
}

// retries reports whether a call is to be made once more, after having waited for that: it is a read whose response
// can't be read, and another attempt may succeed. That is so if the response is cut short or is no JSON (err says so),
// and if it is an object without any field of an envelope, which a proxy may have sent. A service that sends other data
// than expected, or too much, would do so again.
func (c *Client) retries(ctx context.Context, call Call, resp *http.Response, env *envelope, err error) bool {
	if call.Op.Writes() || resp.StatusCode >= 300 || errors.Is(err, record.ErrTooLarge) {
		return false
	}
	_, isRepeated := errors.AsType[repeatedFieldError](err)
	if syntax, ok := errors.AsType[*record.SyntaxError](err); ok && syntax.Valid || isRepeated || err == nil && (env.hasData || env.recognized) {
		return false
	}
	return c.chain.Retry(ctx, resp)
}

// waits reports whether a write is to be made once more, after having waited as a 503 of the service itself asks by Retry-After: a
// gateway may give that response while the service works. The transport has made reads again.
func (c *Client) waits(ctx context.Context, call Call, resp *http.Response) bool {
	_, asked := transport.RetryAfter(resp)
	return asked && resp.StatusCode == http.StatusServiceUnavailable && call.Op.Writes() && c.chain.Retry(ctx, resp)
}

// checkResponse returns the error of a call, nil if it succeeded. A call fails by its HTTP status, by error, error_code or
// status_code in the envelope of the response, or because the response can't be read (readErr). An HTTP status of 400 or more is
// an *Error even if the body can't be read. start is the beginning of the unread body.
func (c *Client) checkResponse(ctx context.Context, call Call, resp *http.Response, env *envelope, readErr error, start []byte) error {
	status := resp.StatusCode
	if cause := context.Cause(ctx); readErr != nil && cause != nil && call.Op.Writes() {
		return &endedError{cause}
	} else if readErr != nil && cause != nil {
		return cause
	}
	if status < 300 && readErr == nil && !env.refused() {
		if isWhole(status, call) {
			return nil
		}
		readErr = errPart
	}
	secrets := c.secrets(call)
	if call.Op.Public { // the response to a login may repeat the token outside its data
		response, _ := record.ParseValue(start)
		secrets = append(secrets, redact.TokenCandidates(response.Get("data"))...)
	}
	if status >= 400 || readErr == nil && env.refused() {
		wait, asked := transport.RetryAfter(resp)
		e := &Error{Operation: call.Op.Name(), Action: call.Action(), HTTPStatus: status, RetryAfter: asked, Wait: wait}
		if readErr == nil {
			e.Envelope = env.isOfService()
			e.Messages, e.BodyStatus = env.shownMessages(secrets), env.status
			if env.code != "" {
				e.Code = secrets.Messages([]string{env.code})[0]
			}
		} else if body, err := record.ParseValue(start); err == nil && !call.Op.Public {
			words := &envelope{}
			words.addWords(body, "", maxWordDepth)
			e.Messages = words.shownMessages(secrets)
		}
		return e
	}
	if status >= 300 {
		e := transport.NotFollowed(resp, call.Op.Method, c.URL(call))
		if call.Op.Public { // a login may be redirected to an address with its token
			secrets = append(secrets, e.To)
		}
		e.Operation, e.Action, e.To = call.Op.Name(), call.Action(), secrets.Location(e.To)
		return e
	}
	if network, ok := errors.AsType[*NetworkError](readErr); ok {
		network.Operation, network.Action, network.Err = call.Op.Name(), call.Action(), secrets.Error(network.Err)
		return network
	}
	if call.Op.Public { // the response to a login may begin with a token
		start = nil
	}
	beginning := secrets.Text(redact.Text(string(start[:min(len(start), 4096)])))
	return &UnreadableError{call.Op.Name(), call.Action(), status, snippet(beginning), secrets.Error(readErr)}
}

// isWhole reports whether a response with a status is all that was asked for, and not a part or a promise of it.
func isWhole(status int, call Call) bool {
	return status == http.StatusOK || (status == http.StatusCreated || status == http.StatusNoContent) && call.Op.Writes()
}

// Secrets returns the tokens that were used so far, and the passwords of proxies.
func (c *Client) Secrets() redact.Secrets { return c.sender().Secrets() }

// secrets returns those of Secrets and the secrets in the body of the call.
func (c *Client) secrets(call Call) redact.Secrets {
	return append(c.Secrets(), redact.SecretsIn(call.Body)...)
}

// snippet returns the first 40 bytes of a text, without white space around it.
func snippet(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	return strings.ToValidUTF8(text, "\ufffd")
}
