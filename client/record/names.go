package record

// What is remembered is bounded: a record of the service has some twenty
// names, none longer than thirty bytes.
const (
	maxCached    = 64
	maxCachedLen = 128
)

// nameCache are the names of a record's fields. The records of a list mostly have
// the same ones: a name that stands where it stood in the record before need
// not be scanned, and a field need not be looked for.
type nameCache struct {
	names   [maxCached]cachedName
	n       int
	version uint64 // another one with every change
}

type cachedName struct {
	quoted []byte // in quotes; empty where it is too long to remember
	marks  Marks
}

// cached is what is known of a record that comes now.
func (m *nameCache) cached() []cachedName {
	if m == nil {
		return nil
	}
	return m.names[:m.n]
}

// isPrefixOf tells whether b begins with the name.
func (k *cachedName) isPrefixOf(b []byte) bool {
	return len(k.quoted) > 0 && len(b) >= len(k.quoted) && string(b[:len(k.quoted)]) == string(k.quoted)
}

// set notes that name i is another one.
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

// finish notes that the record that s scanned has n names.
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

// A Finder finds the fields Names in many records. It remembers their places
// for as long as the records have the same names.
type Finder struct {
	Names   []string
	cache   *nameCache
	version uint64
	places  []int
}

// In returns for each name the place of its field in r, for r.Field, or -1.
func (f *Finder) In(r *Record) []int {
	if f.places != nil && r.version != 0 && f.version == r.version && f.cache == r.cache {
		return f.places
	}
	f.places, f.version, f.cache = f.places[:0], r.version, r.cache
	for _, name := range f.Names {
		f.places = append(f.places, r.index(name))
	}
	return f.places
}
