package secret

import (
	"context"
	"crypto/sha256"
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

	"reseller/client/crash"
	"reseller/client/redact"
	"reseller/client/safetext"
	"reseller/config/errdefs"
)

// keyringService is the service name of our items in the keyring.
const keyringService = "reseller"

// keyringTimeout is how long one call of the keyring may take.
const keyringTimeout = 3 * time.Second

// keyring calls the system's keyring with a time limit, since a locked keyring
// may never answer.
type keyring struct {
	goos    string
	getenv  func(string) (string, bool)
	timeout time.Duration
	set     func(service, user, text string) error // gokeyring.Set

	mu       sync.Mutex
	timedOut error // set after a call timed out; later calls fail with it at once
}

// available returns an error on a Linux machine without a session bus. go-keyring
// would start a bus of its own there, and the next command would not find what was
// stored through that bus. If the bus is in XDG_RUNTIME_DIR, available tells
// go-keyring so by DBUS_SESSION_BUS_ADDRESS.
func (k *keyring) available() error {
	if k.goos == "windows" || k.goos == "darwin" {
		return nil
	}
	if address, ok := k.getenv("DBUS_SESSION_BUS_ADDRESS"); ok && address != "autolaunch:" {
		return nil
	}
	if dir, ok := k.getenv("XDG_RUNTIME_DIR"); ok {
		bus := filepath.Join(dir, "bus")
		if info, err := os.Stat(bus); err == nil && info.Mode()&fs.ModeSocket != 0 {
			// go-keyring ignores XDG_RUNTIME_DIR and looks in /run/user only.
			return os.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+escapeBusPath(bus))
		}
	}
	return keyringError("there is no D-Bus session bus", nil)
}

// escapeBusPath escapes a path for a D-Bus address.
func escapeBusPath(path string) string {
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
	return &errdefs.KeyringError{
		Message: "no keyring: " + reason,
		Hint:    "use --insecure-storage to keep the token in a file, or set RESELLER_TOKEN",
		Err:     err,
	}
}

// call runs one call of the keyring and gives up when the time limit is over
// or ctx ends. A missing item is reported as gokeyring.ErrNotFound.
func (k *keyring) call(ctx context.Context, do func() (string, error)) (string, error) {
	k.mu.Lock()
	timedOut := k.timedOut
	k.mu.Unlock()
	if timedOut != nil {
		return "", timedOut
	}
	type result struct {
		text string
		err  error
	}
	results := make(chan result, 1)
	go func() {
		defer crash.Recover()
		text, err := do()
		results <- result{text, err}
	}()
	timer := time.NewTimer(k.timeout)
	defer timer.Stop()
	select {
	case r := <-results:
		return r.text, wrapKeyringError(r.err)
	case <-ctx.Done():
		return "", ctx.Err()
	case <-timer.C:
		err := keyringError(fmt.Sprintf("it did not respond within %v (it may be locked)", k.timeout), nil)
		k.mu.Lock()
		k.timedOut = err
		k.mu.Unlock()
		return "", err
	}
}

// wrapKeyringError turns an error of go-keyring into a KeyringError. It leaves
// ErrNotFound as it is.
func wrapKeyringError(err error) error {
	switch {
	case err == nil || errors.Is(err, gokeyring.ErrNotFound):
		return err
	case errors.Is(err, gokeyring.ErrSetDataTooBig):
		return &errdefs.KeyringError{
			Message: "the token is too long for the keyring of this system",
			Hint:    "use --insecure-storage to keep it in a file, or set RESELLER_TOKEN",
			Err:     err,
		}
	}
	return keyringError(safetext.Escape(redact.Tokens(err.Error())), err)
}

// keyringStore is a Store in the system's keyring. An entry is two items: the token, and
// the user name and password.
type keyringStore struct {
	keyring *keyring
	file    fileStore
}

type tokenItem struct {
	Token    string    `json:"token"`
	Expires  time.Time `json:"expires,omitzero"`
	HasLogin bool      `json:"remembered,omitempty"` // whether there is a login item
}

type loginItem struct {
	Username string `json:"username"`
	Password string `json:"password"`
}

func (s keyringStore) String() string { return "keyring" }

func (s keyringStore) Get(ctx context.Context, profile, origin string) (Entry, bool, error) {
	name := profile + " " + origin
	var token tokenItem
	if found, err := s.read(ctx, name, &token); !found || err != nil {
		return Entry{}, false, err
	}
	var login loginItem
	if token.HasLogin {
		if _, err := s.read(ctx, name+loginSuffix, &login); err != nil {
			return Entry{}, false, err
		}
	}
	return Entry{token.Token, token.Expires, login.Username, login.Password}, true, nil
}

