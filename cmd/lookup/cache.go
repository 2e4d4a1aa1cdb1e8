package lookup

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"reseller/client/atomicfile"
	"reseller/client/bulk/rows"
	"reseller/client/names"
	"reseller/client/trust"
	"reseller/cmd/cli"
)

const (
	// cacheLifetime is how long the completion offers names from the cache.
	cacheLifetime = 5 * time.Minute
	// rememberedFor is how long a number is compared with the names of the cache. Old names do no harm there: if another customer
	// was called by the number, the list is read again. After a month they say little, so that the files are removed.
	rememberedFor = 30 * 24 * time.Hour
	// maxCache is the size of the largest file of the cache that is read, in bytes.
	maxCache = 32 << 20

	cachePrefix = "names-"
)

// A cache is a file with the accounts or the campaigns of one reseller, for the completion and for the names of the records that
// a command changes. No command takes an id from it.
type cache struct{ path, home string }

// newCache returns the cache of a list. Its name is made of the profile, the address and the subject of the
// token, so that no other reseller's names are found in it. A token without a subject stands for itself.
func newCache(ctx context.Context, session *cli.Session, kind string) (cache, error) {
	dir := session.CacheDir()
	if !filepath.IsAbs(dir) {
		return cache{}, fmt.Errorf("no folder for the cache: %q is not absolute", dir)
	}
	settings, err := session.Settings()
	if err != nil {
		return cache{}, err
	}
	to, err := session.Destination(ctx)
	if err != nil {
		return cache{}, err
	}
	whose := "subject " + to.Subject
	switch {
	case to.BaseURL == "mock":
		whose, err = session.MockPath("")
	case to.Subject == "":
		whose, err = session.Token(ctx)
		whose = "token " + whose
	}
	if err != nil {
		return cache{}, err
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{kind, settings.Profile(), to.BaseURL, whose}, "\x00")))
	return cache{filepath.Join(dir, cachePrefix+hex.EncodeToString(sum[:16])+".json"), session.Var("HOME")}, nil
}

type snapshot struct {
	Read time.Time  `json:"read"`
	List names.List `json:"list"`
}

// load returns the content of the cache, none if the file is missing, not trusted or as old as lifetime.
func (c cache) load(now time.Time, lifetime time.Duration) (s snapshot) {
	text, err := trust.ReadFile(c.path, c.home, maxCache)
	if err != nil || json.Unmarshal(text, &s) != nil || s.Read.After(now) || now.Sub(s.Read) >= lifetime {
		return snapshot{}
	}
	return s
}

// store replaces the file by one with the list, and removes the files of all resellers that are too old.
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
		if err == nil && strings.HasPrefix(file.Name(), cachePrefix) && now.Sub(info.ModTime()) >= rememberedFor {
			_ = os.Remove(filepath.Join(dir, file.Name()))
		}
	}
	return atomicfile.WriteFile(c.path, text, 0o600)
}

func (x *Finder) recall(ctx context.Context, kind string, lifetime time.Duration) names.List {
	if c, ok := x.cache(ctx, kind); ok {
		return c.load(time.Now(), lifetime).List
	}
	return nil
}

// Learn remembers the names and identifiers that a write has given to accounts; empty ones are not known. Without a list that was
// read before, it keeps them as those of an old list, which the completion does not take for all accounts.
func Learn(ctx context.Context, session *cli.Session, accounts ...names.Entry) {
	c, err := newCache(ctx, session, Account)
	if err != nil || len(accounts) == 0 {
		return
	}
	now := time.Now()
	s := c.load(now, rememberedFor)
	if s.List == nil {
		s.Read = now.Add(-cacheLifetime)
	}
	at := map[int64]int{}
	for i := range s.List {
		at[s.List[i].ID] = i
	}
	for _, e := range accounts {
		i, isKnown := at[e.ID]
		if !isKnown {
			i = len(s.List)
			at[e.ID], s.List = i, append(s.List, names.Entry{ID: e.ID})
		}
		known := &s.List[i]
		known.Name, known.Identifier = cmp.Or(e.Name, known.Name), cmp.Or(e.Identifier, known.Identifier)
	}
	_ = c.store(s.List, s.Read)
}

