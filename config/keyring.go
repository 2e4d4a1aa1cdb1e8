package config

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	gokeyring "github.com/zalando/go-keyring"
)

const service = "reseller"

// keyring calls the system's keyring, which by itself may never answer.
type keyring struct {
	env   Env
	limit time.Duration

	mu   sync.Mutex
	dead error // set once it did not answer, so that nobody waits again
}

func newKeyring(env Env) *keyring { return &keyring{env: env, limit: 3 * time.Second} }

// present tells a machine without a session bus. There go-keyring would start
// a bus of its own, which can't hold anything that the next command finds.
func (k *keyring) present() error {
	if os := k.env.goos(); os == "windows" || os == "darwin" {
		return nil
	}
	if address, ok := k.env.get("DBUS_SESSION_BUS_ADDRESS"); ok && address != "autolaunch:" {
		return nil
	}
	if dir, ok := k.env.get("XDG_RUNTIME_DIR"); ok {
		bus := filepath.Join(dir, "bus")
		if info, err := os.Stat(bus); err == nil && info.Mode()&fs.ModeSocket != 0 {
			// The library looks in /run/user only, wherever this variable points.
			return os.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+busEscape(bus))
		}
	}
	return keyringError("there is no session bus to reach one on", nil)
}

// busEscape writes a path as addresses of D-Bus want it.
func busEscape(path string) string {
	var b strings.Builder
	for _, c := range []byte(path) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_/.", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	return b.String()
}

func keyringError(reason string, err error) error {
	return &KeyringError{
		Message: "no keyring: " + reason + "; --insecure-storage keeps the token in a file, or set RESELLER_TOKEN",
		Err:     err,
	}
}

// call runs one call of the keyring for as long as it may take. What is not
// found comes as gokeyring.ErrNotFound.
func (k *keyring) call(ctx context.Context, do func() (string, error)) (string, error) {
	k.mu.Lock()
	dead := k.dead
	k.mu.Unlock()
	if dead != nil {
		return "", dead
	}
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		text, err := do()
		answers <- answer{text, err}
	}()
	timer := time.NewTimer(k.limit)
	defer timer.Stop()
	select {
	case a := <-answers:
		return a.text, explain(a.err)
	case <-ctx.Done():
		return "", ctx.Err()
	case <-timer.C:
		err := keyringError(fmt.Sprintf("it did not answer within %v (it may be locked)", k.limit), nil)
		k.mu.Lock()
		k.dead = err
		k.mu.Unlock()
		return "", err
	}
}

func explain(err error) error {
	switch {
	case err == nil || errors.Is(err, gokeyring.ErrNotFound):
		return err
	case errors.Is(err, gokeyring.ErrSetDataTooBig):
		return &KeyringError{
			Message: "the token is too long for the keyring of this system; --insecure-storage keeps it in a file, or set RESELLER_TOKEN",
			Err:     err,
		}
	}
	return keyringError(escape(hideTokens(err.Error())), err)
}

// keyringStore is a Store in two items, since Windows holds 2,560 bytes each:
// the token, and the user name and password.
type keyringStore struct {
	keyring *keyring
	file    credentialsFile
}

var _ Store = keyringStore{}

type tokenItem struct {
	Token      string    `json:"token"`
	Expires    time.Time `json:"expires,omitzero"`
	Remembered bool      `json:"remembered,omitempty"` // spares a look at the second item
}

type loginItem struct {
	Username string `json:"username"`
	Password string `json:"password"`
}

func (s keyringStore) String() string { return "keyring" }

func (s keyringStore) Get(ctx context.Context, profile, address string) (Entry, bool, error) {
	name, err := itemName(profile, address)
	if err != nil {
		return Entry{}, false, err
	}
	var token tokenItem
	if found, err := s.read(ctx, name, &token); !found || err != nil {
		return Entry{}, false, err
	}
	var login loginItem
	if token.Remembered {
		if _, err := s.read(ctx, name+loginSuffix, &login); err != nil {
			return Entry{}, false, err
		}
	}
	return Entry{token.Token, token.Expires, login.Username, login.Password}, true, nil
}

func (s keyringStore) Put(ctx context.Context, profile, address string, entry Entry) error {
	name, err := itemName(profile, address)
	if err != nil {
		return err
	}
	// The password goes first, so that no token item promises one that is not there.
	if entry.remembered() {
		err = s.write(ctx, name+loginSuffix, loginItem{entry.Username, entry.Password})
	} else {
		_, err = s.remove(ctx, name+loginSuffix)
	}
	if err != nil {
		return err
	}
	if err := s.write(ctx, name, tokenItem{entry.Token, entry.Expires, entry.remembered()}); err != nil {
		return err
	}
	// An older entry in the file would be found before this one.
	_, err = s.file.Delete(ctx, profile, address)
	return err
}

func (s keyringStore) Delete(ctx context.Context, profile, address string) (bool, error) {
	name, err := itemName(profile, address)
	if err != nil {
		return false, err
	}
	token, err := s.remove(ctx, name)
	if err != nil {
		return false, err
	}
	login, err := s.remove(ctx, name+loginSuffix)
	return token || login, err
}

const loginSuffix = " login"

func itemName(profile, address string) (string, error) {
	origin, err := OriginOf(address)
	return profile + " " + origin, err
}

func (s keyringStore) read(ctx context.Context, name string, item any) (bool, error) {
	text, err := s.keyring.call(ctx, func() (string, error) { return gokeyring.Get(service, name) })
	if errors.Is(err, gokeyring.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if json.Unmarshal([]byte(text), item) != nil {
		// The cause would quote the secret.
		return false, &KeyringError{Message: fmt.Sprintf("the keyring's item %q is not one of ours; run `reseller auth login` again", name)}
	}
	return true, nil
}

func (s keyringStore) write(ctx context.Context, name string, item any) error {
	text, err := json.Marshal(item)
	if err != nil {
		return errors.New("the keyring's item can't be written as JSON")
	}
	_, err = s.keyring.call(ctx, func() (string, error) { return "", gokeyring.Set(service, name, string(text)) })
	return err
}

func (s keyringStore) remove(ctx context.Context, name string) (bool, error) {
	_, err := s.keyring.call(ctx, func() (string, error) { return "", gokeyring.Delete(service, name) })
	if errors.Is(err, gokeyring.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
