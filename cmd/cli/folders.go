package cli

import (
	"path/filepath"

	"reseller/client/trust"
	"reseller/config"
)

// CacheDir returns the folder for data that this program may lose, empty if the environment names none.
func (s *Streams) CacheDir() string { return s.userFolder("XDG_CACHE_HOME", ".cache") }

func (s *Streams) userFolder(variable, below string) string {
	return config.Env{Lookup: s.Env}.Folder(variable, "LocalAppData", below)
}

// MockPath returns the path of a database of the mock, which no other user may have planted: that of --db, or that of
// --server mock if db is empty.
func (s *Streams) MockPath(db string) (string, error) {
	if db == "" {
		dir := s.userFolder("XDG_DATA_HOME", ".local/share")
		if dir == "" {
			return "", &UsageError{Message: "no folder for the mock's database: neither XDG_DATA_HOME nor HOME is set to an absolute path", Hint: "set XDG_DATA_HOME to a folder"}
		}
		db = filepath.Join(dir, "mock.db")
	}
	_, _, err := trust.ResolveTarget(db)
	return db, err
}

func MockHistory(database string) string { return database + ".sent" }
