package secret

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	gokeyring "github.com/zalando/go-keyring"

	"reseller/client/crash"
	"reseller/client/redact"
	"reseller/client/safetext"
	"reseller/config/errdefs"
)

const keyringService = "reseller"

const keyringTimeout = 3 * time.Second

// keyring calls the system's keyring with a time limit, since a locked keyring may never answer. That of Windows is never locked: if
// it is slow, the machine is busy.
type keyring struct {
	goos    string
	getenv  func(string) string
	timeout time.Duration
	set     func(service, user, text string) error // gokeyring.Set

	timedOut atomic.Pointer[errdefs.KeyringError] // set after a call timed out; later calls fail with it at once
}

// available returns an error on a Linux machine without a session bus. go-keyring
// would start a bus of its own there, and the next command would not find the
// token that was stored through that bus. If the bus is in XDG_RUNTIME_DIR, available tells
// go-keyring so by DBUS_SESSION_BUS_ADDRESS.
func (k *keyring) available() error {
	if k.goos == "windows" || k.goos == "darwin" {
		return nil
	}
	if address := k.getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" && address != "autolaunch:" {
		return nil
	}
	if dir := k.getenv("XDG_RUNTIME_DIR"); dir != "" {
		bus := filepath.Join(dir, "bus")
		if info, err := os.Stat(bus); err == nil && info.Mode()&fs.ModeSocket != 0 {
			// go-keyring ignores XDG_RUNTIME_DIR and looks in /run/user only.
			return os.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+strings.NewReplacer("+", "%20", "%2F", "/").Replace(url.QueryEscape(bus)))
		}
	}
	return keyringError("no keyring here", nil)
}

func keyringError(message string, err error) *errdefs.KeyringError {
	return &errdefs.KeyringError{Details: errdefs.Details{
		Message: message,
		Hint:    "use --insecure-storage to keep the token in a file, or set RESELLER_TOKEN",
		Err:     err,
	}}
}

// call makes a call of the keyring within the time limit. A missing item is gokeyring.ErrNotFound.
func (k *keyring) call(ctx context.Context, do func() (string, error)) (string, error) {
	if err := k.timedOut.Load(); err != nil {
		return "", err
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
	limited, cancel := context.WithTimeout(ctx, k.timeout)
	defer cancel()
	select {
	case r := <-results:
		return r.text, wrapKeyringError(r.err)
	case <-limited.Done():
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	err := keyringError(fmt.Sprintf("no keyring: it did not respond within %v (it may be locked)", k.timeout), nil)
	k.timedOut.Store(err)
	return "", err
}

func wrapKeyringError(err error) error {
	switch {
	case err == nil || errors.Is(err, gokeyring.ErrNotFound):
		return err
	case errors.Is(err, gokeyring.ErrSetDataTooBig):
		return &errdefs.KeyringError{Details: errdefs.Details{
			Message: "the token is too long for the keyring of this system",
			Hint:    "use --insecure-storage to keep it in a file, or set RESELLER_TOKEN",
			Err:     err,
		}}
	}
	return keyringError("no keyring: "+safetext.Escape(redact.Tokens(err.Error())), err)
}

type keyringStore struct {
	keyring *keyring
	file    fileStore
}

// An item that is too long for the keyring of Windows, which takes 2,560 bytes, is kept in
// parts: items of their own, and one under the item's name that says how many there are.
// Their names have the begin of the hash of the text, so that a reader gets the parts of one
// text only.
type partsItem struct {
	Parts int    `json:"parts,omitempty"`
	Hash  string `json:"hash,omitempty"`
}

const maxPart = 2400

func hashOf(text string) string { return fmt.Sprintf("%.8x", sha256.Sum256([]byte(text))) }

func (p partsItem) partNames(name string) []string {
	var names []string
	for i := range min(p.Parts, maxFile/maxPart) {
		names = append(names, fmt.Sprintf("%s part %s %d", name, p.Hash, i+1))
	}
	return names
}

func (s keyringStore) String() string { return "keyring" }

func (s keyringStore) Get(ctx context.Context, profile, origin string) (Entry, bool, error) {
	name := itemName(profile, origin)
	text, _, err := s.read(ctx, name)
	if errors.Is(err, gokeyring.ErrNotFound) {
		return Entry{}, false, nil
	}
	if err != nil {
		return Entry{}, false, err
	}
	var entry Entry
	if json.Unmarshal([]byte(text), &entry) != nil {
		// The JSON error is left out, since it would quote the secret.
		return Entry{}, false, &errdefs.KeyringError{Details: errdefs.Details{
			Message: fmt.Sprintf("keyring item %q is not in the expected format", name),
			Hint:    "run `reseller auth login` again",
		}}
	}
	return entry, true, nil
}

func (s keyringStore) Put(ctx context.Context, profile, origin string, entry Entry) error {
	item, err := json.Marshal(entry)
	if err != nil {
		return errors.New("the keyring item can't be encoded as JSON")
	}
	name := itemName(profile, origin)
	_, old, err := s.read(ctx, name)
	if err != nil && !errors.Is(err, gokeyring.ErrNotFound) {
		return err
	}
	var parts partsItem
	if text := string(item); len(text) > maxPart {
		parts = partsItem{(len(text) + maxPart - 1) / maxPart, hashOf(text)}
		for i, part := range parts.partNames(name) {
			if err := s.write(ctx, part, text[i*maxPart:min((i+1)*maxPart, len(text))]); err != nil {
				return err
			}
		}
		item = fmt.Appendf(nil, `{"parts":%d,"hash":%q}`, parts.Parts, parts.Hash)
	}
	if err := s.write(ctx, name, string(item)); err != nil {
		return err
	}
	if old != parts {
		if err := s.removeParts(ctx, name, old); err != nil {
			return err
		}
	}
	// An older entry in the file would be found before this one.
	_, err = s.file.Delete(ctx, profile, origin)
	return err
}

func (s keyringStore) Delete(ctx context.Context, profile, origin string) (bool, error) {
	name := itemName(profile, origin)
	_, parts, err := s.read(ctx, name)
	if err == nil {
		err = s.removeParts(ctx, name, parts)
	}
	if err == nil {
		err = s.remove(ctx, name)
	}
	if errors.Is(err, gokeyring.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

func itemName(profile, origin string) string { return profile + " " + origin }

func (s keyringStore) read(ctx context.Context, name string) (string, partsItem, error) {
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

func (s keyringStore) write(ctx context.Context, name, text string) error {
	_, err := s.keyring.call(ctx, func() (string, error) { return "", s.keyring.set(keyringService, name, text) })
	return err
}

func (s keyringStore) remove(ctx context.Context, name string) error {
	_, err := s.keyring.call(ctx, func() (string, error) { return "", gokeyring.Delete(keyringService, name) })
	return err
}

// removeParts removes parts, some of which may be missing.
func (s keyringStore) removeParts(ctx context.Context, name string, parts partsItem) error {
	for _, part := range parts.partNames(name) {
		if err := s.remove(ctx, part); err != nil && !errors.Is(err, gokeyring.ErrNotFound) {
			return err
		}
	}
	return nil
}
