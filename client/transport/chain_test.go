package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestChainSendsTheTokenAndRetries(t *testing.T) {
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, r.Header.Get("Authorization")+" "+string(body))
		switch len(got) {
		case 1:
			w.WriteHeader(http.StatusUnauthorized)
		case 2:
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}))
	defer server.Close()
	token := "first"
	chain := newChain(t, server.URL, func(o *Options) {
		o.Retries = 1
		o.Tokens = fakeTokens{
			token: func() (string, error) { return token, nil },
			renew: func(string) (string, error) { token = "second"; return token, nil },
		}
	})
	resp, err := chain.RoundTrip(put(t, server.URL, "body"))
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("got %v, %v, want 200", resp, err)
	}
	if want := []string{"Bearer first body", "Bearer second body", "Bearer second body"}; !slices.Equal(got, want) {
		t.Errorf("got requests %q, want %q", got, want)
	}
	if requests, retries := chain.Counts(); requests != 3 || retries != 1 {
		t.Errorf("got %d requests and %d retries, want 3 and 1", requests, retries)
	}
	secrets := chain.Secrets()
	slices.Sort(secrets)
	if want := []string{"first", "second"}; !slices.Equal(secrets, want) {
		t.Errorf("got secrets %q, want %q", secrets, want)
	}
}

// TestChainCountsWhatIsSentAgain breaks a kept connection, after which package http sends a read once more by itself.
func TestChainCountsWhatIsSentAgain(t *testing.T) {
	var got atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if got.Add(1) == 2 {
			panic(http.ErrAbortHandler)
		}
	}))
	defer server.Close()
	chain := newChain(t, server.URL, nil)
	for range 2 {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		noError(t, err)
		resp, err := chain.RoundTrip(req)
		noError(t, err)
		_ = resp.Body.Close()
	}
	if requests, retries := chain.Counts(); requests != 3 || retries != 1 || got.Load() != 3 {
		t.Errorf("got %d requests and %d retries of the %d that the service got, want 3 and 1 of 3", requests, retries, got.Load())
	}
}

type cannotRenew struct{ error }

func (cannotRenew) CannotRenew() {}

func TestAuthenticator(t *testing.T) {
	none := errors.New("no token")
	for _, tt := range []struct {
		name     string
		public   bool
		token    error
		renewed  string
		renew    error
		status   int // 0 where an error is wanted
		requests int
	}{
		{"public", true, none, "", nil, 401, 1},
		{"no token", false, none, "", nil, 0, 0},
		{"refused for good", false, nil, "", cannotRenew{none}, 401, 1},
		{"the same token again", false, nil, "old", nil, 401, 1},
		{"renewal fails", false, nil, "", none, 0, 1},
		{"refused with a new token", false, nil, "new", nil, 401, 2},
		{"refused with the token of another login", false, nil, "replaced", nil, 401, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			requests := 0
			a := &authenticator{
				next: roundTripFunc(func(req *http.Request) (*http.Response, error) {
					requests++
					if has := req.Header.Get("Authorization") != ""; has == tt.public {
						t.Errorf("Authorization %q, public %v", req.Header.Get("Authorization"), tt.public)
					}
					return response(401), nil
				}),
				source: fakeTokens{
					token: func() (string, error) { return "old", tt.token },
					renew: func(string) (string, error) { return tt.renewed, tt.renew },
				},
			}
			resp, err := a.RoundTrip(get(t).WithContext(WithCallOptions(t.Context(), CallOptions{Public: tt.public})))
			var source *TokenSourceError
			switch {
			case tt.status == 0 && (!errors.As(err, &source) || !errors.Is(err, none)):
				t.Errorf("got %v, want a TokenSourceError", err)
			case tt.status != 0 && (err != nil || resp.StatusCode != tt.status):
				t.Errorf("got %v, %v, want status %d", resp, err, tt.status)
			}
			if requests != tt.requests {
				t.Errorf("got %d requests, want %d", requests, tt.requests)
			}
		})
	}
}

// TestOriginGuard: requests go to one scheme, host and port, and so does the token.
func TestOriginGuard(t *testing.T) {
	for _, tt := range []struct {
		base, address string
		allowHTTP     bool
		want          string // reason of the refusal
	}{
		{"https://api.example.com", "https://api.example.com/x", false, ""},
		{"https://api.example.com", "https://API.example.com:443/x", false, ""},
		{"https://api.example.com", "https://api.example.com:444/x", false, "not the configured address"},
		{"https://api.example.com", "http://api.example.com/x", true, "not the configured address"},
		{"https://api.example.com", "https://other.example.com/x", false, "not the configured address"},
		{"https://api.example.com", "https://user:pw@api.example.com/x", false, "user info in the address"},
		{"http://api.example.com", "http://api.example.com:80/x", false, "plain http would send the token unencrypted"},
		{"http://api.example.com", "http://api.example.com:80/x", true, ""},
		{"http://localhost:8080", "http://LOCALHOST:8080/x", false, ""},
		{"http://127.0.0.7", "http://127.0.0.7/x", false, ""},
		{"http://[::1]", "http://[::1]/x", false, ""},
	} {
		t.Run(tt.address+" for "+tt.base, func(t *testing.T) {
			chain := newChain(t, tt.base, func(o *Options) {
				o.AllowHTTP = tt.allowHTTP
				o.Transport = roundTripFunc(func(*http.Request) (*http.Response, error) { return response(200), nil })
			})
			_, err := chain.RoundTrip(put(t, tt.address, ""))
			var refused *GuardError
			if !errors.As(err, &refused) && tt.want != "" || refused != nil && refused.Reason != tt.want || err != nil && refused == nil {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "pw") {
				t.Errorf("the password shows: %v", err)
			}
		})
	}
}

