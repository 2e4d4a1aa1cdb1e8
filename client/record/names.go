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

// A Finder looks the field Name up in many records. It remembers its place
// for as long as they have the same names.
type Finder struct {
	Name  string
	names *names
	turn  uint64
	place int
}

// In is r.Lookup(f.Name).
func (f *Finder) In(r *Record) (Value, Marks) {
	if f.place > 0 && f.turn == r.turn && f.names == r.names {
		field := &r.fields[f.place-1]
		return r.raw[field.val:field.end], field.marks
	}
	return f.seek(r)
}

func (f *Finder) seek(r *Record) (Value, Marks) {
	if r.turn == 0 {
		return r.Lookup(f.Name)
	}
	if f.turn != r.turn || f.names != r.names {
		f.place, f.turn, f.names = r.index(f.Name)+1, r.turn, r.names
	}
	if f.place == 0 {
		return nil, 0
	}
	field := &r.fields[f.place-1]
	return r.value(field), field.marks
}
