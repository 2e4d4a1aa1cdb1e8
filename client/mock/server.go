package mock

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"reseller/client/crash"
	"reseller/client/mock/api"
)

// Server returns an HTTP server for the service. It answers only requests whose Host header names this machine, or host, at which
// the server listens: a page in a browser could otherwise have the name of its own site resolve to this machine (DNS rebinding)
// and read what the service answers. If host stands for all addresses of the machine, such as 0.0.0.0, every IP address is
// answered, since rebinding needs a name.
func (s *Service) Server(host string) *http.Server {
	listens := net.ParseIP(host)
	everywhere := host == "" || listens != nil && listens.IsUnspecified()
	answer := func(w http.ResponseWriter, r *http.Request) {
		name := (&url.URL{Host: r.Host}).Hostname()
		ip := net.ParseIP(name)
		if isLoopback(name) || name != "" && strings.EqualFold(name, host) || ip != nil && (everywhere || ip.Equal(listens)) {
			s.ServeHTTP(w, r)
			return
		}
		refusal := api.Refusal(&api.Error{Status: http.StatusMisdirectedRequest, Detail: "the Host header names another machine"})
		refusal.WriteHeader(w)
		_, _ = w.Write(refusal.Body)
	}
	// The timeout for reading a request must not end before its response is sent: it
	// would cancel the context of a request that is still being carried out.
	return &http.Server{
		Handler: http.HandlerFunc(answer), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute + s.latency, IdleTimeout: time.Minute,
	}
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// TB has the methods of a [testing.TB] that New needs.
type TB interface {
	Helper()
	TempDir() string
	Cleanup(f func())
	Fatal(args ...any)
}

// A Local is a mock that listens on this machine.
type Local struct {
	URL   string // the address, for client.Options.BaseURL
	Token string // a token of the first reseller, for client.StaticToken

	stop func()
}

// New starts a mock with a new database for one test, and stops it when the test ends. The mock has two resellers with a few
// accounts, campaigns and keywords. It takes at most one Options, whose Path may be empty.
func New(t TB, o ...Options) *Local {
	t.Helper()
	options := append(o, Options{})[0]
	options.Path = cmp.Or(options.Path, filepath.Join(t.TempDir(), "mock.db"))
	local, err := Start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(local.Close)
	return local
}

// Start is New for programs that are no tests, which call Close in the end. If o.Path is empty, the database is in the folder for
// temporary files until then.
func Start(o Options) (local *Local, err error) {
	dir := "" // which Close removes
	if o.Path == "" {
		if dir, err = os.MkdirTemp("", "mock"); err != nil {
			return nil, err
		}
		o.Path = filepath.Join(dir, "mock.db")
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(dir)
		}
	}()
	service, err := Open(o)
	if err != nil {
		return nil, err
	}
	token, err := service.Token(1)
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := service.Server("127.0.0.1")
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer crash.Recover()
		_ = server.Serve(listener) // until Close
	}()
	return &Local{"http://" + listener.Addr().String(), token, func() {
		_ = server.Close()
		<-done
		service.Wait()
		_ = os.RemoveAll(dir)
	}}, nil
}

// Close stops a mock of Start, once all its requests have been carried out.
func (l *Local) Close() { l.stop() }
