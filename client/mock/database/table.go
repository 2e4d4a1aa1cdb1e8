package database

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"reseller/client/mock/api"
)

// Tx is a transaction. The Tx, and all bytes that were read in it and not copied, are valid
// only until the function that got the Tx returns.
type Tx struct{ bolt *bolt.Tx }

// Table is the bucket of one kind of record. A key consists of integers, the first of which is the reseller. So the records of a
// reseller are next to each other, and a list reads no records of others. A record is stored as JSON.
type Table[T any] struct {
	Name    string
	FirstID int64 // from which the ids count up
}

func (t Table[T]) Create(tx *Tx) error {
	b, err := tx.bolt.CreateBucket([]byte(t.Name))
	if err != nil {
		return err
	}
	return b.SetSequence(uint64(t.FirstID - 1))
}

func (t Table[T]) bucket(tx *Tx) *bolt.Bucket {
	b := tx.bolt.Bucket([]byte(t.Name))
	if b == nil {
		panic("no table " + t.Name) // File reports it as damage
	}
	return b
}

// NextID returns a new id, which is one higher than the last one. If the transaction is
// rolled back, the id is free again. A read transaction must not call NextID.
func (t Table[T]) NextID(tx *Tx) int64 {
	n, err := t.bucket(tx).NextSequence()
	if err != nil {
		panic(err)
	}
	return int64(n)
}

func (t Table[T]) LastID(tx *Tx) int64 { return int64(t.bucket(tx).Sequence()) }

func (t Table[T]) Has(tx *Tx, key ...int64) bool {
	return t.bucket(tx).Get(encodeKey(key)) != nil
}

// Get decodes the record with the key into record and reports whether there is one.
func (t Table[T]) Get(tx *Tx, record *T, key ...int64) (found bool, err error) {
	raw := t.bucket(tx).Get(encodeKey(key))
	if raw == nil {
		return false, nil
	}
	return true, decode(raw, record)
}

func (t Table[T]) Put(tx *Tx, record T, key ...int64) error {
	b := t.bucket(tx)
	b.FillPercent = 0.9 // ids only grow, so half-empty pages would never be filled
	return b.Put(encodeKey(key), api.Encode(record))
}

// Walk calls visit with the JSON of each record whose key begins with prefix, in the order of the keys. In a damaged file, pages
// may refer to each other in a circle and records may seem to have any size. Walk panics then, before it uses up the memory, and
// File reports the damage.
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

// maxRecord is a number of bytes that no record of an undamaged database reaches.
const maxRecord = 3 * api.MaxBody

// Copy returns copies of the records whose keys begin with prefix and for which keep returns true; a nil keep stands for all
// records. Decode decodes the copies, even after the transaction has ended.
func (t Table[T]) Copy(tx *Tx, keep func(raw []byte) bool, prefix ...int64) (raws [][]byte) {
	t.Walk(tx, func(raw []byte) {
		if keep == nil || keep(raw) {
			raws = append(raws, bytes.Clone(raw))
		}
	}, prefix...)
	return raws
}

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
