package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-resty/resty/v2"

	"reseller/client/record"
	"reseller/client/redact"
	"reseller/client/schema"
	"reseller/client/transport"
)

// A TokenSource gives the JWT of every call.
type TokenSource = transport.TokenSource

// StaticToken is a TokenSource that has one token and can't renew it.
type StaticToken string

// Token returns the token.
func (t StaticToken) Token(context.Context) (string, error) { return string(t), nil }

// Renew returns the same token: the refusal of the service stands.
func (t StaticToken) Renew(context.Context, string) (string, error) { return string(t), nil }

// Options set a Client up.
type Options struct {
	BaseURL     string            // scheme, host, port and, if there is one, the path before /api
	Tokens      TokenSource       // where the token of each call comes from; the login needs none
	Timeout     time.Duration     // of each request; for lists, of each wait for bytes; 0 for none
	Retries     int               // of each call: reads are retried, and writes that were surely not carried out
	Rate        float64           // requests a second, 0 for no limit
	Concurrency int               // idle connections to keep, 8 where it is 0
	AllowHTTP   bool              // plain http is allowed to more than this machine
	UserAgent   string            // header of that name
	Debug       io.Writer         // where set, the exchange is logged there, without secrets
	Notify      func(text string) // where set, it is called with what a person may wonder about, such as a long wait
	Transport   http.RoundTripper // sends the requests; where nil, the network
}

// A Client calls one service. It is safe for concurrent use.
type Client struct {
	base   string
	resty  *resty.Client
	header http.Header // of requests that do not go through resty
	chain  *transport.Chain
}

// New returns a client. It connects to nothing. A base URL without a host is a
// *GuardError.
func New(o Options) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(o.BaseURL, "/"))
	if err != nil || base.Host == "" {
		return nil, &GuardError{URL: o.BaseURL, Reason: "not the address of a service"}
	}
	chain := transport.New(transport.Options{
		Base: base, Tokens: o.Tokens, Timeout: o.Timeout, Retries: o.Retries, Rate: o.Rate, Concurrency: o.Concurrency,
		AllowHTTP: o.AllowHTTP, Debug: o.Debug, Notify: o.Notify, Network: o.Transport,
	})
	r := resty.NewWithClient(&http.Client{Transport: chain, CheckRedirect: transport.CheckRedirect}).SetLogger(discardLogger{})
	header := http.Header{"Accept": {jsonType}, "Content-Type": {jsonType}}
	if o.UserAgent != "" {
		r.SetHeader("User-Agent", o.UserAgent)
		header.Set("User-Agent", o.UserAgent)
	}
	return &Client{base: base.String(), resty: r, header: header, chain: chain}, nil
}

// Close closes idle connections.
func (c *Client) Close() { c.chain.Close() }

// Count returns how many requests were sent, and how many of them were retries.
func (c *Client) Count() (requests, retries int) { return c.chain.Counts() }

// URL returns the address that a call goes to.
func (c *Client) URL(call Call) string { return c.base + call.Target() }

// discardLogger keeps resty from writing to the process's stderr.
type discardLogger struct{}

func (discardLogger) Errorf(string, ...any) {}
func (discardLogger) Warnf(string, ...any)  {}
func (discardLogger) Debugf(string, ...any) {}

const jsonType = "application/json"

