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

// castagnoli returns the table of CRC-32C. crc32 makes it at the first call; a package variable would make it in every command.
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

const searchStep = 64 << 10

// findFrame returns the position of the first valid event between two offsets of a
// file, -1 if there is none. However large the file is, it takes little memory.
func findFrame(file io.ReaderAt, from, size int64, isKind func(byte) bool) int64 {
	text := make([]byte, min(searchStep+binary.MaxVarintLen64, max(0, size-from)))
	for ; from < size; from += searchStep {
		read, _ := file.ReadAt(text, from)
		for i := range min(read, searchStep) {
			n, used := binary.Uvarint(text[i:read])
			if used <= 0 || n == 0 || n > maxEvent || i+used >= read || !isKind(text[i+used]) {
				continue
			}
			at := from + int64(i)
			if event := at + int64(used); event+int64(n)+checksumSize <= size && isFrame(file, event, int64(n)) {
				return at
			}
		}
	}
	return -1
}

// isFrame reports whether an event of n bytes at an offset is followed by its checksum.
func isFrame(file io.ReaderAt, at, n int64) bool {
	sum := crc32.New(castagnoli())
	if _, err := io.Copy(sum, io.NewSectionReader(file, at, n)); err != nil {
		return false
	}
	var want [checksumSize]byte
	if _, err := file.ReadAt(want[:], at+n); err != nil && err != io.EOF {
		return false
	}
	return sum.Sum32() == binary.LittleEndian.Uint32(want[:])
}
