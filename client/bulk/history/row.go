package history

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// slowRounds is how many rounds the hash of the secrets has.
const slowRounds = 20_000

type (
	key  [16]byte // the hash of the identity of a row
	mark [3]byte  // the hash of its secrets; zero if it has none
)

// A Row has the parts of a row that the history remembers as hashes.
type Row struct {
	parts   []string // the identity of the row, without the address and the subject
	secrets []byte
	key     *key  // nil until it is first needed
	mark    *mark // the same
}

// NewRow returns the row of an operation that id identifies. Rows with the same id and
// other secrets, such as a changed password, are different rows, of which the last one that was sent counts.
func NewRow(operation string, id, secrets []byte) *Row {
	return &Row{parts: []string{operation, string(id)}, secrets: append([]byte(nil), secrets...)}
}

func (h *History) keyOf(r *Row) *key {
	sum := hmac.New(sha256.New, h.salt)
	for _, part := range append([]string{h.address, h.subject}, r.parts...) {
		sum.Write(append(binary.BigEndian.AppendUint64(nil, uint64(len(part))), part...))
	}
	return (*key)(sum.Sum(nil))
}

func (r *Row) hashSecrets(salt []byte) (*mark, error) {
	if len(r.secrets) == 0 {
		return &mark{}, nil
	}
	hash, err := pbkdf2.Key(sha256.New, string(r.secrets), slices.Concat(r.key[:], salt), slowRounds, len(mark{}))
	if err != nil {
		return nil, err
	}
	return (*mark)(hash), nil
}