// do sends the request and returns the answer with its body still open.
func (c *Client) do(ctx context.Context, call Call) (*http.Response, error) {
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

// doDirect is do without resty, for the writes of bulk jobs: they are many, and
// resty, which adds nothing to them, takes a fifth of the time of a call.
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

// sendError returns the error inside those of net/http and resty, with the name of
// the call and without secrets.
func (c *Client) sendError(ctx context.Context, call Call, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	var source *TokenSourceError
	if errors.As(err, &source) {
		return source
	}
	var network *NetworkError
	if errors.As(err, &network) {
		network.Operation, network.Action, network.Err = call.Op.Name(), call.Action(), c.secrets(call).Error(network.Err)
		return network
	}
	var redirect *RedirectError
	if errors.As(err, &redirect) {
		redirect.Operation, redirect.Action = call.Op.Name(), call.Action()
		redirect.To = c.secrets(call).Location(redirect.To)
		return redirect
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) && strings.Contains(wrapped.Err.Error(), "Location header") {
		return errors.New("a redirect to an invalid address") // which net/http quotes
	}
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// Do sends a call and reads its answer whole, up to 32 MB (MaxRecord). Where the
// service refused the call, the answer is returned beside the *Error. An answer
// without data has an empty object for a write and is an *UnreadableError for a
// read.
func (c *Client) Do(ctx context.Context, call Call) (*Answer, error) {
	ctx = call.context(ctx, false)
	resp, err := c.do(ctx, call)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	raw, readErr := transport.ReadAll(resp)
	answer := &Answer{HTTPStatus: resp.StatusCode, Raw: raw}
	if call.CopyTo != nil {
		if _, err := call.CopyTo.Write(answer.Raw); err != nil {
			return answer, err
		}
	}
	if readErr == nil && len(raw) > MaxRecord {
		readErr = record.ErrTooLarge
	}
	var env *envelope
	if readErr == nil {
		r := record.ReaderOf(raw)
		env, readErr = readEnvelope(r, func() (err error) {
			answer.Data, err = r.Value()
			return err
		})
		answer.Messages, answer.TokenExp = env.messages, env.tokenExp
	}
	if err := c.checkResponse(ctx, call, resp, env, readErr, answer.Raw); err != nil {
		return answer, err
	}
	// An estimate is a POST, but it must have data like a read.
	if !env.hasData && (!call.Op.Writes() || !env.known) || call.Op == &schema.OpEstimate && answer.Data.Kind() != record.Object && !nonEmpty(answer.Data) {
		return answer, call.unreadable(resp.StatusCode, errNoData)
	}
	if !env.hasData {
		answer.Data = record.Value("{}")
	}
	return answer, nil
}

// nonEmpty reports whether data is an object or an array that is not empty.
func nonEmpty(data record.Value) bool {
	for range data.Elements() {
		return true
	}
	for range data.Members() {
		return true
	}
	return false
}

// checkResponse returns the error of a call that failed by its HTTP status, or by
// error, error_code or status_code in the envelope, or whose answer can't be read.
// A refusal by HTTP status is one even where the body can't be read.
func (c *Client) checkResponse(ctx context.Context, call Call, resp *http.Response, env *envelope, readErr error, start []byte) error {
	status := resp.StatusCode
	if readErr != nil && context.Cause(ctx) != nil {
		return context.Cause(ctx)
	}
	if status < 300 && readErr == nil && !env.refused() {
		return nil
	}
	secrets := c.secrets(call)
	if call.Op.Public { // the answer may repeat the token outside the data
		answer, _ := record.ParseValue(start)
		secrets = append(secrets, redact.TokenCandidates(answer.Get("data"))...)
	}
	if status >= 400 || readErr == nil && env.refused() {
		wait, asked := transport.RetryAfter(resp)
		e := &Error{Operation: call.Op.Name(), Action: call.Action(), HTTPStatus: status, RetryAfter: asked, Wait: wait}
		if env != nil && readErr == nil {
			e.Messages, e.BodyStatus = secrets.Messages(env.messages), env.status
			if env.code != "" {
				e.Code = secrets.Messages([]string{env.code})[0]
			}
		}
		return e
	}
	if status >= 300 {
		e := transport.NotFollowed(resp, call.Op.Method, c.URL(call))
		e.Operation, e.Action, e.To = call.Op.Name(), call.Action(), secrets.Location(e.To)
		return e
	}
	var network *NetworkError
	if errors.As(readErr, &network) {
		network.Operation, network.Action, network.Err = call.Op.Name(), call.Action(), secrets.Error(network.Err)
		return network
	}
	if call.Op.Public { // the text may begin with a token
		start = nil
	}
	beginning := secrets.Text(redact.Text(string(start[:min(len(start), 4096)])))
	return &UnreadableError{call.Op.Name(), call.Action(), status, snippet(beginning), secrets.Error(readErr)}
}

// secrets returns the tokens so far and the password in the body of the call.
func (c *Client) secrets(call Call) redact.Secrets {
	return append(c.chain.Secrets(), record.Value(call.Body).Get("password").Text())
}

// snippet returns the beginning of an unreadable answer.
func snippet(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	return strings.ToValidUTF8(text, "\ufffd")
}
