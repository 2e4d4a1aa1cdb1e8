// Package mock is the reseller service itself on an embedded database: an
// [http.Handler] for tests, trials and CI that keeps the interface document's
// rules. It shares no code with the client, so that a mistake of the client
// shows instead of being made twice.
package mock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	bolt "go.etcd.io/bbolt"

	"reseller/client/mock/fault"
)

// bodyLimit is the most that one request may carry.
const bodyLimit = 32 << 20

// Options configure a Service. Only Path is needed.
type Options struct {
	// Path is the database file. Its folders are made (0700), the file is 0600.
	Path string
	// Latency delays every answer; it never holds up other requests.
	Latency time.Duration
	// FailRate is the share of calls, 0 to 1, that are answered with 500, 502 or
	// 503: some before the call is carried out, some after, some as HTML.
	FailRate float64
	// RateLimit is the number of requests a second; more are answered with 429.
	// It counts the requests of this Service alone.
	RateLimit float64
	// Seed decides which calls fail, and how.
	Seed int64
	// Faults decides for each request what goes wrong with it, in the place of
	// FailRate. It is called by one goroutine at a time, and not for requests
	// above the RateLimit.
	Faults fault.Schedule
	// Now is the service's clock; nil means time.Now.
	Now func() time.Time
	// OpenAPI is served at GET /openapi.yaml unless it is empty.
	OpenAPI []byte
}

// Service answers the whole interface. Many Services, in one process or in
// several, may share one database file.
type Service struct {
	store  *store
	routes []route
	faults *faults
	now    func() time.Time
}

var _ http.Handler = (*Service)(nil)

// New opens the database of o.Path and fills it with the seed data when it is new.
// The file is not held open: each request opens it for itself.
func New(o Options) (*Service, error) {
	if o.Path == "" {
		return nil, errors.New("no path for the mock database")
	}
	if o.FailRate < 0 || o.FailRate > 1 {
		return nil, fmt.Errorf("fail rate %v is not between 0 and 1", o.FailRate)
	}
	if o.Latency < 0 || o.RateLimit < 0 {
		return nil, errors.New("negative latency or rate limit")
	}
	if o.FailRate > 0 && o.Faults != nil {
		return nil, errors.New("a fail rate and a hook for faults")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Service{store: newStore(o.Path), routes: routes(o.OpenAPI), faults: newFaults(o), now: o.Now}
	look := func(*bolt.Tx) error { return nil }
	if o.Faults != nil {
		look = func(tx *bolt.Tx) error { s.faults.history.note(tx, s.now()); return nil }
		s.store.ending = look
	}
	if err := s.store.view(context.Background(), look); err != nil {
		return nil, err
	}
	return s, nil
}

// Wait returns when all that was to be carried out late is done.
func (s *Service) Wait() { s.faults.wait() }

// request is what the service needs of an HTTP request, read whole, so that it
// can be carried out at any time after the connection is gone.
type request struct {
	method, path, query, authorization string
	body                               []byte
	unread                             *failure // why the body could not be read
}

// ServeHTTP answers one request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := request{method: r.Method, path: r.URL.EscapedPath(), query: r.URL.RawQuery, authorization: r.Header.Get("Authorization")}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyLimit))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		q.unread = &failure{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d bytes", bodyLimit)}
	case err != nil:
		q.unread = &failure{http.StatusBadRequest, "the body was cut short"}
	}
	q.body = body
	s.faults.around(r.Context(), q, s.handle).write(w)
}

// call is a request that found its operation and passed the token check.
type call struct {
	ctx      context.Context
	reseller int64
	vars     map[string]string
	query    url.Values
	body     []byte
}

// id reads an integer of the path.
func (c *call) id(name string) (int64, error) {
	n, err := strconv.ParseInt(c.vars[name], 10, 64)
	if err != nil {
		return 0, &failure{http.StatusBadRequest, name + " must be an integer"}
	}
	return n, nil
}

// handle is the well-behaved service: it carries one request out, whole or not at
// all, and returns its answer. Whatever goes wrong on purpose is put around it.
func (s *Service) handle(ctx context.Context, q request) answer {
	if q.unread != nil {
		return refusal(q.unread)
	}
	rt, vars, bad := find(s.routes, q)
	if bad != nil {
		return *bad
	}
	c := &call{ctx: ctx, vars: vars, body: q.body}
	if !rt.open {
		var err error
		if c.reseller, err = verify(q.authorization, s.now()); err != nil {
			return refusal(asFailure(err))
		}
	}
	c.query, _ = url.ParseQuery(q.query) // what can't be read counts as not given
	a, err := rt.handle(s, c)
	if err != nil {
		return rt.refuse(asFailure(err))
	}
	return a
}
