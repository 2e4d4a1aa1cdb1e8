package dedupe

// A Match is a row whose identity an earlier row has already.
type Match struct {
	First  int  // the ordinal of the earliest row with that identity
	Repeat int  // the ordinal of the row that repeats it
	Equal  bool // both rows agree in the content that must agree
}

// A Matcher adds rows to an Index in a second goroutine while the caller reads
// further rows: a look-up mostly waits for memory.
type Matcher struct {
	onMatch  func(Match)
	current  *chunk
	pending  int // chunks that were sent and not received back
	requests chan *chunk
	results  chan *chunk
}

// A chunk is a number of rows that are looked up together, and their matches.
type chunk struct {
	ids, contents []byte
	rows          []span
	matches       []Match
}

// A span is a row and where its identity and its content end in the chunk's bytes.
type span struct{ ordinal, id, content int }

const (
	chunkRows  = 2048
	chunkBytes = 128 << 10
	maxPending = 3
)

// Match returns a matcher that adds rows to the index. The calls of Add, Flush
// and Close call onMatch for each match, in the order of the rows.
func (t *Index) Match(onMatch func(Match)) *Matcher {
	m := &Matcher{onMatch: onMatch, requests: make(chan *chunk, maxPending), results: make(chan *chunk, maxPending), current: &chunk{}}
	go func() {
		defer close(m.results)
		for c := range m.requests {
			id, content := 0, 0
			for _, one := range c.rows {
				f := t.Fingerprint(c.ids[id:one.id], c.contents[content:one.content])
				if first := t.Add(one.ordinal, f); first != one.ordinal {
					c.matches = append(c.matches, Match{first, one.ordinal, t.At(first).content == f.content})
				}
				id, content = one.id, one.content
			}
			m.results <- c
		}
	}()
	return m
}

// Add queues a row for its look-up. appendKey appends the row's identity and the
// content that rows of that identity must agree in. Add returns the identity,
// which is valid until the next call.
func (m *Matcher) Add(ordinal int, appendKey func(id, content []byte) ([]byte, []byte)) []byte {
	if len(m.current.rows) >= chunkRows || len(m.current.ids)+len(m.current.contents) >= chunkBytes {
		m.send()
		if m.pending < maxPending {
			m.current = &chunk{rows: make([]span, 0, chunkRows)}
		} else {
			m.current = m.receive()
		}
	}
	c := m.current
	start := len(c.ids)
	c.ids, c.contents = appendKey(c.ids, c.contents)
	c.rows = append(c.rows, span{ordinal, len(c.ids), len(c.contents)})
	return c.ids[start:]
}

func (m *Matcher) send() {
	m.requests <- m.current
	m.pending++
}

// receive reports the matches of the oldest pending chunk and returns it empty.
func (m *Matcher) receive() *chunk {
	c := <-m.results
	m.pending--
	for _, match := range c.matches {
		m.onMatch(match)
	}
	c.rows, c.ids, c.contents, c.matches = c.rows[:0], c.ids[:0], c.contents[:0], c.matches[:0]
	return c
}

// Flush waits until all rows that were added have been looked up.
func (m *Matcher) Flush() {
	if len(m.current.rows) > 0 {
		m.send()
		m.current = m.receive()
	}
	for m.pending > 0 {
		m.receive()
	}
}

// Close stops the look-up. Matches that were not flushed are dropped.
func (m *Matcher) Close() {
	close(m.requests)
	for range m.results {
	}
}
