package spill

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"iter"

	"reseller/client/atomicfile"
)

const (
	// bufferSize is how many bytes of a part are gathered in memory before they are written.
	bufferSize = 16 << 10
	// readSize is how many bytes of a part are read at a time.
	readSize = 64 << 10
)

// A File is a temporary file of records in several parts.
type File struct {
	file  *atomicfile.Unnamed
	size  int64
	parts []part
}

// A part is a sequence of bytes: its extents in the file, then its buffer.
type part struct {
	extents []extent
	buf     []byte
}

type extent struct{ offset, size int64 }

// Create creates a file with a number of empty parts. The caller must close it.
func Create(parts int) (*File, error) {
	file, err := atomicfile.CreateUnnamed()
	if err != nil {
		return nil, Error(err)
	}
	return &File{file: file, parts: make([]part, parts)}, nil
}

// Error returns an error which says that rows could not be kept in a temporary file, nil for nil.
func Error(err error) error {
	switch err {
	case nil:
		return nil
	case io.EOF:
		err = io.ErrUnexpectedEOF // somebody has cut the file
	}
	return fmt.Errorf("rows can't be kept in a temporary file: %w", err)
}

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

func (f *File) flush(p *part) error {
	if len(p.buf) == 0 {
		return nil
	}
	if _, err := f.file.Write(p.buf); err != nil {
		return Error(err)
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
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
}

type reader struct {
	file *atomicfile.Unnamed
	rest []extent
}

func (r *reader) Read(b []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	next := &r.rest[0]
	n, err := r.file.ReadAt(b[:min(int64(len(b)), next.size)], next.offset)
	if next.offset, next.size = next.offset+int64(n), next.size-int64(n); next.size == 0 {
		r.rest = r.rest[1:]
	}
	return n, Error(err)
}

// Close removes the file. It does nothing for a nil *File.
func (f *File) Close() error {
	if f == nil {
		return nil
	}
	return f.file.Close()
}
