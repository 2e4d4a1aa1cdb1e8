package mock

import (
	"context"
	"net"
	"path/filepath"

	"reseller/client/crash"
)

// TB is what New needs of a [testing.TB].
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
}

// New starts a mock with a new database for one test, and stops it when the test ends. The
// mock has two resellers with a few accounts, campaigns and keywords.
func New(t TB) *Local {
	t.Helper()
	service, err := Open(Options{Path: filepath.Join(t.TempDir(), "mock.db")})
	if err != nil {
		t.Fatal(err)
	}
	token, err := service.Token(1)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := service.Server("127.0.0.1")
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer crash.Recover()
		_ = server.Serve(listener) // until Close
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-done
		service.Wait()
	})
	return &Local{URL: "http://" + listener.Addr().String(), Token: token}
}
