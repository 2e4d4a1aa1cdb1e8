package mock

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// Keys begin with the reseller, so that a list is one run of the bucket and nobody
// reads another's records. Values are JSON; those of keywords, campaigns and notes
// are exactly what a read answers.
var (
	bucketMark        = []byte("mark")
	bucketAccounts    = []byte("accounts")    // reseller, account_id
	bucketCampaigns   = []byte("campaigns")   // reseller, campaign_id
	bucketNotes       = []byte("notes")       // reseller, campaign_id
	bucketKeywords    = []byte("keywords")    // reseller, rank_id
	bucketCredentials = []byte("credentials") // reseller, iam_credentials_id
	bucketTasks       = []byte("tasks")       // reseller, campaign_id, task_id
	bucketPlans       = []byte("plans")       // reseller, campaign_id, number
	bucketProfiles    = []byte("profiles")    // reseller, task_field_id
	bucketEstimates   = []byte("estimates")   // reseller, hash of the parameters
)

// markText is the value that tells the mock's database from others; it changes
// with the layout.
const markText = "reseller mock service 1"

// resellers are all there are.
func resellers() []int64 { return []int64{1, 2} }

func key(parts ...int64) []byte {
	b := make([]byte, 0, 8*len(parts))
	for _, n := range parts {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	return b
}

// nextID counts up; bbolt's sequence of a bucket is rolled back with its transaction.
func nextID(b *bolt.Bucket) (int64, error) {
	n, err := b.NextSequence()
	return int64(n), err
}

// foreign tells whether the record of an id belongs to another reseller.
func foreign(b *bolt.Bucket, reseller, id int64) bool {
	return slices.ContainsFunc(resellers(), func(r int64) bool {
		return r != reseller && b.Get(key(r, id)) != nil
	})
}

// load decodes one record of the reseller; false means that there is none.
func load(b *bolt.Bucket, v any, parts ...int64) (bool, error) {
	raw := b.Get(key(parts...))
	if raw == nil {
		return false, nil
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return false, fmt.Errorf("record %v of the mock database is damaged: %w", parts, err)
	}
	return true, nil
}

func save(b *bolt.Bucket, v any, parts ...int64) error {
	return b.Put(key(parts...), encode(v))
}

// under walks the values whose keys begin with a prefix, in order. In a damaged file
// pages can lead in circles and sizes can be anything: the walk then ends as damage
// does, before it eats all memory.
func under(b *bolt.Bucket, prefix []byte, visit func(value []byte)) {
	c := b.Cursor()
	var last []byte
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		if last != nil && bytes.Compare(k, last) <= 0 || len(v) > 3*bodyLimit {
			panic("records out of order or too large")
		}
		visit(v)
		last = k
	}
}

// listAnswer builds the answer to a list from stored JSON, without decoding it. The
// first walk is for the size: growing a list of 100 MB would take twice its memory.
func listAnswer(b *bolt.Bucket, prefix []byte) answer {
	size, total := 0, 0
	under(b, prefix, func(v []byte) { size += len(v) + 1; total++ })
	end := closing(false, total, okMessages())
	body := make([]byte, 0, len(opening)+2+size+len(end))
	body = append(body, opening+"["...)
	under(b, prefix, func(v []byte) { body = append(append(body, v...), ',') })
	if total > 0 {
		body = body[:len(body)-1]
	}
	body = append(body, ']')
	return answer{status: 200, contentType: jsonType, body: append(body, end...)}
}

// copies returns the values below a prefix, for work that is done after the
// database has been let go.
func copies(b *bolt.Bucket, prefix []byte, keep func([]byte) bool) [][]byte {
	var all [][]byte
	under(b, prefix, func(v []byte) {
		if keep(v) {
			all = append(all, bytes.Clone(v))
		}
	})
	return all
}

func everything([]byte) bool { return true }
