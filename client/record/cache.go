package record

// The cache is bounded: a record of the service has some twenty names, none
// longer than thirty bytes.
const (
	maxCached    = 64
	maxCachedLen = 128
)

// A nameCache holds the names of the fields of the record that was read last.
// The records of a list mostly have the same names in the same order: a name
// that stands where it stood in the record before need not be scanned again, and
// a Finder need not look for its fields again.
type nameCache struct {
	names   [maxCached]cachedName
	n       int
	version uint64 // changes with the names
}

type cachedName struct {
	quoted []byte // empty where the name is too long to be cached
	marks  Marks
}

// cached returns the names that the next record probably has.
func (m *nameCache) cached() []cachedName {
	if m == nil {
		return nil
	}
	return m.names[:m.n]
}

// isPrefixOf reports whether b begins with the name.
func (k *cachedName) isPrefixOf(b []byte) bool {
	return len(k.quoted) > 0 && len(b) >= len(k.quoted) && string(b[:len(k.quoted)]) == string(k.quoted)
}

// set stores the name in quotes of field i.
func (m *nameCache) set(i int, text []byte, marks Marks) {
	if m == nil {
		return
	}
	m.version++
	if i >= maxCached {
		return
	}
	if len(text) > maxCachedLen {
		text = nil
	}
	m.names[i] = cachedName{append(m.names[i].quoted[:0], text...), marks}
	m.n = max(m.n, i+1)
}

// finish stores in the record that s has scanned the marks of its text and the
// version of the cache, which holds its n names.
func (r *Record) finish(s *scanner, n int) {
	r.marks, r.version = s.marks, 0
	if r.cache == nil {
		return
	}
	if n < r.cache.n {
		r.cache.n = n
		r.cache.version++
	}
	r.version = r.cache.version
}

// A Finder finds the fields Names in many records. It looks for them again only
// where a record has other names than the one before.
type Finder struct {
	Names   []string // top-level fields
	cache   *nameCache
	version uint64
	indexes []int
}

// In returns for each of Names the index of its field in r, as Record.Field takes
// it, or -1. The slice is valid until the next call.
func (f *Finder) In(r *Record) []int {
	if f.indexes != nil && r.version != 0 && f.version == r.version && f.cache == r.cache {
		return f.indexes
	}
	f.indexes, f.version, f.cache = f.indexes[:0], r.version, r.cache
	for _, name := range f.Names {
		f.indexes = append(f.indexes, r.index(name))
	}
	return f.indexes
}
