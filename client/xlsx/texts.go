package xlsx

import (
	"encoding/binary"
	"io"
	"sort"
	"sync"
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
	// pageSize and pageTexts are how many bytes and texts a page has, with which it ends.
	pageSize  = 32 << 10
	pageTexts = 4 << 10
	// cachedPages is how many pages of the temporary file are in memory.
	cachedPages = 16
	// maxCached is the size of the largest page that stays in memory, in bytes. A page is
	// larger than pageSize if its last text is long.
	maxCached = 256 << 10
)

// A textTable is the texts that cells share, by their numbers. The first ones are in memory, the others in pages of a temporary file.
type textTable struct {
	create func() (TempFile, error) // nil if there may be no file
	held   []string
	size   int // how much memory these take

	pages []textPage
	page  []byte // the last one, if it is not in the file yet: the texts, each behind its length
	count int    // of all texts
	file  TempFile
	end   int64 // of the file

	mu     sync.Mutex // guards cached, since several passes may read the texts at a time
	cached [cachedPages]struct {
		number int // from 1; 0 for none
		texts  []string
	}
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
	if t.size += len(text) + textOverhead; t.size <= limit {
		t.held = append(t.held, string(text))
		return nil
	}
	if len(t.page) == 0 {
		t.pages = append(t.pages, textPage{t.count - 1, t.end})
	}
	t.page = append(binary.AppendUvarint(t.page, uint64(len(text))), text...)
	if len(t.page) < pageSize && t.count-t.pages[len(t.pages)-1].first < pageTexts {
		return nil
	}
	return t.endPage()
}

func (t *textTable) endPage() error {
	if t.create == nil {
		return errorf("has texts that take more than %d MB of memory, and passwords are held in memory only: save it as CSV", maxTextsWithoutFile>>20)
	}
	if t.file == nil {
		file, err := t.create()
		if err != nil {
			return &readError{err}
		}
		t.file = file
	}
	if _, err := t.file.Write(t.page); err != nil {
		return &readError{err}
	}
	t.end, t.page = t.end+int64(len(t.page)), t.page[:0]
	return nil
}

func (t *textTable) text(number int) (string, error) {
	if number < len(t.held) {
		return t.held[number], nil
	}
	at := sort.Search(len(t.pages), func(i int) bool { return t.pages[i].first > number }) - 1
	first := t.pages[at].first
	t.mu.Lock()
	defer t.mu.Unlock()
	slot := &t.cached[at%cachedPages]
	if slot.number == at+1 {
		return slot.texts[number-first], nil
	}
	texts, size, err := t.read(at)
	if err != nil {
		return "", &readError{err}
	}
	if size <= maxCached {
		slot.number, slot.texts = at+1, texts
	}
	return texts[number-first], nil
}

func (t *textTable) read(page int) (texts []string, size int, err error) {
	from, end := t.pages[page].offset, t.end
	if page+1 < len(t.pages) {
		end = t.pages[page+1].offset
	}
	in := make([]byte, end-from)
	if _, err := t.file.ReadAt(in, from); err != nil {
		return nil, 0, err
	}
	for len(in) > 0 {
		length, size := binary.Uvarint(in)
		end := size + int(length)
		texts, in = append(texts, string(in[size:end])), in[end:]
	}
	return texts, int(end - from), nil
}

func (t *textTable) close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}

// A readError is an error of a temporary file, which says nothing of the workbook.
type readError struct{ error }

func (e *readError) Unwrap() error { return e.error }

func (w *Workbook) sharedText(number int) (string, error) {
	w.loadTexts.Do(func() { w.textsErr = w.readTexts() })
	if w.textsErr != nil {
		return "", w.textsErr
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
	if err == nil && len(w.texts.page) > 0 {
		err = w.texts.endPage()
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
