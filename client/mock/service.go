package mock

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"reseller/client/mock/api"
	"reseller/client/mock/database"
	"reseller/client/mock/fault"
)

// Options configure a Service. Only Path is needed.
type Options struct {
	// Path is the path of the database file, which is created with the permissions 0600.
	// Folders that do not exist are created with 0700.
	Path string
	// Latency is how long each request takes at least. Other requests are carried out meanwhile.
	Latency time.Duration
	// RateLimit is the number of requests a second that this Service accepts. Further requests get the status 429. 0 is no limit.
	RateLimit float64
	// Faults returns the fault of each request; see fault.NewSchedule. One goroutine at a
	// time calls it, and never for a request that RateLimit refuses.
	Faults fault.Schedule
	// Now is the service's clock; nil means time.Now.
	Now func() time.Time
	// OpenAPI is the response to GET /openapi.yaml. If it is empty, this path does not exist.
	OpenAPI []byte
}

// Service is an [http.Handler] that answers the whole interface.
type Service struct {
	db      *database.File
	routes  []route
	faults  *fault.Middleware
	handler http.Handler // handle, wrapped by faults
	now     func() time.Time
	latency time.Duration
}

// Open opens the database at o.Path, or creates it if it does not exist. The file does not stay open: each request opens and
// closes it.
func Open(o Options) (*Service, error) {
	if o.Path == "" {
		return nil, errors.New("no path for the mock database")
	}
	if o.Latency < 0 || o.RateLimit < 0 {
		return nil, errors.New("negative latency or rate limit")
	}
	s := newService(o)
	if o.Faults != nil {
		s.db.OnCommit = s.recordNewestIDs
	}
	if err := s.db.View(context.Background(), s.recordNewestIDs); err != nil {
		return nil, err
	}
	return s, nil
}

func newService(o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Service{
		db: openDatabase(o.Path), routes: routes(o.OpenAPI), now: o.Now, latency: o.Latency,
		faults: fault.New(o.Latency, o.RateLimit, o.Faults, o.Now),
	}
	s.handler = s.faults.Handler(s.handle)
	return s
}

// openDatabase returns the database at a path. If there is no file, the first transaction creates it with the records of seed.
func openDatabase(path string) *database.File { return database.New(path, seed) }

// Reset replaces the database at path, which may be damaged, by a new one. It waits until no request uses the database. A file
// that is not a database of the mock stays as it is, and Reset returns an error.
func Reset(path string) error { return openDatabase(path).Reset() }

// Wait returns when every deferred request has been carried out.
func (s *Service) Wait() { s.faults.Wait() }

// Token returns a new token of reseller 1 or 2.
func (s *Service) Token(reseller int) (string, error) {
	token, _, err := issueToken(int64(reseller), s.now())
	return token, err
}

// ServeHTTP answers one request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// handle carries out a request, completely or not at all, and returns the response. It is the service without faults.
func (s *Service) handle(ctx context.Context, q api.Request) api.Response {
	if q.BodyErr != nil {
		return api.Refusal(q.BodyErr)
	}
	rt, vars, refusal := findRoute(s.routes, q.Method, q.Path)
	if refusal != nil {
		return *refusal
	}
	c := &call{ctx: ctx, db: s.db, now: s.now, body: api.ReadBody(q.Body)}
	if !rt.public {
		var err error
		if c.reseller, err = verifyToken(q.Authorization, s.now()); err != nil {
			return api.Refusal(api.AsError(err))
		}
	}
	c.query, _ = url.ParseQuery(q.Query) // parameters that can't be read count as absent
	if err := c.readPath(vars); err != nil {
		return rt.refuse(api.AsError(err))
	}
	response, err := rt.handle(c)
	if err != nil {
		return rt.refuse(api.AsError(err))
	}
	return response
}

// recordNewestIDs gives the middleware the newest id of each kind of record, so that the middleware can send stale lists later.
func (s *Service) recordNewestIDs(tx *database.Tx) error {
	s.faults.RecordNewestIDs(fault.NewestIDs{
		"rank_id": keywordTable.LastID(tx), "account_id": accountTable.LastID(tx), "campaign_id": campaignTable.LastID(tx),
	})
	return nil
}
