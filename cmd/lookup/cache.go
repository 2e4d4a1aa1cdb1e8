package lookup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"reseller/client/atomicfile"
	"reseller/client/names"
	"reseller/client/trust"
	"reseller/cmd/cli"
)

const (
	// cacheLifetime is how long the completion offers names from the cache.
	cacheLifetime = 5 * time.Minute
	// maxCache is the size of the largest file of the cache that is read, in bytes.
	maxCache = 32 << 20

	cachePrefix = "names-"
)

// A cache is a file with the accounts or the campaigns of one reseller, for the completion. Commands that change
// something never read it.
type cache struct{ path, home string }

// newCache returns the cache of a list. Its name is made of the profile, the address and the subject of the
// token, so that no other reseller's names are found in it. A token without a subject stands for itself.
func newCache(ctx context.Context, f *cli.Factory, kind string) (cache, error) {
	dir := f.CacheDir()
	if !filepath.IsAbs(dir) {
		return cache{}, fmt.Errorf("no folder for the cache: %q is not absolute", dir)
	}
	home, _ := f.Env("HOME")
	settings, err := f.Settings()
	if err != nil {
		return cache{}, err
	}
	to, err := f.Destination(ctx)
	if err != nil {
		return cache{}, err
	}
	whose := "subject " + to.Subject
	switch tokens, err := f.Tokens(); {
	case err != nil:
		return cache{}, err
	case tokens == nil: // the built-in mock
		if whose, err = f.MockPath(); err != nil {
			return cache{}, err
		}
	case to.Subject == "":
		token, err := tokens.Token(ctx)
		if err != nil {
			return cache{}, err
		}
		whose = "token " + token
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{kind, settings.Profile(), to.BaseURL, whose}, "\x00")))
	return cache{filepath.Join(dir, cachePrefix+hex.EncodeToString(sum[:16])+".json"), home}, nil
}

// A snapshot is the content of a cache.
type snapshot struct {
	Read time.Time  `json:"read"`
	List names.List `json:"list"`
}

// load returns the list of the cache, nil if the file is missing, too old or not trusted.
func (c cache) load(now time.Time) names.List {
	text, err := trust.ReadFile(c.path, c.home, maxCache)
	var s snapshot
	if err != nil || json.Unmarshal(text, &s) != nil || s.Read.After(now) || now.Sub(s.Read) >= cacheLifetime {
		return nil
	}
	return s.List
}

// store replaces the file by one with the list, and removes what the cache has of other resellers and is
// too old.
func (c cache) store(list names.List, now time.Time) error {
	text, err := json.Marshal(snapshot{now, list})
	if err != nil || len(text) > maxCache {
		return err
	}
	dir := filepath.Dir(c.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	files, _ := os.ReadDir(dir)
	for _, file := range files {
		info, err := file.Info()
		if err == nil && strings.HasPrefix(file.Name(), cachePrefix) && now.Sub(info.ModTime()) >= cacheLifetime {
			_ = os.Remove(filepath.Join(dir, file.Name()))
		}
	}
	return atomicfile.WriteFile(c.path, text, 0o600)
}

// RecentAccounts returns the accounts from the cache, and reads them if it has none.
func (x *Finder) RecentAccounts(ctx context.Context) (names.List, error) {
	x.recall(ctx, kindAccount, &x.accounts)
	return x.ReadAccounts(ctx)
}

// RecentCampaigns returns the campaigns from the cache, and reads them if it has none.
func (x *Finder) RecentCampaigns(ctx context.Context) (names.List, error) {
	x.recall(ctx, kindCampaign, &x.campaigns)
	return x.ReadCampaigns(ctx)
}

// recall takes a list from the cache, if it has one.
func (x *Finder) recall(ctx context.Context, kind string, list *names.List) {
	if c, err := newCache(ctx, x.f, kind); err == nil && *list == nil {
		*list = c.load(time.Now())
	}
}