func TestCheckRedirect(t *testing.T) {
	for _, tt := range []struct {
		name   string
		method string
		to     string
		via    int
		want   string // reason of the refusal
	}{
		{"same origin", http.MethodGet, "https://api.example.com/y", 1, ""},
		{"HEAD", http.MethodHead, "https://api.example.com/y", 9, ""},
		{"write", http.MethodPut, "https://api.example.com/y", 1, "a PUT is not redirected"},
		{"other host", http.MethodGet, "https://example.com/y", 1, "it leads to another scheme, host or port"},
		{"user info", http.MethodGet, "https://u:pw@api.example.com/y", 1, "it has user info"},
		{"loop", http.MethodGet, "https://api.example.com/y", 10, "too many redirects"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			first := get(t)
			first.Method = tt.method
			err := CheckRedirect(put(t, tt.to, ""), slices.Repeat([]*http.Request{first}, tt.via))
			if (err == nil) != (tt.want == "") || err != nil && err != http.ErrUseLastResponse {
				t.Fatalf("got %v, want a refusal: %t", err, tt.want != "")
			}
			resp := response(307, "Location", tt.to)
			resp.Request = first
			if got := NotFollowed(resp, tt.method, first.URL.String()); err != nil && (got.Reason != tt.want || got.HTTPStatus != 307 || strings.Contains(got.Error(), "pw")) {
				t.Errorf("got %v, want %q", got, tt.want)
			}
		})
	}
}

func TestNotFollowed(t *testing.T) {
	for _, tt := range []struct{ method, location, to, reason string }{
		{http.MethodPut, "/y?token=abc", "https://api.example.com/y?[hidden]", "a PUT is not redirected"},
		{http.MethodGet, "/y", "https://api.example.com/y", "this status is not followed"},
		{http.MethodGet, "", "", "it has no valid Location"},
		{http.MethodPut, "", "", "it has no valid Location"},
	} {
		t.Run(tt.method+" "+tt.location, func(t *testing.T) {
			resp := response(300, "Location", tt.location)
			resp.Request = get(t)
			got := NotFollowed(resp, tt.method, "https://api.example.com/x")
			if got.To != tt.to || got.Reason != tt.reason || got.From != "https://api.example.com/x" || got.HTTPStatus != 300 {
				t.Errorf("got %+v, want to %q because %q", got, tt.to, tt.reason)
			}
			if text := got.Error(); strings.Contains(text, "  ") || strings.Contains(text, " to ") != (tt.to != "") {
				t.Errorf("got the error %q, want a sentence that names what there is", text)
			}
		})
	}
}

// TestDeadline lets a server over pipes stay silent, or send a byte every 20 seconds,
// with a timeout of a minute.
func TestDeadline(t *testing.T) {
	for _, tt := range []struct {
		name, path string
		stream     *Stream
		ok         bool
	}{
		{"silence", "/silent", nil, false},
		{"silence of a stream", "/silent", &Stream{}, false},
		{"slow", "/", nil, false},
		{"slow stream without progress", "/", &Stream{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				network := pipeNetwork(t, func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/silent" {
						<-r.Context().Done()
					}
					for range 6 {
						fmt.Fprint(w, "x")
						_ = http.NewResponseController(w).Flush()
						if Sleep(r.Context(), 20*time.Second) != nil {
							return
						}
					}
				})
				const address = "http://localhost"
				chain := newChain(t, address, func(o *Options) { o.Timeout, o.Transport = time.Minute, network })
				req := put(t, address+tt.path, "")
				resp, err := chain.RoundTrip(req.WithContext(WithCallOptions(t.Context(), CallOptions{Stream: tt.stream})))
				if err == nil {
					_, err = ReadAll(resp)
					_ = resp.Body.Close()
				}
				var failure *NetworkError
				if (err == nil) != tt.ok || err != nil && (!errors.Is(err, ErrTimeout) || !errors.As(err, &failure) || !failure.Sent) {
					t.Errorf("got %v, want success %v", err, tt.ok)
				}
			})
		})
	}
}

func TestNetworkErrorBeforeAConnection(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	_, err := newChain(t, server.URL, nil).RoundTrip(put(t, server.URL, ""))
	var network *NetworkError
	if !errors.As(err, &network) || network.Sent {
		t.Errorf("got %#v, want a NetworkError that was not sent", err)
	}
}

