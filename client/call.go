package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/transport"
)

// A Pace is a rate of calls. It adapts to what the service allows.
type Pace = transport.Pace

// NewPace returns a Pace of at most perSecond calls per second; 0 is no limit.
func NewPace(perSecond float64) *Pace { return transport.NewPace(perSecond) }

// A Call is an operation with its parameters and body. Only Op is required.
type Call struct {
	Op         *schema.Operation
	PathParams map[string]string // values of the parameters in the operation's path, by name
	Query      url.Values
	Body       json.RawMessage
	Subject    []string  // ids of the records that the body changes, for errors
	CopyTo     io.Writer // receives the bytes of the response as they arrive; may be nil

	// OnSend, if it is not nil, runs just before each attempt is sent. An error of OnSend aborts the call. With OnSend set,
	// the end of the context ends only the waits before an attempt: once an attempt is sent, it runs to its end.
	OnSend func() error
	// Pace, if it is not nil, limits the rate of attempts in addition to Options.Rate. A
	// 429 then lowers this Pace, and not that of all calls.
	Pace *Pace

	err error // why the call is not sent
}

var errZero = errors.New("the client, the call or the report is a zero value; nothing was sent")

// op returns the operation of the call, an empty one if it has none.
func (c Call) op() *schema.Operation { return cmp.Or(c.Op, &schema.Operation{}) }

// WithParam returns a copy of the call with a value for a parameter of the path.
func (c Call) WithParam(name, value string) Call {
	params := map[string]string{}
	maps.Copy(params, c.PathParams)
	params[name] = value
	c.PathParams = params
	return c
}

// Told returns the ids of what is new that the response to a create tells, such as "account_id 7", and the names of the
// ids that the response should have by its document and rec lacks.
func (c Call) Told(rec record.Record) (ids, untold []string) {
	op := c.op()
	if op.Method != http.MethodPost || op.Response == nil {
		return nil, nil
	}
	for _, f := range op.Response.Having(schema.Read) {
		v := rec.Get(f.Name)
		id, isNumber := v.Int64()
		switch {
		case !strings.HasSuffix(f.Name, "_id") || record.Value(c.Body).Get(f.Name) != nil:
		case v.Text() == "" || isNumber && id <= 0:
			untold = append(untold, f.Name)
		default:
			if isNumber {
				v = record.Integer(id)
			}
			ids = append(ids, f.Name+" "+v.Text())
		}
	}
	return ids, untold
}

// Target returns the path and the query of the call, which follow the base URL.
func (c Call) Target() string {
	path := c.op().Path
	for name, value := range c.PathParams {
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
	}
	if len(c.Query) > 0 {
		path += "?" + c.Query.Encode()
	}
	return path
}

// Action returns what the call does, such as "get account 7". Errors begin with it.
func (c Call) Action() string {
	account, campaign := c.PathParams["account_id"], c.PathParams["campaign_id"]
	if campaign == "" {
		ids := append([]string{account, c.PathParams["rank_id"]}, c.Query["campaign_id"]...)
		return strings.TrimSpace(c.op().Title + " " + phrase.List(append(ids, c.Subject...)...))
	}
	what := c.op().Title + " for campaign " + campaign + " of account " + account
	if from := c.PathParams["date_from"]; from != "" {
		what += " from " + from + " to " + c.PathParams["date_to"]
	}
	return what
}

// unreadable returns the error of a response to the call that can't be read because of err.
func (c Call) unreadable(status int, err error) *UnreadableError {
	return &UnreadableError{Operation: c.op().Name(), Action: c.Action(), HTTPStatus: status, Err: err}
}

// context returns ctx with the call's options for package transport. If stream is not nil, the response is read as it arrives.
func (c Call) context(ctx context.Context, stream *transport.Stream) context.Context {
	o := transport.CallOptions{Public: c.op().Public, Stream: stream, OnSend: c.OnSend, Pace: c.Pace}
	return transport.WithCallOptions(ctx, o)
}

// WithID is WithParam for an id.
func (c Call) WithID(name string, id int64) Call { return c.WithParam(name, strconv.FormatInt(id, 10)) }
