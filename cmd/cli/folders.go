package cli

import (
	"context"
	"net"
	"path/filepath"

	"reseller/client/crash"
	"reseller/client/mock"
	"reseller/client/schema"
	"reseller/client/trust"
	"reseller/config"
)

// CacheDir returns the folder for data that this program may lose, empty if the environment names none.
func (s *Streams) CacheDir() string { return s.userFolder("XDG_CACHE_HOME", ".cache") }

func (s *Streams) userFolder(variable, below string) string {
	return config.Env{Lookup: s.Env}.Folder(variable, "LocalAppData", below)
}

// A builtInMock is the mock service in this process, on a loopback address. It is also
// its source of tokens.
type builtInMock struct {
	url     string
	service *mock.Service
}

// MockPath returns the path of a database of the mock, which no other user may have planted: that of --db, or that of
// --server mock if db is empty.
func (s *Streams) MockPath(db string) (string, error) {
	if db == "" {
		dir := s.userFolder("XDG_DATA_HOME", ".local/share")
		if dir == "" {
			return "", &UsageError{Message: "no folder for the mock's database: neither HOME nor XDG_DATA_HOME is set", Hint: "set XDG_DATA_HOME to a folder"}
		}
		db = filepath.Join(dir, "mock.db")
	}
	_, _, err := trust.ResolveTarget(db)
	return db, err
}

func startMock(path string) (e *builtInMock, stop func(), err error) {
	service, err := mock.Open(mock.Options{Path: path, OpenAPI: schema.OpenAPI})
	if err != nil {
		return nil, nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	server := service.Server("127.0.0.1")
	go func() {
		defer crash.Recover()
		_ = server.Serve(listener)
	}()
	return &builtInMock{url: "http://" + listener.Addr().String(), service: service}, func() { _ = server.Close() }, nil
}

func (e *builtInMock) Token(context.Context) (string, error) { return e.service.Token(1) }

// Renew returns the refused token: the mock's tokens do not expire.
func (e *builtInMock) Renew(_ context.Context, refused string) (string, error) { return refused, nil }

func MockHistory(database string) string { return database + ".sent" }
