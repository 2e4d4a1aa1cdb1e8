package mock

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"reseller/client/mock/api"
	"reseller/client/schema"
)

func TestOptions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mock.db")
	for name, o := range map[string]Options{
		"no path":             {},
		"negative latency":    {Path: path, Latency: -1},
		"negative rate limit": {Path: path, RateLimit: -1},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Open(o); err == nil {
				t.Errorf("Open(%+v): got no error", o)
			}
		})
	}
}

func TestRouting(t *testing.T) {
	c := start(t, Options{OpenAPI: []byte("openapi: 3.0.0\n")})
	for _, path := range []string{
		"/", "/api", "/api/v1", "/api/v3/accounts", "/api/v1/accounts/", "/api/v1/accounts/1/x", "//api/v1/accounts", "/api/v2/keywords",
		"/api/v1/campaigns/101", "/api/v1/campaigns/notes",
	} {
		t.Run("GET "+path, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.URL.Path, r.URL.RawPath = path, ""
			w := httptest.NewRecorder()
			c.s.ServeHTTP(w, r)
			if w.Code != 404 {
				t.Errorf("got %d, want 404", w.Code)
			}
		})
	}
	c.refused("GET", "/api/v1/nowhere", "", 404, "")
	for path, allow := range map[string]string{
		"/api/v1/accounts":                                   "GET, POST, PUT",
		"/api/v1/accounts/1":                                 "GET",
		"/api/v1/accounts/status":                            "PUT",
		"/api/v1/accounts/iam/credentials":                   "POST",
		"/api/v1/keywords/budget/estimate":                   "POST",
		"/api/v2/campaigns/notes":                            "GET, PUT",
		"/api/v1/authentication/login":                       "POST",
		"/api/v1/reports/backlinks/accounts/1/campaigns/101": "GET",
		"/openapi.yaml":                                      "GET",
	} {
		t.Run("DELETE "+path, func(t *testing.T) {
			c := c.in(t)
			c.refused("DELETE", path, "", 405, "")
			if got := c.call("DELETE", path, "").recorder.Header().Get("Allow"); got != allow {
				t.Errorf("got Allow %q, want %q", got, allow)
			}
		})
	}
	c.refused("GET", "/api/v1/accounts/status", "", 405, "")
	c.token = ""
	w := c.send("GET", "/openapi.yaml", "")
	if w.Code != 200 || w.Body.String() != "openapi: 3.0.0\n" {
		t.Errorf("openapi.yaml: got %d %s, want the document", w.Code, w.Body)
	}
	if w := start(t, Options{}).send("GET", "/openapi.yaml", ""); w.Code != 404 {
		t.Errorf("openapi.yaml without a document: got %d, want 404", w.Code)
	}
}

func TestBodies(t *testing.T) {
	c := start(t, Options{})
	for _, body := range []string{"", "x", "[]", "null", `"a"`, `{"account_id":1`, `{"account_id":1} x`} {
		for _, o := range [][2]string{
			{"POST", "/api/v1/accounts"}, {"PUT", "/api/v1/accounts"}, {"POST", "/api/v2/accounts"}, {"PUT", "/api/v2/accounts"},
			{"PUT", "/api/v1/accounts/status"}, {"POST", "/api/v1/accounts/iam/credentials"}, {"POST", "/api/v1/keywords"},
			{"PUT", "/api/v1/keywords"}, {"PUT", "/api/v2/campaigns/notes"}, {"POST", "/api/v1/products/plans/campaigns"},
			{"POST", "/api/v1/google/gbp/accounts"},
		} {
			c.refused(o[0], o[1], body, 400, "JSON object")
		}
	}
	c.refused("POST", "/api/v1/keywords", `{"x":"`+strings.Repeat("x", api.MaxBody)+`"}`, 413, "larger")
}

// operations are the methods and paths of all routes that need a token.
func operations() [][2]string {
	var all [][2]string
	for _, r := range routes(nil) {
		if r.public {
			continue
		}
		path := strings.NewReplacer("{account_id}", "1", "{campaign_id}", "101", "{rank_id}", "1001",
			"{date_from}", "2026-01-01", "{date_to}", "2026-01-31").Replace(r.path)
		all = append(all, [2]string{r.method, path})
	}
	return all
}

