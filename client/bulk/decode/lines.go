package decode

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"
	"unsafe"

	"reseller/client/phrase"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

const (
	// MaxLine is the maximum length of a line, row or value, in bytes.
	MaxLine = 32 << 20
	// blockSize is the number of bytes that are read from a file at a time.
	blockSize = 64 << 10
	// lineSlack is the room that a buffer has beside a block, for the line that began in the block before.
	lineSlack = 4 << 10
)

// A lineReader reads a text line by line. A line is valid until the next one is read: it is a part of the memory of a block.
type lineReader struct {
	r       io.Reader
	number  int    // the number of the line that next returned last
	text    string // whole lines that next has not returned yet
	valid   bool   // text is valid UTF-8 without NUL bytes
	plain   bool   // text is valid and contains no quote
	buf     []byte
	whole   int   // the number of bytes at the start of buf that are in text, or were
	partial int   // the number of bytes in buf, the last of which are the start of a line
	err     error // the error of r, io.EOF included
	words   phrase.Wording
}

func newLineReader(r io.Reader, words phrase.Wording) *lineReader {
	size := int64(blockSize) // of what is read at a time: less for a smaller file, of which a folder may have thousands
	if file, ok := r.(interface{ Size() int64 }); ok {
		size = min(size, file.Size())
	}
	return &lineReader{r: r, words: words, buf: make([]byte, size+lineSlack)}
}

// next returns the next line without its end, and io.EOF after the last line.
func (l *lineReader) next() (string, error) {
	line, err := l.nextToLF()
	return strings.TrimSuffix(line, "\r"), err
}

// nextToLF returns the next line without its line feed, but with a carriage return before that, and io.EOF after the last line.
func (l *lineReader) nextToLF() (string, error) {
	if l.text == "" {
		if err := l.fill(); err != nil {
			return "", err
		}
	}
	line := l.text
	if end := strings.IndexByte(line, '\n'); end >= 0 {
		line, l.text = line[:end], line[end+1:]
	} else {
		l.text = ""
	}
	l.number++
	if len(line) > MaxLine {
		return "", tooLong(l.number)
	}
	return line, nil
}

func (l *lineReader) nextNonEmpty() (string, error) {
	for {
		line, err := l.next()
		if err != nil || len(line) > 0 {
			return line, err
		}
	}
}

// nextText returns the next line that is not blank, without the byte-order mark that concatenated files have in their midst.
func (l *lineReader) nextText() (string, error) {
	for {
		line, err := l.nextNonEmpty()
		if line = strings.TrimPrefix(line, string(byteOrderMark)); err != nil || strings.TrimSpace(line) != "" {
			return line, err
		}
	}
}

// fill reads until text holds at least one whole line.
func (l *lineReader) fill() error {
	l.partial = copy(l.buf, l.buf[l.whole:l.partial])
	l.whole = 0
	for l.err == nil {
		if l.partial == len(l.buf) {
			if l.partial > MaxLine {
				return tooLong(l.number + 1)
			}
			l.buf = append(l.buf, make([]byte, len(l.buf))...)
		}
		n, err := io.ReadAtLeast(l.r, l.buf[l.partial:], 1)
		whole := l.partial + bytes.LastIndexByte(l.buf[l.partial:l.partial+n], '\n') + 1
		if whole == l.partial {
			whole = 0
		}
		l.partial += n
		if l.err = err; err == io.EOF {
			whole = l.partial
		}
		if whole > 0 {
			l.whole, l.text = whole, unsafe.String(&l.buf[0], whole)
			l.valid = invalidText(l.text) == ""
			l.plain = l.valid && strings.IndexByte(l.text, '"') < 0
			return nil
		}
	}
	return l.err
}

// invalid returns the reason why the line that next returned last is invalid text, "" if it is valid.
func (l *lineReader) invalid(line string) string {
	if l.valid {
		return ""
	}
	return l.words.Of(invalidText(line))
}

// rawRow returns a row that begins with the line that next returned last, with an issue if the line is invalid text.
func (l *lineReader) rawRow(line string) RawRow {
	row := RawRow{Line: l.number}
	if reason := l.invalid(line); reason != "" {
		row.Issues = []Issue{{Line: l.number, Reason: reason}}
	}
	return row
}

// NoText is the reason why most texts are invalid.
const NoText = "has bytes that are no text in UTF-8 or the encoding that was given: save it as UTF-8, or name its encoding, as in --encoding windows-1252"

func invalidText(text string) string {
	switch {
	case !utf8.ValidString(text):
		return NoText
	case strings.IndexByte(text, 0) >= 0:
		return "contains a NUL byte: save the file as UTF-8"
	}
	return ""
}
