package xlsx

import (
	"bufio"
	"encoding/binary"
	"io"
	"sort"
)

// A TempFile keeps the shared texts that would take too much memory.
type TempFile interface {
	io.Writer
	io.ReaderAt
	io.Closer
}

const (
	// maxTexts is how much memory the shared texts take at most, in bytes. Those behind
	// them are kept in a temporary file.
	maxTexts = 16 << 20
	// maxTextsWithoutFile is the same if there may be no temporary file. A workbook with more
	// texts is refused.
	maxTextsWithoutFile = 50 << 20
	// textOverhead is about how much memory a text takes beside its bytes.
	textOverhead = 32
	// pageSize is how many bytes a page has, with which it ends.
	pageSize = 512
)

// A textTable is the texts that cells share, by their numbers. The first ones are in memory, the others in pages of a temporary
// file, each behind its length.
type textTable struct {
	create func() (TempFile, error) // nil if there may be no file
	held   []string
	size   int // how much memory these take
	count  int // of all texts

	file  TempFile
	out   *bufio.Writer // to the file
	end   int64         // of the file
	pages []textPage
}

type textPage struct {
	first  int   // the number of the first text
	offset int64 // where the page is in the file
}

func (t *textTable) add(text []byte) error {
	limit := maxTexts
	if t.create == nil {
		limit = maxTextsWithoutFile
	}
	t.count++
	switch t.size += len(text) + textOverhead; {
	case t.size <= limit:
		t.held = append(t.held, string(text))
		return nil
	case t.create == nil:
		return errorf("has texts that take more than %d MB of memory, and passwords are held in memory only: save it as CSV", maxTextsWithoutFile>>20)
	case t.file == nil:
		file, err := t.create()
		if err != nil {
			return &readError{err}
		}
		t.file, t.out = file, bufio.NewWriter(file)
	}
	if t.pages == nil || t.end >= t.pages[len(t.pages)-1].offset+pageSize {
		t.pages = append(t.pages, textPage{t.count - 1, t.end})
	}
	length := binary.AppendUvarint(nil, uint64(len(text)))
	t.end += int64(len(length) + len(text))
	_, _ = t.out.Write(length)
	if _, err := t.out.Write(text); err != nil {
		return &readError{err}
	}
	return nil
}

func (t *textTable) text(number int) (string, error) {
	if number < len(t.held) {
		return t.held[number], nil
	}
	page := t.pages[sort.Search(len(t.pages), func(i int) bool { return t.pages[i].first > number })-1]
	in := bufio.NewReaderSize(io.NewSectionReader(t.file, page.offset, t.end-page.offset), pageSize)
	for ; ; number-- {
		length, err := binary.ReadUvarint(in)
		if err == nil && number > page.first {
			_, err = in.Discard(int(length))
		} else if err == nil {
			text := make([]byte, length)
			if _, err = io.ReadFull(in, text); err == nil {
				return string(text), nil
			}
		}
		if err != nil {
			return "", &readError{err}
		}
	}
}

// A readError is an error of a temporary file, which says nothing of the workbook.
type readError struct{ error }

func (e *readError) Unwrap() error { return e.error }

func (w *Workbook) sharedText(number int) (string, error) {
	if err := w.loadTexts(); err != nil {
		return "", err
	}
	if number < 0 || number >= w.texts.count {
		return "", errorf("refers to the shared text %d, but the workbook has %d", number, w.texts.count)
	}
	return w.texts.text(number)
}

func (w *Workbook) readTexts() error {
	if w.textsPath == "" {
		return nil
	}
	var text []byte
	err := w.archive.eachStart(w.textsPath, maxInflated, func(x *xmlReader) (err error) {
		if x.depth() != 2 || string(x.name) != "si" {
			return nil
		}
		if text, err = richText(x, text[:0]); err != nil {
			return err
		}
		return w.texts.add(text)
	})
	if w.texts.out != nil && err == nil {
		if err := w.texts.out.Flush(); err != nil {
			return &readError{err}
		}
	}
	return err
}

// richText appends the text of the element whose start was read last, and reads to its
// end: the texts of its runs one behind the other, without those that say how it is
// pronounced.
func richText(x *xmlReader, dst []byte) ([]byte, error) {
	err := x.inside(func(t token) (err error) {
		switch {
		case t == tokenStart && string(x.name) == "rPh":
			err = x.skip()
		case t == tokenStart && string(x.name) == "t":
			dst, err = plainText(x, dst)
		}
		return err
	})
	return dst, err
}

// plainText appends the text of the element whose start was read last, and reads to its
// end. It drops white space around a text that does not ask for it to be kept, as Excel
// does.
func plainText(x *xmlReader, dst []byte) ([]byte, error) {
	keeps, start := string(x.attr("space")) == "preserve", len(dst)
	dst, err := elementText(x, dst)
	if err != nil {
		return dst, err
	}
	text := dst[start:]
	if !keeps {
		text = trimmed(text)
	}
	return appendUnescapedControl(dst[:start], text), nil
}

// elementText appends the text of the element whose start was read last as it is, and
// reads to its end.
func elementText(x *xmlReader, dst []byte) ([]byte, error) {
	depth := x.depth()
	err := x.inside(func(t token) (err error) {
		if t == tokenText && x.depth() == depth {
			if dst, err = x.appendText(dst); len(dst) > maxRowText {
				err = errTooLong
			}
		}
		return err
	})
	return dst, err
}
