package wal

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
)

const (
	maxEvent     = 64 << 20 // bytes of one event
	checksumSize = 4
)

// castagnoli returns the table of CRC-32C. It is made when it is first needed:
// making it takes longer than all else that most commands do.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// AppendFrame appends an event to b with its length and its checksum, as in the file.
func AppendFrame(b, event []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(event)))
	b = append(b, event...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(event, castagnoli()))
}

// readFrame reads an event and returns it with the size of its frame. It returns nil if
// the event is incomplete or invalid, and at the end of the file.
func readFrame(in *bufio.Reader) (event []byte, size int64) {
	head, _ := in.Peek(binary.MaxVarintLen64) // fewer bytes at the end of the file
	n, used := binary.Uvarint(head)
	if used <= 0 || n == 0 || n > maxEvent {
		return nil, 0
	}
	_, _ = in.Discard(used)
	b := make([]byte, n+checksumSize)
	if _, err := io.ReadFull(in, b); err != nil {
		return nil, 0
	}
	event, sum := b[:n], binary.LittleEndian.Uint32(b[n:])
	if crc32.Checksum(event, castagnoli()) != sum {
		return nil, 0
	}
	return event, int64(used + len(b))
}

// findFrame returns the position of the first valid event in text, -1 if there is
// none.
func findFrame(text []byte, isKind func(byte) bool) int {
	for i := range text {
		n, used := binary.Uvarint(text[i:])
		if used <= 0 || n == 0 || n > maxEvent || len(text)-i-used < int(n)+checksumSize || !isKind(text[i+used]) {
			continue
		}
		event := text[i+used:][:n]
		if crc32.Checksum(event, castagnoli()) == binary.LittleEndian.Uint32(text[i+used+int(n):]) {
			return i
		}
	}
	return -1
}
