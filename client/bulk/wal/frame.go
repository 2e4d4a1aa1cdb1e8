package wal

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
)

const (
	maxEvent     = 64 << 20 // the maximum number of bytes of an event
	checksumSize = 4
)

// castagnoli returns the table of CRC-32C. crc32 makes the table at the first call. A
// package variable would make it at the start of every command, and take longer than all
// else that most commands do.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// AppendFrame appends the frame of an event to b: its length, its bytes and its checksum.
func AppendFrame(b, event []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(event)))
	b = append(b, event...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(event, castagnoli()))
}

// readFrame reads the frame of an event, and returns the event and the size of the frame.
// It returns nil if the frame is incomplete or invalid, and at the end of the file.
func readFrame(in *bufio.Reader) (event []byte, size int64) {
	head, _ := in.Peek(binary.MaxVarintLen64) // returns fewer bytes at the end of the file
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

// findFrame returns the offset of the first valid frame in text, -1 if there is none.
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
