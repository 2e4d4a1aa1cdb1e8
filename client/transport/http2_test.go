package transport

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"golang.org/x/net/http2"
)

// TestHTTP2Only checks that a service is reached which speaks HTTP/2 alone.
func TestHTTP2Only(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor < 2 {
			w.WriteHeader(http.StatusForbidden)
		}
		_, _ = io.Copy(w, r.Body)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	chain := newChain(t, server.URL, func(o *Options) { o.RootCAs = rootsOf(server) })
	for range 2 {
		resp, err := chain.RoundTrip(put(t, server.URL, "body"))
		noError(t, err)
		text, err := io.ReadAll(resp.Body)
		noError(t, err)
		if _ = resp.Body.Close(); resp.StatusCode != http.StatusOK || string(text) != "body" {
			t.Errorf("got %s %q, want 200 with the body that was sent", resp.Status, text)
		}
	}
}

// TestHTTP2SendsOnce checks that a write whose stream the service ends is sent again only if the service says that it has not
// worked on it, whether or not the request is the first of its connection.
func TestHTTP2SendsOnce(t *testing.T) {
	for name, test := range map[string]struct {
		after  int // requests that get a response
		code   http2.ErrCode
		isGone bool // the service says that it works on no further requests
		sent   bool
	}{
		"error of the first":   {0, http2.ErrCodeProtocol, false, true},
		"error of a later one": {1, http2.ErrCodeProtocol, false, true},
		"refused":              {1, http2.ErrCodeRefusedStream, false, false},
		"gone":                 {1, 0, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			tcp := httptest.NewUnstartedServer(nil)
			tcp.TLS = &tls.Config{NextProtos: []string{"h2"}}
			var writes atomic.Int64
			tcp.Config.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){
				"h2": func(_ *http.Server, conn *tls.Conn, _ http.Handler) {
					answerHTTP2(conn, func(f *http2.Framer, id uint32) error {
						switch n := int(writes.Add(1)); {
						case n <= test.after:
							return f.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: []byte{0x88}, EndStream: true, EndHeaders: true})
						case test.isGone:
							return f.WriteGoAway(id-2, http2.ErrCodeNo, nil)
						}
						return f.WriteRSTStream(id, test.code)
					})
				},
			}
			tcp.StartTLS()
			defer tcp.Close()
			chain := newChain(t, tcp.URL, func(o *Options) { o.RootCAs = rootsOf(tcp) })
			for range test.after {
				resp, err := chain.RoundTrip(put(t, tcp.URL, "body"))
				noError(t, err)
				_ = resp.Body.Close()
			}
			resp, err := chain.RoundTrip(put(t, tcp.URL, "body"))
			if err == nil {
				_ = resp.Body.Close()
			}
			network, ok := errors.AsType[*NetworkError](err)
			if want := int64(test.after + 1); !ok || network.Sent != test.sent || writes.Load() != want {
				t.Errorf("got %v (%+v) after %d requests, want a network error with Sent %t after %d", err, network, writes.Load(), test.sent, want)
			}
		})
	}
}

// answerHTTP2 calls answer for each request of a connection, with the number of its stream.
func answerHTTP2(conn net.Conn, answer func(f *http2.Framer, id uint32) error) {
	if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
		return
	}
	f := http2.NewFramer(conn, conn)
	err := f.WriteSettings()
	for err == nil {
		var frame http2.Frame
		if frame, err = f.ReadFrame(); err != nil {
			return
		}
		if data, ok := frame.(*http2.DataFrame); ok && data.StreamEnded() {
			err = answer(f, data.StreamID)
		}
	}
}

func rootsOf(server *httptest.Server) *x509.CertPool {
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return roots
}