// cache returns the cache of a list. To find it takes a token, which is not asked for where no list is cached.
func (x *Finder) cache(ctx context.Context, kind string) (c cache, ok bool) {
	files, _ := os.ReadDir(x.session.CacheDir())
	if !slices.ContainsFunc(files, func(file os.DirEntry) bool { return strings.HasPrefix(file.Name(), cachePrefix) }) {
		return cache{}, false
	}
	c, err := newCache(ctx, x.session, kind)
	return c, err == nil
}

// remembers reports whether something may be called by the number of an account or a campaign, or a campaign have that of an
// account, by the lists that were read or the cache. It decodes no file, which may have many thousands of names, for the few such numbers.
func (x *Finder) remembers(ctx context.Context, w wanted) bool {
	return x.got(Account) != nil || x.got(Campaign) != nil || slices.ContainsFunc(x.cached(ctx), func(text []byte) bool {
		return bytes.Contains(text, []byte(`"`+w.ref.Text+`"`)) || w.kind == Account && bytes.Contains(text, []byte(`{"id":`+w.ref.Text+`,"account"`))
	})
}

func (x *Finder) cached(ctx context.Context) (texts [][]byte) {
	for _, kind := range []string{Account, Campaign} {
		if c, ok := x.cache(ctx, kind); ok {
			text, _ := trust.ReadFile(c.path, c.home, maxCache)
			texts = append(texts, text)
		}
	}
	return texts
}

// quotedNumber finds the numbers that are names in a cache, whose ids have no quotes.
var quotedNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"[1-9][0-9]*"`) })

// addNumbers adds to the references of a file the numbers that are names, without a call.
func (x *Finder) addNumbers(ctx context.Context, refs *rows.References) {
	refs.Numbers = map[string]bool{}
	for _, text := range x.cached(ctx) {
		for _, number := range quotedNumber().FindAll(text, -1) {
			refs.Numbers[string(number[1:len(number)-1])] = true
		}
	}
	if len(refs.Numbers) == 0 {
		return
	}
	remembered, byID := New(x.session), map[string]map[int64]names.Entry{} // x may read newer lists
	remembered.indexes = map[string]names.Index{}
	for _, kind := range []string{Account, Campaign} {
		list := x.recall(ctx, kind, rememberedFor)
		remembered.lists[kind], remembered.indexes[kind], byID[kind] = list, list.Index(), map[int64]names.Entry{}
		for _, e := range list {
			byID[kind][e.ID] = e
		}
	}
	refs.Doubt = func(field, number string, campaign int64, called ...string) string {
		id, _ := strconv.ParseInt(number, 10, 64)
		kind := strings.TrimSuffix(field, "_id")
		if e := byID[kind][id]; slices.ContainsFunc(called, func(name string) bool { return name != "" && (name == e.Name || name == e.Identifier) }) {
			return ""
		}
		if len(remembered.others(kind, id, func(kind string) (names.List, error) { return remembered.lists[kind], nil })) == 0 {
			return ""
		}
		if doubt, prefixes := x.doubt(ctx, field, kind, id, campaign); doubt != "" {
			return fmt.Sprintf("%q %s; %s", number, doubt, prefixes)
		}
		return ""
	}
}

// known returns the accounts or campaigns that were read, or else those that the cache has for less than lifetime.
func (x *Finder) known(ctx context.Context, kind string, lifetime time.Duration) names.List {
	x.reading.Lock()
	defer x.reading.Unlock()
	if list := x.lists[kind]; list != nil {
		return list
	}
	return x.recall(ctx, kind, lifetime)
}
