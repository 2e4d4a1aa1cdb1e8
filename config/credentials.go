package config

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// credentialsFile is a Store in a file that only its owner may read. It exists
// only where the user asked for it. Without a path it is always empty.
type credentialsFile struct {
	path string
}

var _ Store = credentialsFile{}

type credentialsEntry struct {
	Profile  string    `json:"profile"`
	Origin   string    `json:"origin"`
	Token    string    `json:"token"`
	Expires  time.Time `json:"expires,omitzero"`
	Username string    `json:"username,omitempty"`
	Password string    `json:"password,omitempty"`
}

// Format keeps secrets out of whatever prints an entry.
func (e credentialsEntry) Format(f fmt.State, _ rune) { fmt.Fprint(f, "entry (hidden)") }

type credentialsDocument struct {
	Entries []credentialsEntry `json:"entries"`
}

func (d credentialsDocument) index(profile, origin string) int {
	return slices.IndexFunc(d.Entries, func(e credentialsEntry) bool {
		return e.Profile == profile && e.Origin == origin
	})
}

func (c credentialsFile) String() string { return "file " + c.path }

func (c credentialsFile) Get(_ context.Context, profile, address string) (Entry, bool, error) {
	origin, err := OriginOf(address)
	if err != nil {
		return Entry{}, false, err
	}
	doc, err := c.read()
	if err != nil {
		return Entry{}, false, err
	}
	i := doc.index(profile, origin)
	if i < 0 {
		return Entry{}, false, nil
	}
	e := doc.Entries[i]
	return Entry{e.Token, e.Expires, e.Username, e.Password}, true, nil
}

func (c credentialsFile) Put(ctx context.Context, profile, address string, entry Entry) error {
	origin, err := OriginOf(address)
	if err != nil {
		return err
	}
	return c.edit(ctx, func(doc *credentialsDocument) bool {
		kept := credentialsEntry{profile, origin, entry.Token, entry.Expires, entry.Username, entry.Password}
		if i := doc.index(profile, origin); i >= 0 {
			doc.Entries[i] = kept
		} else {
			doc.Entries = append(doc.Entries, kept)
		}
		return true
	})
}

func (c credentialsFile) Delete(ctx context.Context, profile, address string) (bool, error) {
	origin, err := OriginOf(address)
	if err != nil {
		return false, err
	}
	// A look first: nothing is made or locked to remove what is not there.
	if _, found, err := c.Get(ctx, profile, origin); !found || err != nil {
		return false, err
	}
	var removed bool
	err = c.edit(ctx, func(doc *credentialsDocument) bool {
		i := doc.index(profile, origin)
		if removed = i >= 0; removed {
			doc.Entries = slices.Delete(doc.Entries, i, i+1)
		}
		return removed
	})
	return removed, err
}

// edit changes the file as it is now, when change says that it did.
func (c credentialsFile) edit(ctx context.Context, change func(*credentialsDocument) bool) error {
	path, err := writable(c.path)
	if err != nil {
		return err
	}
	return locked(ctx, path, func() error {
		doc, err := c.read()
		if err != nil || !change(&doc) {
			return err
		}
		raw, err := json.MarshalIndent(doc, "", "  ")
		if err != nil {
			return errors.New("the credentials can't be written as JSON")
		}
		return writeAtomically(path, raw)
	})
}

func (c credentialsFile) read() (credentialsDocument, error) {
	var doc credentialsDocument
	if c.path == "" {
		return doc, nil
	}
	file, err := os.Open(c.path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return doc, nil
	}
	if err != nil {
		return doc, &Error{Message: fmt.Sprintf("credentials %s can't be read: %v", c.path, cause(err)), Err: err}
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	// Windows has no such bits; there the user's own folder protects the file.
	if err == nil && runtime.GOOS != "windows" && info.Mode()&0o077 != 0 {
		return doc, &Error{
			Message: fmt.Sprintf("credentials %s can be read by others (mode %04o): run `chmod 600 %s`",
				c.path, info.Mode().Perm(), c.path),
			Hint: "a token that others may have read should be replaced",
		}
	}
	raw, err := io.ReadAll(file)
	if err != nil {
		return doc, &Error{Message: fmt.Sprintf("credentials %s can't be read: %v", c.path, cause(err)), Err: err}
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		// The cause may quote a secret.
		return credentialsDocument{}, &Error{
			Message: fmt.Sprintf("credentials %s are broken: not JSON of ours", c.path),
			Hint:    "remove the file and run `reseller auth login --insecure-storage` again",
		}
	}
	return doc, nil
}