func TestReadAllIsBounded(t *testing.T) {
	resp := response(200)
	resp.Body = io.NopCloser(endless{})
	text, err := ReadAll(resp)
	if err != nil || len(text) != MaxBody+1 || cap(text) > MaxBody+1 {
		t.Errorf("got %d bytes in room for %d, %v, want %d", len(text), cap(text), err, MaxBody+1)
	}
}

// endless is a body without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestDebugLog(t *testing.T) {
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Set-Cookie", "session=secret-cookie")
		w.Header().Set("Location", "https://example.com/opaque-token")
		if calls.Add(1) == 1 {
			fmt.Fprint(w, `{"data":"opaque-token, query-token and \u001b","name":"Harbour"}`+"\x1b\u061c\u200e\u200f\u2028\u200b\U000e0041")
			return
		}
		fmt.Fprint(w, strings.Repeat("x", maxLogged+1))
	}))
	defer server.Close()
	var log bytes.Buffer
	chain := newChain(t, server.URL, func(o *Options) {
		o.Debug = &log
		o.Tokens = fakeTokens{token: func() (string, error) { return "opaque-token", nil }}
	})
	send := func(req *http.Request) {
		resp, err := chain.RoundTrip(req)
		noError(t, err)
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
	}
	for range 2 {
		send(put(t, server.URL+"/x?token=query-token&name=Harbour", `{"password":"correct horse","name":"Harbour"}`))
	}
	got := log.String()
	for _, secret := range []string{"opaque-token", "secret-cookie", "correct horse", "query-token", "\x1b", "\u061c", "\u200e", "\u200f", "\u2028", "\u200b", "\U000e0041"} {
		if strings.Contains(got, secret) {
			t.Errorf("%q shows in the log:\n%.2000s", secret, got)
		}
	}
	for _, want := range []string{
		"> PUT " + server.URL + "/x?name=Harbour&token=%5Bhidden%5D\n", "> Authorization: [hidden]\n", `> {"password":"[hidden]","name":"Harbour"}`,
		"< HTTP/1.1 200 OK after ", "< Location: https://example.com/[hidden]\n", `"name":"Harbour"}\u001b\u061c\u200e\u200f\u2028\u200b\U000e0041`, fmt.Sprintf("… (%d bytes in all)", maxLogged+1),
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the log:\n%.2000s", want, got)
		}
	}

	log.Reset()
	public := put(t, server.URL, `{}`)
	calls.Store(0)
	send(public.WithContext(WithCallOptions(t.Context(), CallOptions{Public: true})))
	if strings.Contains(log.String(), "Harbour") {
		t.Errorf("a string in the response to a public request shows:\n%s", log.String())
	}
}

// FuzzLocation checks that no Location makes the client connect to another address than the
// configured one.
func FuzzLocation(f *testing.F) {
	for _, seed := range []string{"/y", "//other.example", "https://api.\u017fervice.example:8443/y", "https://API.service.example:8443/../y", "http://api.service.example:8443/", "https://u:p@api.service.example:8443", "https:api", "\\\\x", "?token=a"} {
		f.Add(seed)
	}
	const address = "api.service.example:8443"
	f.Fuzz(func(t *testing.T, location string) {
		requests := 0
		network := &http.Transport{DialTLSContext: func(_ context.Context, _, got string) (net.Conn, error) {
			if !strings.EqualFold(got, address) || len(got) != len(address) { // a letter that is no ASCII is longer
				t.Errorf("Location %q: got a connection to %s, want none", location, got)
			}
			return nil, errors.New("no network")
		}, DialContext: func(_ context.Context, _, got string) (net.Conn, error) {
			t.Errorf("Location %q: got an unencrypted connection to %s, want none", location, got)
			return nil, errors.New("no network")
		}}
		chain := newChain(t, "https://"+address, func(o *Options) {
			o.Transport = roundTripFunc(func(req *http.Request) (*http.Response, error) {
				if requests++; requests > 1 {
					return network.RoundTrip(req)
				}
				resp := response(302, "Location", location)
				resp.Request = req
				return resp, nil
			})
		})
		req := get(t)
		req.URL.Host, req.RequestURI = address, ""
		resp, err := (&http.Client{Transport: chain, CheckRedirect: CheckRedirect}).Do(req)
		if err == nil {
			_ = resp.Body.Close()
		}
		if requests == 0 {
			t.Fatalf("got no request, want one: %v", err)
		}
	})
}

// TestProtocolIsNotSwitched checks that a response with which net/http hands over the connection is refused: nothing would end
// the reading of it.
func TestProtocolIsNotSwitched(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(func() { _ = conn.Close() })
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: any\r\n\r\n")
	}))
	t.Cleanup(server.Close)
	chain := newChain(t, server.URL, func(o *Options) { o.Retries, o.Transport = 0, http.DefaultTransport })
	_, err := chain.RoundTrip(put(t, server.URL, "{}"))
	if network := (*NetworkError)(nil); !errors.As(err, &network) || !network.Sent {
		t.Errorf("got error %v, want a NetworkError of a request that was sent", err)
	}
}