func TestAuthorization(t *testing.T) {
	at := newClock()
	c := start(t, Options{Now: at.now})
	sign := func(method jwt.SigningMethod, key any, claims jwt.MapClaims) string {
		token, err := jwt.NewWithClaims(method, claims).SignedString(key)
		noError(t, err)
		return "Bearer " + token
	}
	good := jwt.MapClaims{"sub": 1, "exp": at.at.Add(time.Hour).Unix()}
	hs, key := jwt.SigningMethodHS512, []byte(tokenSecret)
	bad := map[string]string{
		"none":          "",
		"scheme":        "Basic " + c.token,
		"no token":      "Bearer ",
		"malformed":     "Bearer abc",
		"tampered":      "Bearer " + c.token[:len(c.token)-6] + "AAAAAA",
		"no exp":        sign(hs, key, jwt.MapClaims{"sub": 1}),
		"exp no number": sign(hs, key, jwt.MapClaims{"sub": 1, "exp": "soon"}),
		"expired":       sign(hs, key, jwt.MapClaims{"sub": 1, "exp": at.at.Unix()}),
		"expired text":  sign(hs, key, jwt.MapClaims{"sub": 1, "exp": "1700000000"}),
		"other secret":  sign(hs, []byte("other"), good),
		"other alg":     sign(jwt.SigningMethodHS256, key, good),
		"alg none":      sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, good),
		"no sub":        sign(hs, key, jwt.MapClaims{"exp": at.at.Add(time.Hour).Unix()}),
		"unknown sub":   sign(hs, key, jwt.MapClaims{"sub": 3, "exp": at.at.Add(time.Hour).Unix()}),
	}
	for name, header := range bad {
		t.Run(name, func(t *testing.T) {
			for _, o := range operations() {
				r := httptest.NewRequest(o[0], o[1], strings.NewReader("{}"))
				r.Header.Set("Authorization", header)
				w := httptest.NewRecorder()
				c.s.ServeHTTP(w, r)
				want := `{"data":{},"error":true,"pagination":{"totalPages":1,"maxRows":0,"offset":0,"page":1,"totalRecords":0},"messages":["Invalid Authorization"]}`
				if w.Code != 401 || strings.TrimSpace(w.Body.String()) != want {
					t.Errorf("%s %s: got %d %s, want 401 %s", o[0], o[1], w.Code, w.Body, want)
				}
			}
		})
	}
	for name, header := range map[string]string{
		"numbers":    sign(hs, key, good),
		"strings":    sign(hs, key, jwt.MapClaims{"sub": "1", "exp": "1900000000"}),
		"lower case": "bearer " + c.token,
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/api/v1/keywords", nil)
			r.Header.Set("Authorization", header)
			w := httptest.NewRecorder()
			c.s.ServeHTTP(w, r)
			if w.Code != 200 {
				t.Errorf("got %d %s, want 200", w.Code, w.Body)
			}
		})
	}
	at.at = at.at.Add(59 * time.Minute)
	c.ok("GET", "/api/v1/campaigns", "", nil)
	at.at = at.at.Add(time.Minute)
	c.refused("GET", "/api/v1/campaigns", "", 401, "")
}

func TestToken(t *testing.T) {
	c := start(t, Options{Now: newClock().now})
	if other := c.as(1); other.token == c.token {
		t.Error("two tokens are the same")
	}
	for _, reseller := range []int{0, 3, -1} {
		if _, err := c.s.Token(reseller); err == nil {
			t.Errorf("reseller %d: got a token, want an error", reseller)
		}
	}
	claims := jwt.MapClaims{}
	token, _, err := jwt.NewParser().ParseUnverified(c.token, claims)
	if err != nil || token.Method.Alg() != "HS512" {
		t.Fatal(err, token)
	}
	if claims["sub"] != 1.0 || claims["exp"] != "1795260600" || claims["iat"] != "1795257000" {
		t.Errorf("got claims %v", claims)
	}
	for _, name := range []string{"role", "scope", "iss", "jti"} {
		if claims[name] == nil {
			t.Errorf("got no claim %s", name)
		}
	}
}

