package fault_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"reseller/client/mock"
	"reseller/client/mock/fault"
)

const (
	keywordsPath  = "/api/v1/keywords"
	campaignsPath = "/api/v1/campaigns"
	accountsPath  = "/api/v2/accounts"
)

const accountBody = `{"account_name":"N","phone":"1","email":"a@example.com","first_name":"A","last_name":"B","address_1":"C","address_2":"",
	"city":"D","state":"E","postal":"1","country_code":"DE","website_url":"https://new.example.com","external_account_identifier":"X-2"}`

// batchBody is the body of a request that stores keywords.
func batchBody(keywords ...string) string {
	var items []string
	for _, keyword := range keywords {
		items = append(items, fmt.Sprintf(`{"keyword":%q,"keyword_type":"target"}`, keyword))
	}
	return `{"account_id":1,"campaign_id":101,"keywords":[` + strings.Join(items, ",") + `]}`
}

// clock is a time that tests set forward.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func newClock() *clock { return &clock{time.Date(2026, 11, 21, 10, 30, 0, 0, time.UTC)} }

// server is a mock service on a real connection.
type server struct {
	t         *testing.T
	path      string // of its database
	faulty    *mock.Service
	faultless *mock.Service // on the same database
	url       string
	token     string

	mu     sync.Mutex
	script []fault.Fault // for one request after another; no faults for the rest
}

// serve starts a service. Unless the options say otherwise, its faults are those of inject.
func serve(t *testing.T, o mock.Options) *server {
	t.Helper()
	s := &server{t: t, path: filepath.Join(t.TempDir(), "mock.db")}
	if o.Path != "" {
		s.path = o.Path
	}
	o.Path = s.path
	var err error
	if s.faultless, err = mock.Open(mock.Options{Path: o.Path, Now: o.Now}); err != nil {
		t.Fatal(err)
	}
	if o.Faults == nil {
		o.Faults = s.next
	}
	if s.faulty, err = mock.Open(o); err != nil {
		t.Fatal(err)
	}
	s.newToken()
	listener := httptest.NewServer(s.faulty)
	t.Cleanup(func() { listener.Close(); s.faulty.Wait() })
	s.url = listener.URL
	return s
}

func (s *server) newToken() {
	s.t.Helper()
	var err error
	if s.token, err = s.faultless.Token(1); err != nil {
		s.t.Fatal(err)
	}
}

// inject sets the faults of the next requests.
func (s *server) inject(faults ...fault.Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = faults
}

func (s *server) next(int, string, string) (f fault.Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.script) > 0 {
		f, s.script = s.script[0], s.script[1:]
	}
	return f
}

// received is what a client received of a response.
type received struct {
	status int
	header http.Header
	body   string
	err    error
}

// total is the number of records of a list, or -1 if the response is not a sound list.
func (r received) total() int {
	var list struct {
		Data       []json.RawMessage
		Pagination struct{ TotalRecords int }
	}
	if r.err != nil || json.Unmarshal([]byte(r.body), &list) != nil || list.Pagination.TotalRecords != len(list.Data) {
		return -1
	}
	return len(list.Data)
}

// send sends a request over the connection.
func (s *server) send(method, path, body string) received {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return received{err: err}
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	return received{resp.StatusCode, resp.Header, string(text), err}
}

// sendWith sends a request with a fault.
func (s *server) sendWith(f fault.Fault, method, path, body string) received {
	s.t.Helper()
	s.inject(f)
	return s.send(method, path, body)
}

// mustSend sends a request that must succeed.
func (s *server) mustSend(method, path, body string) received {
	s.t.Helper()
	r := s.send(method, path, body)
	if r.err != nil || r.status != http.StatusOK {
		s.t.Fatalf("%s %s: got %d %s %v, want 200", method, path, r.status, r.body, r.err)
	}
	return r
}

// stored returns the keywords that begin with x, as the faultless service lists them.
func (s *server) stored() []string {
	s.t.Helper()
	r := httptest.NewRequest(http.MethodGet, keywordsPath, nil)
	token, err := s.faultless.Token(1)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	s.faultless.ServeHTTP(w, r)
	var list struct {
		Data []struct{ Keyword string }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil {
		s.t.Fatalf("%v in %s", err, w.Body)
	}
	var keywords []string
	for _, k := range list.Data {
		if strings.HasPrefix(strings.ToLower(k.Keyword), "x") {
			keywords = append(keywords, k.Keyword)
		}
	}
	return keywords
}
