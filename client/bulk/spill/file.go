package spill

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"os"
)

const (
	// bufferSize is how many bytes of a part are gathered in memory before they are
	// written.
	bufferSize = 16 << 10
	// readSize is how many bytes of a part are read at a time.
	readSize = 64 << 10
)

// A File is a temporary file that holds several parts. Only this user may read it. Where
// the operating system allows it, the file has no name, so that nothing is left behind
// when the process is killed.
type File struct {
	file  *os.File
	size  int64
	parts []part
}

// A part is a sequence of bytes: its extents in the file, then its buffer.
type part struct {
	extents []extent
	buf     []byte
}

type extent struct{ offset, size int64 }

// Create creates a file with a number of empty parts in the folder for temporary files.
// The caller must close it.
func Create(parts int) (*File, error) {
	file, err := os.CreateTemp("", "reseller-rows-*") // mode 0600
	if err != nil {
		return nil, wrapError(err)
	}
	_ = os.Remove(file.Name()) // Windows refuses that: there, Close removes the file
	return &File{file: file, parts: make([]part, parts)}, nil
}

func wrapError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("rows can't be kept in a temporary file: %w", err)
}

// Append appends a record to a part.
func (f *File) Append(to int, record []byte) error {
	p := &f.parts[to]
	if len(p.buf)+binary.MaxVarintLen64+len(record) > bufferSize {
		if err := f.flush(p); err != nil {
			return err
		}
	}
	if p.buf == nil {
		p.buf = make([]byte, 0, bufferSize)
	}
	p.buf = append(binary.AppendUvarint(p.buf, uint64(len(record))), record...)
	return nil
}

// flush writes the buffer of a part to the end of the file.
func (f *File) flush(p *part) error {
	if len(p.buf) == 0 {
		return nil
	}
	if _, err := f.file.WriteAt(p.buf, f.size); err != nil {
		return wrapError(err)
	}
	p.extents = append(p.extents, extent{f.size, int64(len(p.buf))})
	f.size += int64(len(p.buf))
	p.buf = p.buf[:0]
	return nil
}

// Records returns the records of a part. A record is valid until the next one is read.
func (f *File) Records(of int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		p := &f.parts[of]
		if err := f.flush(p); err != nil {
			yield(nil, err)
			return
		}
		p.buf = nil
		in := bufio.NewReaderSize(&reader{f.file, p.extents}, readSize)
		var record []byte
		for {
			n, err := binary.ReadUvarint(in)
			if err == io.EOF {
				return
			}
			if uint64(cap(record)) < n {
				record = make([]byte, n)
			}
			if record = record[:n]; err == nil {
				_, err = io.ReadFull(in, record)
			}
			if !yield(record, wrapError(err)) || err != nil {
				return
			}
		}
	}
}

// A reader reads extents one after the other.
type reader struct {
	file *os.File
	rest []extent
}

func (r *reader) Read(b []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	next := &r.rest[0]
	n, err := r.file.ReadAt(b[:min(int64(len(b)), next.size)], next.offset)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF // somebody has shortened the file
	}
	if next.offset, next.size = next.offset+int64(n), next.size-int64(n); next.size == 0 {
		r.rest = r.rest[1:]
	}
	return n, err
}

// Close closes the file and removes it. It does nothing for a nil *File.
func (f *File) Close() error {
	if f == nil {
		return nil
	}
	err := f.file.Close()
	_ = os.Remove(f.file.Name())
	return err
}
