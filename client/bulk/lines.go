package bulk

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

// maxLine is the longest line, row or value that is read, in bytes.
const maxLine = 32 << 20

// lines reads a text line by line.
type lines struct {
	r    *bufio.Reader
	n    int // the number of the line that next gave last
	long []byte
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 64<<10)} }

// next returns the next line without its end; it is valid until the next call.
// After the last line it returns io.EOF.
func (l *lines) next() ([]byte, error) {
	line, err := l.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = l.long[:0]
		for err == bufio.ErrBufferFull {
			if l.long = append(l.long, line...); len(l.long) > maxLine {
				return nil, tooLong(l.n + 1)
			}
			line, err = l.r.ReadSlice('\n')
		}
		if l.long = append(l.long, line...); len(l.long) > maxLine {
			return nil, tooLong(l.n + 1)
		}
		line = l.long
	}
	if err != nil && err != io.EOF || len(line) == 0 {
		return nil, err
	}
	l.n++
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), nil
}

func tooLong(line int) error {
	return fatal(Fault{Line: line, Reason: fmt.Sprintf("is longer than %d MB", maxLine>>20)})
}

// badText tells what keeps text from being read as UTF-8, "" where nothing does.
func badText(text []byte) string {
	switch {
	case !utf8.Valid(text):
		return "is not valid UTF-8: save the file as UTF-8"
	case bytes.IndexByte(text, 0) >= 0:
		return "holds a NUL byte: save the file as UTF-8"
	}
	return ""
}
