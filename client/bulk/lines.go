package bulk

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

const (
	// maxLine is the longest line, row or value that is read, in bytes.
	maxLine = 32 << 20
	// lineBuffer is how much is read at a time.
	lineBuffer = 64 << 10
	lineRoom   = 4 << 10 // beside it, for the beginning of a line
)

// lines reads a text line by line. What was read becomes one string, of which
// the lines are pieces.
type lines struct {
	r     io.Reader
	n     int    // the number of the line that next gave last
	text  string // lines that were read and not given yet
	sound bool   // nothing in text is bad,
	plain bool   // nor is there a quote
	buf   []byte
	begun int   // bytes of buf that are the beginning of a line
	ended error // what reading ended with
}

func newLines(r io.Reader) *lines { return &lines{r: r, buf: make([]byte, lineBuffer+lineRoom)} }

// next returns the next line without its end. After the last line it returns
// io.EOF.
func (l *lines) next() (string, error) {
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
	l.n++
	if len(line) > maxLine {
		return "", tooLong(l.n)
	}
	if end := len(line) - 1; end >= 0 && line[end] == '\r' {
		line = line[:end]
	}
	return line, nil
}

// fill reads at least one line, and the beginning of another one.
func (l *lines) fill() error {
	for l.ended == nil {
		if l.begun == len(l.buf) {
			if l.begun > maxLine {
				return tooLong(l.n + 1)
			}
			l.buf = append(l.buf, make([]byte, len(l.buf))...)
		}
		n, err := io.ReadAtLeast(l.r, l.buf[l.begun:], 1)
		whole := l.begun + bytes.LastIndexByte(l.buf[l.begun:l.begun+n], '\n') + 1
		if whole == l.begun {
			whole = 0
		}
		l.begun += n
		if l.ended = err; err == io.EOF {
			whole = l.begun
		}
		if whole > 0 {
			l.text = string(l.buf[:whole])
			l.sound = badText(l.text) == ""
			l.plain = l.sound && strings.IndexByte(l.text, '"') < 0
			l.begun = copy(l.buf, l.buf[whole:l.begun])
			return nil
		}
	}
	return l.ended
}

// bad tells what keeps a line, the last that next gave, from being read.
func (l *lines) bad(line string) string {
	if l.sound {
		return ""
	}
	return badText(line)
}

func tooLong(line int) error {
	return fatal(Fault{Line: line, Reason: fmt.Sprintf("is longer than %d MB", maxLine>>20)})
}

// badText tells what keeps text from being read as UTF-8, "" where nothing does.
func badText(text string) string {
	switch {
	case !utf8.ValidString(text):
		return "is not valid UTF-8: save the file as UTF-8"
	case strings.IndexByte(text, 0) >= 0:
		return "holds a NUL byte: save the file as UTF-8"
	}
	return ""
}
