package xlsx

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
)

const (
	// bufferSize is how much of a part is read at once.
	bufferSize = 64 << 10
	// maxPiece is how long a tag, a comment or a text between two tags is at most, in bytes. What is in the buffer may come on top.
	maxPiece = 1 << 20
	// maxDepth is how deeply elements may be nested. Those of a workbook are nested about
	// ten levels deep.
	maxDepth = 64
)

// maxReference is how long a reference to a character is, such as &#x0010FFFF;. Programs write no longer ones.
const maxReference = 16

// A pieceReader reads a document up to the limit of a token, and refuses references to half a character of UTF-16, which encoding/xml
// would read as U+FFFD.
type pieceReader struct {
	io.LimitedReader
	last []byte // what was read last, and what was just before it
}

func (p *pieceReader) Read(b []byte) (int, error) {
	n, err := p.LimitedReader.Read(b)
	p.last = append(p.last[:copy(p.last, p.last[max(0, len(p.last)-maxReference):])], b[:n]...)
	for rest := p.last; ; {
		_, after, found := bytes.Cut(rest, []byte("&#"))
		if !found {
			return n, err
		}
		name, _, isWhole := strings.Cut(string(after[:min(len(after), maxReference)]), ";")
		digits, base := name, 10
		if strings.HasPrefix(name, "x") {
			digits, base = name[1:], 16
		}
		if unit, _ := strconv.ParseUint(digits, base, 31); isWhole && utf16.IsSurrogate(rune(unit)) {
			return 0, fmt.Errorf("it refers to the character %q, which is half of one", name)
		}
		rest = after
	}
}

// An xmlReader reads the tokens of an XML document one by one, in bounded memory, without regard to name spaces. It refuses a
// document type, and with it all entities that a document could declare.
type xmlReader struct {
	xml.StartElement // the last one

	in     *pieceReader
	tokens *xml.Decoder
	open   []xml.Name // of the elements that are open
}

func newXMLReader(r io.Reader) *xmlReader {
	in := &pieceReader{LimitedReader: io.LimitedReader{R: r}}
	x := &xmlReader{in: in, tokens: xml.NewDecoder(bufio.NewReaderSize(in, bufferSize))}
	x.tokens.CharsetReader = func(charset string, in io.Reader) (io.Reader, error) {
		if !strings.EqualFold(charset, "us-ascii") {
			return nil, errors.New("not UTF-8")
		}
		return in, nil
	}
	return x
}

func (x *xmlReader) depth() int { return len(x.open) }

// next returns the next token, which is valid until the one after it, or io.EOF.
func (x *xmlReader) next() (xml.Token, error) {
	x.in.N = maxPiece
	token, err := x.tokens.RawToken() // Token would keep the name spaces that a document declares
	if x.in.N <= 0 {
		return nil, fmt.Errorf("it has a tag, a comment or a text of more than %d MB", maxPiece>>20)
	}
	switch t := token.(type) {
	case xml.StartElement:
		if x.depth() == maxDepth {
			return nil, fmt.Errorf("its elements are nested more than %d levels deep", maxDepth)
		}
		x.StartElement, x.open = t, append(x.open, t.Name)
	case xml.EndElement:
		last := x.depth() - 1
		if last < 0 || x.open[last] != t.Name {
			return nil, fmt.Errorf("it closes the element %.40q, which is not open", t.Name.Local)
		}
		x.open = x.open[:last]
	case xml.CharData:
		if x.depth() == 0 && strings.Trim(string(t), " \t\r\n\ufeff") != "" {
			return nil, errors.New("it has text outside of its elements")
		}
	case xml.Directive:
		return nil, errors.New("it has a document type, as no workbook has")
	}
	if err == io.EOF && x.depth() > 0 {
		err = io.ErrUnexpectedEOF
	}
	return token, err
}

// inside reads to the end of the element whose start was read last. It calls visit at the start of each element in it, and returns
// dst with the text that it read at the depth of the element.
func (x *xmlReader) inside(dst []byte, visit func() error) ([]byte, error) {
	for depth := x.depth(); x.depth() >= depth; {
		token, err := x.next()
		switch t := token.(type) {
		case xml.StartElement:
			err = visit()
		case xml.CharData:
			if x.depth() == depth {
				dst = append(dst, t...)
			}
		}
		if len(dst) > maxRowText {
			err = errTooLong
		}
		if err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// text appends the text of the element whose start was read last, and reads to its end.
func (x *xmlReader) text(dst []byte) ([]byte, error) {
	return x.inside(dst, func() error { return nil })
}

// skip reads to the end of the element whose start was read last.
func (x *xmlReader) skip() error {
	_, err := x.text(nil)
	return err
}

// attr returns the value of an attribute of the last start tag, "" if there is none. The name may have any prefix.
func (x *xmlReader) attr(name string) string {
	for _, a := range x.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
