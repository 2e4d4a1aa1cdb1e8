package record

import "encoding/binary"

// The limits of a cache. A record of the service has about twenty names, none longer than thirty bytes.
const (
	maxCached    = 64  // names
	maxCachedLen = 128 // bytes of a name
)

// A nameCache holds the field names of the record that was read last. The records of a list mostly have the same names in the
// same order. A name that is in the same place as in the record before is not scanned again, and a Finder does not look for its
// fields again.
type nameCache struct {
	names   []cachedName // at most maxCached
	n       int
	version uint64 // changes with the names
}

type cachedName struct {
	quoted   []byte // the name as a JSON string; empty if it is too long to be cached
	marks    Marks
	words    []uint64 // quoted and a colon; empty if there are marks
	lastMask uint64   // the bytes of the last word that belong to them
}

// cached returns the names that the next record probably has, in their order.
func (m *nameCache) cached() []cachedName {
	if m == nil {
		return nil
	}
	return m.names[:m.n]
}

// set stores the name of field i, which is a JSON string.
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
	if i == len(m.names) {
		m.names = append(m.names, cachedName{})
	}
	k := cachedName{quoted: append(append(m.names[i].quoted[:0], text...), ":\x00\x00\x00\x00\x00\x00\x00"...), marks: marks, words: m.names[i].words[:0]}
	if len(text) > 0 && marks == 0 {
		for at := 0; at <= len(text); at += 8 {
			k.words = append(k.words, binary.LittleEndian.Uint64(k.quoted[at:]))
		}
		k.lastMask = ^uint64(0) >> (8 * (7 - len(text)%8))
	}
	k.quoted = k.quoted[:len(text)]
	m.names[i] = k
	m.n = max(m.n, i+1)
}

// finish completes a record with n fields that s has scanned: it stores the marks of the text and the version of the cache.
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

// A NameSet identifies the names of the fields of a record. Two records with the same
// NameSet have the same names in the same order, unless it is zero, which says nothing.
type NameSet struct {
	cache   *nameCache
	version uint64
}

// NameSet returns the NameSet of the record. It is zero for a record that no Reader has read.
func (r *Record) NameSet() NameSet {
	if r.index == nil || r.version == 0 {
		return NameSet{}
	}
	return NameSet{r.cache, r.version}
}

// A Finder finds the same fields in many records. It searches a record only if its names differ from those of the record before.
type Finder struct {
	Names   []string // the names of top-level fields
	set     NameSet  // the names of the record before
	indexes []int
}

// In returns, for each of Names, the index of its field in r (see Record.Field), or -1. The slice is valid until the next call.
func (f *Finder) In(r *Record) []int {
	set := r.NameSet()
	if f.indexes != nil && set != (NameSet{}) && set == f.set {
		return f.indexes
	}
	f.indexes, f.set = f.indexes[:0], set
	for _, name := range f.Names {
		f.indexes = append(f.indexes, r.indexOf(name))
	}
	return f.indexes
}
