package record

import (
	"bytes"
	"fmt"
	"testing"
)

// endless gives a text over and over.
type endless struct {
	text []byte
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	return n, nil
}

// keywordList is some records of a keyword list, one like another.
func keywordList() []byte {
	var text bytes.Buffer
	for i := range 1000 {
		fmt.Fprintf(&text, `{"rank_id":%d,"account_id":%d,"campaign_id":101,"keyword":"red running shoes %d","type":"target","status":1,"rank_google_organic":12,"rank_google_map":999} `, 7_000_000+i, 1+i%50, i)
	}
	return text.Bytes()
}

// BenchmarkReader takes records off a stream.
func BenchmarkReader(b *testing.B) {
	text := keywordList()
	r := NewReader(&endless{text: text}, 1<<20)
	var rec Record
	b.SetBytes(int64(len(text) / 1000))
	b.ReportAllocs()
	for b.Loop() {
		if err := r.Record(&rec); err != nil { // noError would take longer than that
			b.Fatal(err)
		}
	}
}

// BenchmarkFinder looks all fields of a record up.
func BenchmarkFinder(b *testing.B) {
	r := NewReader(&endless{text: keywordList()}, 1<<20)
	var rec Record
	noError(b, r.Record(&rec))
	var f Finder
	for name := range rec.Fields() {
		f.Names = append(f.Names, name)
	}
	for b.Loop() {
		for _, i := range f.In(&rec) {
			if v, _ := rec.Field(i); v == nil {
				b.Fatal("a field is missing")
			}
		}
	}
}
