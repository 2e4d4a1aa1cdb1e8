package dedupe

import (
	"bytes"

	"reseller/client/crash"
)

// A Match is a pair of rows with the same identity.
type Match struct {
	First, FirstLine   int  // the ordinal and the line of the first row with the identity
	Repeat, RepeatLine int  // those of the later row
	Equal              bool // both rows have the same content
}

// A Matcher adds rows to an Index in a second goroutine while the caller reads further rows. Validation of large files is
// faster that way, since most of the time of a look-up is spent waiting for memory.
type Matcher struct {
	index    *Index
	onMatch  func(Match)
	current  *chunk
	pending  int         // the number of chunks that were sent and not received back
	requests chan *chunk // to the second goroutine: chunks to look up
	results  chan *chunk // from the second goroutine: the same chunks with their matches
}

type chunk struct {
	ids, contents []byte // the identities and the contents of all rows, joined
	rows          []span
	matches       []Match
}

// A span is the ordinal and the line of a row, and the offsets in its chunk at which its identity and its content end.
type span struct{ ordinal, line, id, content int }

const (
	chunkRows  = 2048      // the rows of a full chunk
	chunkBytes = 128 << 10 // the bytes of a full chunk
	maxPending = 3         // the chunks that may wait for the second goroutine
)

// Match returns a matcher that adds rows to the index. Its methods Add and Finish call onMatch for each match, in any order.
// Until Close returns, only the matcher may use the index.
func (t *Index) Match(onMatch func(Match)) *Matcher {
	m := &Matcher{index: t, onMatch: onMatch, requests: make(chan *chunk, maxPending), results: make(chan *chunk, maxPending), current: &chunk{}}
	go func() {
		defer close(m.results)
		defer crash.Recover()
		var last []byte // a content, which many rows have
		hash := t.hashContent(last)
		var prints []Fingerprint
		for c := range m.requests {
			id, content := 0, 0
			prints = prints[:0]
			for _, one := range c.rows {
				if text := c.contents[content:one.content]; !bytes.Equal(text, last) {
					last, hash = append(last[:0], text...), t.hashContent(text)
				}
				prints = append(prints, t.fingerprint(c.ids[id:one.id], hash))
				id, content = one.id, one.content
			}
			t.touch(prints)
			for i, one := range c.rows {
				if match, ok := t.Add(one.ordinal, one.line, prints[i]); ok {
					c.matches = append(c.matches, match)
				}
			}
			m.results <- c
		}
	}()
	return m
}

// Add queues a row, which the second goroutine looks up. appendKey must append the row's identity to id, and to content the
// bytes that rows with that identity must agree in. Add returns the identity, which is valid until the next call.
func (m *Matcher) Add(ordinal, line int, appendKey func(id, content []byte) ([]byte, []byte)) []byte {
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
	c.rows = append(c.rows, span{ordinal, line, len(c.ids), len(c.contents)})
	return c.ids[start:]
}

func (m *Matcher) send() {
	m.requests <- m.current
	m.pending++
}

// receive waits for the oldest pending chunk, calls onMatch for its matches, and returns the chunk emptied.
func (m *Matcher) receive() *chunk {
	c := <-m.results
	m.pending--
	for _, match := range c.matches {
		m.onMatch(match)
	}
	c.rows, c.ids, c.contents, c.matches = c.rows[:0], c.ids[:0], c.contents[:0], c.matches[:0]
	return c
}

// Finish waits until all added rows are in the index, and calls onMatch for all matches that were not reported yet.
func (m *Matcher) Finish() error {
	if len(m.current.rows) > 0 {
		m.send()
		m.current = m.receive()
	}
	for m.pending > 0 {
		m.receive()
	}
	return m.index.Finish(m.onMatch)
}

// Close stops the second goroutine. It drops matches that were not reported yet.
func (m *Matcher) Close() {
	close(m.requests)
	for range m.results {
	}
}