func (s keyringStore) Put(ctx context.Context, profile, origin string, entry Entry) error {
	name := profile + " " + origin
	// The login item is written first, so that no token item refers to one that
	// does not exist.
	var err error
	if entry.HasLogin() {
		err = s.write(ctx, name+loginSuffix, loginItem{entry.Username, entry.Password})
	} else {
		_, err = s.remove(ctx, name+loginSuffix)
	}
	if err != nil {
		return err
	}
	if err := s.write(ctx, name, tokenItem{entry.Token, entry.Expires, entry.HasLogin()}); err != nil {
		return err
	}
	// An older entry in the file would be found before this one.
	_, err = s.file.Delete(ctx, profile, origin)
	return err
}

func (s keyringStore) Delete(ctx context.Context, profile, origin string) (bool, error) {
	name := profile + " " + origin
	token, err := s.remove(ctx, name)
	if err != nil {
		return false, err
	}
	login, err := s.remove(ctx, name+loginSuffix)
	return token || login, err
}

// loginSuffix follows the name of the token item in the name of the login item.
const loginSuffix = " login"

// An item that is too long for the keyring of Windows, which takes 2,560 bytes, is kept in
// parts: items of their own, and one under the item's name that says how many there are.
// Their names have the begin of the hash of the text, so that a reader gets the parts of one
// text only.
type partsItem struct {
	Parts int    `json:"parts,omitempty"`
	Hash  string `json:"hash,omitempty"`
}

// maxPart is the most bytes of an item, or of a part of one.
const maxPart = 2400

// partNames returns the names of the parts of an item.
func (p partsItem) partNames(name string) []string {
	var names []string
	for i := range min(p.Parts, maxFile/maxPart) {
		names = append(names, fmt.Sprintf("%s part %s %d", name, p.Hash, i+1))
	}
	return names
}

// readText returns the text of an item, and the parts that it is kept in.
func (s keyringStore) readText(ctx context.Context, name string) (string, partsItem, error) {
	get := func(name string) (string, error) {
		return s.keyring.call(ctx, func() (string, error) { return gokeyring.Get(keyringService, name) })
	}
	text, err := get(name)
	if err != nil {
		return "", partsItem{}, err
	}
	var parts partsItem
	if json.Unmarshal([]byte(text), &parts) != nil || parts.Parts == 0 {
		return text, partsItem{}, nil
	}
	text = ""
	for _, part := range parts.partNames(name) {
		more, err := get(part)
		if err != nil && !errors.Is(err, gokeyring.ErrNotFound) {
			return "", parts, err
		}
		text += more
	}
	if hashOf(text) != parts.Hash {
		text = "" // a part is missing, or another
	}
	return text, parts, nil
}

func hashOf(text string) string { return fmt.Sprintf("%.8x", sha256.Sum256([]byte(text))) }

func (s keyringStore) read(ctx context.Context, name string, item any) (bool, error) {
	text, _, err := s.readText(ctx, name)
	if errors.Is(err, gokeyring.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if json.Unmarshal([]byte(text), item) != nil {
		// The JSON error is left out, since it would quote the secret.
		return false, &errdefs.KeyringError{
			Message: fmt.Sprintf("keyring item %q is not in the expected format", name),
			Hint:    "run `reseller auth login` again",
		}
	}
	return true, nil
}

func (s keyringStore) write(ctx context.Context, name string, item any) error {
	text, err := json.Marshal(item)
	if err != nil {
		return errors.New("the keyring item can't be encoded as JSON")
	}
	set := func(name, text string) error {
		_, err := s.keyring.call(ctx, func() (string, error) { return "", s.keyring.set(keyringService, name, text) })
		return err
	}
	_, old, err := s.readText(ctx, name)
	if err != nil && !errors.Is(err, gokeyring.ErrNotFound) {
		return err
	}
	var parts partsItem
	if len(text) > maxPart {
		parts = partsItem{(len(text) + maxPart - 1) / maxPart, hashOf(string(text))}
		for i, part := range parts.partNames(name) {
			if err := set(part, string(text[i*maxPart:min((i+1)*maxPart, len(text))])); err != nil {
				return err
			}
		}
		if text, err = json.Marshal(parts); err != nil {
			return err
		}
	}
	if err := set(name, string(text)); err != nil || old == parts {
		return err
	}
	return s.removeParts(ctx, name, old)
}

func (s keyringStore) removeParts(ctx context.Context, name string, parts partsItem) error {
	for _, part := range parts.partNames(name) {
		if _, err := s.removeItem(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

func (s keyringStore) remove(ctx context.Context, name string) (bool, error) {
	_, parts, err := s.readText(ctx, name)
	if errors.Is(err, gokeyring.ErrNotFound) {
		return false, nil
	}
	if err == nil {
		err = s.removeParts(ctx, name, parts)
	}
	if err != nil {
		return false, err
	}
	return s.removeItem(ctx, name)
}

func (s keyringStore) removeItem(ctx context.Context, name string) (bool, error) {
	_, err := s.keyring.call(ctx, func() (string, error) { return "", gokeyring.Delete(keyringService, name) })
	if errors.Is(err, gokeyring.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
