// Package secret stores the tokens of logins and, if the user asked for it, user names and passwords, one entry for each profile and
// origin (endpoint.Origin): in the system's keyring or, with --insecure-storage, in a file that only its owner may read.
package secret

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	gokeyring "github.com/zalando/go-keyring"

	"reseller/client/trust"
	"reseller/config/errdefs"
)

// Entry is the stored result of a login, for one profile and one origin.
type Entry struct {
	Token   string    `json:"token"`
	Expires time.Time `json:"expires,omitzero"` // zero if unknown
	// Username and Password are set only if the user asked to remember them.
	Username string `json:"username,omitempty"`
	Password string `json:"password,omitempty"`
}

// Format keeps the secrets out of everything that prints an entry.
func (e Entry) Format(f fmt.State, _ rune) { fmt.Fprint(f, "entry (hidden)") }

// HasLogin reports whether the entry holds a user name and a password, so that its token can be renewed.
func (e Entry) HasLogin() bool { return e.Username != "" && e.Password != "" }

type Store interface {
	// Get returns an entry, and false if there is none.
	Get(ctx context.Context, profile, origin string) (Entry, bool, error)
	Put(ctx context.Context, profile, origin string, entry Entry) error
	// Delete removes an entry and reports whether there was one.
	Delete(ctx context.Context, profile, origin string) (bool, error)
	// String names the store: `keyring` or `file PATH`.
	String() string
}

type Stores struct {
	keyring *keyring
	file    fileStore
}

// NewStores returns the stores of a configuration. path is the file for --insecure-storage; without a path there is no such file.
func NewStores(goos string, getenv func(string) string, path string) *Stores {
	timeout := keyringTimeout
	if goos == "windows" {
		timeout = time.Minute
	}
	return &Stores{
		keyring: &keyring{goos: goos, getenv: getenv, timeout: timeout, set: gokeyring.Set},
		file:    fileStore{path, getenv("HOME")},
	}
}

// Open returns the keyring or, with insecure, the file. A machine without a keyring is an error.
func (s *Stores) Open(insecure bool) (Store, error) {
	if insecure {
		if s.file.path == "" {
			return nil, errdefs.Invalidf("no folder for the credentials file: HOME is not set to an absolute path").Hinted("set RESELLER_CONFIG to the path of a file")
		}
		return s.file, nil
	}
	if err := s.keyring.available(); err != nil {
		return nil, err
	}
	return keyringStore{s.keyring, s.file}, nil
}

var ErrNotFound = errors.New("no entry is stored")

// Find returns an entry and the store that holds it. It looks in the file first, which exists only if the user asked for it.
func (s *Stores) Find(ctx context.Context, profile, origin string) (Entry, Store, error) {
	entry, found, err := s.file.Get(ctx, profile, origin)
	if found || err != nil {
		return entry, s.file, err
	}
	store, err := s.Open(false)
	if err != nil {
		return Entry{}, nil, err
	}
	entry, found, err = store.Get(ctx, profile, origin)
	if err == nil && !found {
		err = ErrNotFound
	}
	return entry, store, err
}

// LockLogin waits until no other command renews the token of a profile at an origin, since
// a login may end the token of the login before. It returns a function that lets the next
// one begin. Where there can be no lock, as on a read-only disk, nobody waits.
func (s *Stores) LockLogin(ctx context.Context, profile, origin string) (unlock func()) {
	sum := sha256.Sum256([]byte(profile + "\x00" + origin))
	path := s.file.path + "." + fmt.Sprintf("%x.lock", sum[:8])
	none := func() {}
	if s.file.path == "" || os.MkdirAll(filepath.Dir(path), 0o700) != nil || trust.CheckFolder(filepath.Dir(path), s.file.home) != nil {
		return none
	}
	unlock, err := trust.Lock(ctx, path)
	if err != nil {
		return none
	}
	return unlock
}
