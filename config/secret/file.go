package secret

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"slices"

	"reseller/config/errdefs"
	"reseller/config/lockedfile"
)

// fileStore is a Store in a file that only its owner may read. Without a path it is always empty.
type fileStore struct {
	path, home string
}

const maxFile = 16 << 20

type fileEntry struct {
	Profile string `json:"profile"`
	Origin  string `json:"origin"`
	Entry
}

type fileDocument struct {
	Entries []fileEntry `json:"entries"`
}

func (d fileDocument) index(profile, origin string) int {
	return slices.IndexFunc(d.Entries, func(e fileEntry) bool {
		return e.Profile == profile && e.Origin == origin
	})
}

func (s fileStore) String() string { return "file " + s.path }

func (s fileStore) Get(_ context.Context, profile, origin string) (Entry, bool, error) {
	doc, err := s.read()
	if err != nil {
		return Entry{}, false, err
	}
	i := doc.index(profile, origin)
	if i < 0 {
		return Entry{}, false, nil
	}
	return doc.Entries[i].Entry, true, nil
}

func (s fileStore) Put(ctx context.Context, profile, origin string, entry Entry) error {
	return s.edit(ctx, func(doc *fileDocument) bool {
		e := fileEntry{profile, origin, entry}
		if i := doc.index(profile, origin); i >= 0 {
			doc.Entries[i] = e
		} else {
			doc.Entries = append(doc.Entries, e)
		}
		return true
	})
}

func (s fileStore) Delete(ctx context.Context, profile, origin string) (bool, error) {
	// Without an entry to delete, neither folder nor lock file is created.
	if _, found, err := s.Get(ctx, profile, origin); !found || err != nil {
		return false, err
	}
	var deleted bool
	err := s.edit(ctx, func(doc *fileDocument) bool {
		i := doc.index(profile, origin)
		if deleted = i >= 0; deleted {
			doc.Entries = slices.Delete(doc.Entries, i, i+1)
		}
		return deleted
	})
	return deleted, err
}

// edit calls change with the entries of the file, and writes them back if change reports that it changed them.
func (s fileStore) edit(ctx context.Context, change func(*fileDocument) bool) error {
	return lockedfile.Transform(ctx, s.path, s.home, func(string) ([]byte, error) {
		doc, err := s.read()
		if err != nil || !change(&doc) {
			return nil, err
		}
		raw, err := json.MarshalIndent(doc, "", "  ")
		if err != nil {
			return nil, errors.New("the credentials can't be encoded as JSON")
		}
		return raw, nil
	})
}

// read returns the content of the file. One that others may read, or could have written, is an error.
func (s fileStore) read() (fileDocument, error) {
	var doc fileDocument
	if s.path == "" {
		return doc, nil
	}
	// Windows has no permission bits; there the user's own folder protects the file.
	if info, err := os.Stat(s.path); err == nil && runtime.GOOS != "windows" && info.Mode().IsRegular() && info.Mode()&0o077 != 0 {
		return doc, errdefs.Invalidf("credentials file %s can be read by others (mode %04o): run `chmod 600 %s`", s.path, info.Mode().Perm(), s.path).
			Hinted("others may have read the token: run `reseller auth login` again to replace it")
	}
	raw, err := lockedfile.Read("credentials file", s.path, s.home, maxFile)
	if err != nil || raw == nil {
		return doc, err
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		// The JSON error is left out, since it may quote a secret.
		return fileDocument{}, errdefs.Invalidf("credentials file %s is broken: not in the expected JSON format", s.path).
			Hinted("remove the file and run `reseller auth login --insecure-storage` again")
	}
	return doc, nil
}
