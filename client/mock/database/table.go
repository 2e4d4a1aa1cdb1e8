package database

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"reseller/client/mock/api"
)

// Tx is a transaction. It ends with the function that it was handed to, and so does
// every byte that was read in it and not copied.
type Tx struct{ bolt *bolt.Tx }

// Table is the bucket of one kind of record. A key is a row of integers, of which the
// first is the reseller: so a list is one run of the bucket, and nobody reads the
// records of others. A record is stored as JSON.
type Table[T any] struct {
	name    string
	firstID int64
}

// NewTable describes a table whose ids count up from firstID.
func NewTable[T any](name string, firstID int64) Table[T] { return Table[T]{name, firstID} }

// Create makes the table in a new database.
func (t Table[T]) Create(tx *Tx) error {
	b, err := tx.bolt.CreateBucket([]byte(t.name))
	if err != nil {
		return err
	}
	return b.SetSequence(uint64(t.firstID - 1))
}

func (t Table[T]) bucket(tx *Tx) *bolt.Bucket {
	b := tx.bolt.Bucket([]byte(t.name))
	if b == nil {
		panic("no table " + t.name) // File reports it as damage
	}
	return b
}

// NextID counts up. A transaction that is rolled back uses up no id; one that only
// reads must not count.
func (t Table[T]) NextID(tx *Tx) int64 {
	n, err := t.bucket(tx).NextSequence()
	if err != nil {
		panic(err)
	}
	return int64(n)
}

// LastID is the id that was counted last.
func (t Table[T]) LastID(tx *Tx) int64 { return int64(t.bucket(tx).Sequence()) }

// Has reports whether there is a record with the key.
func (t Table[T]) Has(tx *Tx, key ...int64) bool {
	return t.bucket(tx).Get(encodeKey(key)) != nil
}

// Raw returns a copy of a record as it is stored, or nil if there is none.
func (t Table[T]) Raw(tx *Tx, key ...int64) []byte {
	return bytes.Clone(t.bucket(tx).Get(encodeKey(key)))
}

// Get decodes the record with the key into record and reports whether there is one.
func (t Table[T]) Get(tx *Tx, record *T, key ...int64) (found bool, err error) {
	raw := t.bucket(tx).Get(encodeKey(key))
	if raw == nil {
		return false, nil
	}
	return true, decode(raw, record)
}

// Put stores a record, in the place of one with the same key.
func (t Table[T]) Put(tx *Tx, record T, key ...int64) error {
	return t.PutRaw(tx, api.Encode(record), key...)
}

// PutRaw stores a record that is not JSON. It can be read with Raw alone.
func (t Table[T]) PutRaw(tx *Tx, raw []byte, key ...int64) error {
	b := t.bucket(tx)
	b.FillPercent = 0.9 // ids only grow, so half-empty pages would never be filled
	return b.Put(encodeKey(key), raw)
}

// FirstKey is the key of the reseller's first record, or nil if it has none.
func (t Table[T]) FirstKey(tx *Tx, reseller int64) (key []int64) {
	prefix := encodeKey([]int64{reseller})
	k, _ := t.bucket(tx).Cursor().Seek(prefix)
	if !bytes.HasPrefix(k, prefix) {
		return nil
	}
	for ; len(k) >= 8; k = k[8:] {
		key = append(key, int64(binary.BigEndian.Uint64(k)))
	}
	return key
}

// Walk visits the records whose keys begin with prefix, in the order of their keys, as
// they are stored. In a damaged file pages can lead in circles and sizes can be
// anything: Walk then panics, before it eats all memory, and File reports the damage.
func (t Table[T]) Walk(tx *Tx, visit func(raw []byte), prefix ...int64) {
	c, start := t.bucket(tx).Cursor(), encodeKey(prefix)
	var last []byte
	for k, v := c.Seek(start); bytes.HasPrefix(k, start); k, v = c.Next() {
		if last != nil && bytes.Compare(k, last) <= 0 || len(v) > maxRecord {
			panic("records out of order or too large")
		}
		visit(v)
		last = k
	}
}

// maxRecord is the number of bytes that no record of a sound database reaches.
const maxRecord = 3 * api.MaxBody

// Copy returns copies of the records whose keys begin with prefix and that keep accepts
// (nil accepts all). They can be decoded when the transaction has ended.
func (t Table[T]) Copy(tx *Tx, keep func(raw []byte) bool, prefix ...int64) (raws [][]byte) {
	t.Walk(tx, func(raw []byte) {
		if keep == nil || keep(raw) {
			raws = append(raws, bytes.Clone(raw))
		}
	}, prefix...)
	return raws
}

// Decode decodes records that Copy returned.
func (t Table[T]) Decode(raws [][]byte) ([]T, error) {
	records := make([]T, len(raws))
	for i, raw := range raws {
		if err := decode(raw, &records[i]); err != nil {
			return nil, err
		}
	}
	return records, nil
}

func decode(raw []byte, record any) error {
	if err := json.Unmarshal(raw, record); err != nil {
		return fmt.Errorf("a record of the mock database is damaged: %w", err)
	}
	return nil
}

func encodeKey(key []int64) []byte {
	b := make([]byte, 0, 8*len(key))
	for _, n := range key {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	return b
}
