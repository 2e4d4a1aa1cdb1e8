package record

// What is remembered is bounded: a record of the service has some twenty
// names, none longer than thirty bytes.
const (
	maxNames = 64
	maxName  = 128
)

// names are the names of a record's fields. The records of a list mostly have
// the same ones: a name that stands where it stood in the record before need
// not be scanned, and a field need not be looked for.
type names struct {
	known [maxNames]name
	n     int
	turn  uint64 // another one with every change
}

type name struct {
	text  []byte // in quotes; empty where it is too long to remember
	marks Marks
}

// list is what is known of a record that comes now.
func (m *names) list() []name {
	if m == nil {
		return nil
	}
	return m.known[:m.n]
}

// begins tells whether b begins with the name.
func (k *name) begins(b []byte) bool {
	return len(k.text) > 0 && len(b) >= len(k.text) && string(b[:len(k.text)]) == string(k.text)
}

// learn notes that name i is another one.
func (m *names) learn(i int, text []byte, marks Marks) {
	if m == nil {
		return
	}
	m.turn++
	if i >= maxNames {
		return
	}
	if len(text) > maxName {
		text = nil
	}
	m.known[i] = name{append(m.known[i].text[:0], text...), marks}
	m.n = max(m.n, i+1)
}

// end notes that the record that s scanned has n names.
func (r *Record) end(s *scanner, n int) {
	r.marks, r.turn = s.marks, 0
	if r.names == nil {
		return
	}
	if n < r.names.n {
		r.names.n = n
		r.names.turn++
	}
	r.turn = r.names.turn
}

// A Finder finds the fields Names in many records. It remembers their places
// for as long as the records have the same names.
type Finder struct {
	Names  []string
	names  *names
	turn   uint64
	places []int
}

// In returns for each name the place of its field in r, for r.Field, or -1.
func (f *Finder) In(r *Record) []int {
	if f.places != nil && r.turn != 0 && f.turn == r.turn && f.names == r.names {
		return f.places
	}
	f.places, f.turn, f.names = f.places[:0], r.turn, r.names
	for _, name := range f.Names {
		f.places = append(f.places, r.index(name))
	}
	return f.places
}
