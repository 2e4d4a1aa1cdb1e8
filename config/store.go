package config

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"
)

// Entry is what a login left behind for one profile and one origin.
type Entry struct {
	Token   string
	Expires time.Time // zero where it is not known
	// Username and Password are there only where the user asked to be remembered.
	Username string
	Password string
}

// Format keeps secrets out of whatever prints an entry.
func (e Entry) Format(f fmt.State, _ rune) { fmt.Fprint(f, "entry (hidden)") }

func (e Entry) remembered() bool { return e.Username != "" && e.Password != "" }

// Store keeps entries by profile and origin (see OriginOf; any address of the
// origin may be given).
type Store interface {
	// Get returns the entry, and false where there is none.
	Get(ctx context.Context, profile, origin string) (Entry, bool, error)
	// Put replaces the entry.
	Put(ctx context.Context, profile, origin string, entry Entry) error
	// Delete removes the entry and says whether there was one.
	Delete(ctx context.Context, profile, origin string) (bool, error)
	// String names the store: `keyring` or `file PATH`.
	String() string
}

// Store returns the keyring or, when the user asked for insecure storage, the
// file beside the configuration. A machine without a keyring is an error.
func (s *Settings) Store(insecure bool) (Store, error) {
	if insecure {
		if s.path == "" {
			return nil, &Error{
				Message: "there is no place for a file of credentials: HOME is not set",
				Hint:    "set RESELLER_CONFIG to the path of a file",
			}
		}
		return s.credentials(), nil
	}
	if err := s.keyring.present(); err != nil {
		return nil, err
	}
	return keyringStore{s.keyring, s.credentials()}, nil
}

func (s *Settings) credentials() credentialsFile {
	if s.path == "" {
		return credentialsFile{}
	}
	return credentialsFile{filepath.Join(filepath.Dir(s.path), "credentials.json")}
}

// Forget removes what is stored for an address, wherever it is, and says
// whether there was something.
func (s *Settings) Forget(ctx context.Context, address string) (bool, error) {
	origin, err := OriginOf(address)
	if err != nil {
		return false, err
	}
	inFile, err := s.credentials().Delete(ctx, s.profile, origin)
	if err != nil {
		return false, err
	}
	ring, err := s.Store(false)
	var inKeyring bool
	if err == nil {
		inKeyring, err = ring.Delete(ctx, s.profile, origin)
	} else if inFile {
		// Without a keyring there is nothing more to remove.
		err = nil
	}
	return inFile || inKeyring, err
}

// stored looks an entry up, in the file first, since that exists only because
// the user asked for it.
func (s *Settings) stored(ctx context.Context, origin string) (Entry, Store, error) {
	file := s.credentials()
	entry, found, err := file.Get(ctx, s.profile, origin)
	if found || err != nil {
		return entry, file, err
	}
	ring, err := s.Store(false)
	if err != nil {
		return Entry{}, nil, err
	}
	entry, found, err = ring.Get(ctx, s.profile, origin)
	if err == nil && !found {
		err = errNotStored
	}
	return entry, ring, err
}

var errNotStored = errors.New("nothing is stored")