func TestLogin(t *testing.T) {
	at := newClock()
	c := start(t, Options{Now: at.now})
	c.token = ""
	const path = "/api/v1/authentication/login"
	for name, accounts := range map[string]int{"reseller1": 5, "reseller2": 2} {
		t.Run(name, func(t *testing.T) {
			var token string
			r := c.in(t).ok("POST", path, `{"username":"`+name+`","password":"mock"}`, &token)
			if want := `"token_exp":1795260600}`; !strings.Contains(r.body, want) {
				t.Errorf("got %s, want %s in it", r.body, want)
			}
			var list []object
			(&client{t, c.s, token}).ok("GET", "/api/v2/accounts", "", &list)
			if len(list) != accounts {
				t.Errorf("got %d accounts, want %d", len(list), accounts)
			}
		})
	}
	for body, want := range map[string]int{
		`{"username":"reseller1"}`:                    400,
		`{"password":"mock"}`:                         400,
		`{"username":1,"password":"mock"}`:            400,
		`nonsense`:                                    400,
		`{"username":"reseller1","password":"x"}`:     401,
		`{"username":"reseller9","password":"mock"}`:  401,
		`{"username":"","password":""}`:               401,
		`{"username":"reseller1","password":"mock "}`: 401,
	} {
		t.Run(body, func(t *testing.T) {
			r := c.in(t).call("POST", path, body)
			message := map[int]string{400: "Missing parameter", 401: "Invalid Authorization"}[want]
			if r.status != want || string(r.Data) != `""` || !slices.Contains(r.Messages, message) {
				t.Errorf("got %d %s, want %d %s", r.status, r.body, want, message)
			}
		})
	}
}

func TestOverHTTP(t *testing.T) {
	c := start(t, Options{})
	server := httptest.NewServer(c.s)
	defer server.Close()
	resp, err := http.Get(server.URL + "/api/v1/keywords")
	noError(t, err)
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != 401 || resp.ContentLength <= 0 {
		t.Errorf("got %+v, want 401 with a length", resp)
	}
}

// Every operation that the client knows has a route: without one, add it to routes.go.
func TestEveryOperationHasARoute(t *testing.T) {
	known := map[string]bool{}
	for _, r := range routes(nil) {
		known[r.method+" "+r.path] = true
	}
	for _, o := range schema.Operations() {
		if !known[o.Name()] {
			t.Errorf("no route for %s", o.Name())
		}
	}
}

// TestServerChecksHost asks for the OpenAPI document, which needs no token.
func TestServerChecksHost(t *testing.T) {
	c := start(t, Options{OpenAPI: []byte("openapi: 3.0.0\n")})
	for _, tt := range []struct {
		listens, host string
		want          int
	}{
		{"127.0.0.1", "127.0.0.1:8080", 200},
		{"127.0.0.1", "127.0.0.1", 200},
		{"127.0.0.1", "LocalHost:8080", 200},
		{"127.0.0.1", "[::1]:8080", 200},
		{"127.0.0.1", "[::1]", 200},
		{"127.0.0.1", "rebound.example.com:8080", 421},
		{"127.0.0.1", "localhost.example.com", 421},
		{"127.0.0.1", "127.0.0.1.example.com", 421},
		{"127.0.0.1", "192.0.2.1:8080", 421},
		{"127.0.0.1", "", 421},
		{"192.0.2.1", "192.0.2.1:8080", 200},
		{"192.0.2.1", "192.0.2.2:8080", 421},
		{"192.0.2.1", "rebound.example.com", 421},
		{"mock.example.com", "Mock.example.com:8080", 200},
		{"mock.example.com", "rebound.example.com:8080", 421},
		{"0.0.0.0", "192.0.2.1:8080", 200},
		{"0.0.0.0", "0.0.0.0:8080", 200},
		{"0.0.0.0", "rebound.example.com", 421},
		{"::", "[2001:db8::1]:8080", 200},
		{"", "192.0.2.1:8080", 200},
		{"", "rebound.example.com", 421},
		{"", "", 421},
	} {
		t.Run(tt.listens+" "+tt.host, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/openapi.yaml", nil)
			r.Host = tt.host
			w := httptest.NewRecorder()
			c.s.Server(tt.listens).Handler.ServeHTTP(w, r)
			if w.Code != tt.want {
				t.Errorf("got status %d, want %d: %s", w.Code, tt.want, w.Body)
			}
		})
	}
}

func TestServerTimeouts(t *testing.T) {
	const latency = 5 * time.Minute
	server := start(t, Options{Latency: latency}).s.Server("127.0.0.1")
	if server.ReadHeaderTimeout <= 0 || server.IdleTimeout <= 0 {
		t.Errorf("got %v for the header of a request and %v for idle connections, want limits", server.ReadHeaderTimeout, server.IdleTimeout)
	}
	if server.ReadTimeout <= latency {
		t.Errorf("got %v for reading a request, want a limit after the latency of %v", server.ReadTimeout, latency)
	}
}
