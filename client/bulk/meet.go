package bulk

// A meeting is of a row with the first one of the same identity.
type meeting struct {
	first, again int
	same         bool // they agree in what must agree
}

// meetings finds them while further rows are read: looking rows up is waiting
// for memory, mostly.
type meetings struct {
	tell    func(meeting)
	now     *crowd
	asked   int // crowds that were not answered yet
	ask     chan *crowd
	answers chan *crowd
}

// A crowd is rows that are looked up together, and whom they met.
type crowd struct {
	ids, sames []byte
	rows       []oneOfMany
	met        []meeting
}

// oneOfMany is a row and where in its crowd its identity ends.
type oneOfMany struct{ row, id, same int }

const (
	crowdRows  = 2048
	crowdBytes = 128 << 10
	crowds     = 3
)

// meet begins to look up rows. Meetings are told in the order of the file, by
// calls of add and settle.
func (t *seen) meet(tell func(meeting)) *meetings {
	m := &meetings{tell: tell, ask: make(chan *crowd, crowds), answers: make(chan *crowd, crowds), now: &crowd{}}
	go func() {
		defer close(m.answers)
		for c := range m.ask {
			id, same := 0, 0
			for _, one := range c.rows {
				s := t.sight(c.ids[id:one.id], c.sames[same:one.same])
				if first := t.put(one.row, s); first != one.row {
					c.met = append(c.met, meeting{first, one.row, t.at(first).same == s.same})
				}
				id, same = one.id, one.same
			}
			m.answers <- c
		}
	}()
	return m
}

// add looks a row up, some time. It returns its identity, which is valid until
// the next call.
func (m *meetings) add(row *Row, identity Identity) []byte {
	if len(m.now.rows) >= crowdRows || len(m.now.ids)+len(m.now.sames) >= crowdBytes {
		m.send()
		if m.asked < crowds {
			m.now = &crowd{rows: make([]oneOfMany, 0, crowdRows)}
		} else {
			m.now = m.take()
		}
	}
	c := m.now
	start := len(c.ids)
	c.ids, c.sames = identity(row.Values, c.ids, c.sames)
	c.rows = append(c.rows, oneOfMany{row.ordinal, len(c.ids), len(c.sames)})
	return c.ids[start:]
}

func (m *meetings) send() {
	m.ask <- m.now
	m.asked++
}

// take tells of the crowd that was asked about first, and gives it back empty.
func (m *meetings) take() *crowd {
	c := <-m.answers
	m.asked--
	for _, meeting := range c.met {
		m.tell(meeting)
	}
	c.rows, c.ids, c.sames, c.met = c.rows[:0], c.ids[:0], c.sames[:0], c.met[:0]
	return c
}

// settle tells of all rows so far.
func (m *meetings) settle() {
	if len(m.now.rows) > 0 {
		m.send()
		m.now = m.take()
	}
	for m.asked > 0 {
		m.take()
	}
}

// end leaves what was not settled.
func (m *meetings) end() {
	close(m.ask)
	for range m.answers {
	}
}
