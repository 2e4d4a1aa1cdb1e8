package mock

import (
	"net/http/httptest"
	"testing"
	"time"
)

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
