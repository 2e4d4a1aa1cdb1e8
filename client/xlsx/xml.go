package xlsx

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

const (
	// bufferSize is how much of a part is in memory at first while it is read.
	bufferSize = 64 << 10
	// maxPiece is how long a tag, a comment or an instruction is at most, in bytes.
	maxPiece = 256 << 10
	// maxDepth is how deeply elements may be nested. Those of a workbook are nested about
	// ten levels deep.
	maxDepth = 256
)

// A token is one of the parts that an xmlReader returns: the start or the end of an element, or a text.
type token uint8

const (
	tokenEOF token = iota
	tokenStart
	tokenEnd
	tokenText
)

// An xmlReader reads the tokens of an XML document one by one, in bounded memory. It knows
// the part of XML that workbooks may use: elements without regard to their name spaces,
// attributes, text, references to characters, CDATA, comments and processing instructions.
// A document type is refused, and with it all entities that a document could declare.
// It checks that elements are closed in their order.
type xmlReader struct {
	*bufio.Scanner // of the pieces of the document

	name  []byte // the local name of the last start tag, valid until the next token
	attrs []byte // the attributes of the last start tag, valid until the next token
	text  []byte // the last text as it stands in the document, valid until the next token

	closing bool   // the last tag was of the form <a/>: the next token is its end
	open    []byte // the names of the open elements, one behind the other
	starts  []int  // where each of these names begins in open
}

func newXMLReader(r io.Reader) *xmlReader {
	x := &xmlReader{Scanner: bufio.NewScanner(fullReader{r})}
	x.Buffer(make([]byte, bufferSize), maxRowText)
	x.Split(splitXML)
	return x
}

func (x *xmlReader) depth() int { return len(x.starts) }

var errEndsEarly = errors.New("it ends early")

// A fullReader fills the whole buffer with each Read. A Scanner looks for the end of a piece from its beginning after each Read, so
// that many short ones would take a time that grows with the square of the piece.
type fullReader struct{ io.Reader }

func (r fullReader) Read(b []byte) (int, error) {
	n, err := io.ReadFull(r.Reader, b)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}

const (
	cdataStart = "<![CDATA["
	cdataEnd   = "]]>"
)

// splitXML is the bufio.SplitFunc of documents. A piece is a tag, a comment, an instruction, CDATA, or a text.
func splitXML(data []byte, atEOF bool) (int, []byte, error) {
	length := 0
	switch {
	case len(data) == 0:
		return 0, nil, nil
	case data[0] != '<':
		if length = bytes.IndexByte(data, '<'); length < 0 && atEOF {
			length = len(data)
		}
	case len(data) > 1 && data[1] != '!' && data[1] != '?':
		length = tagLength(data)
	case bytes.HasPrefix(data, []byte("<?")):
		length = lengthTo(data, "<?", "?>")
	case bytes.HasPrefix(data, []byte("<!--")):
		length = lengthTo(data, "<!--", "-->")
	case bytes.HasPrefix(data, []byte(cdataStart)):
		length = lengthTo(data, cdataStart, cdataEnd)
	case len(data) >= len(cdataStart):
		return 0, nil, errors.New("it has a document type, as no workbook has")
	}
	switch {
	case length > 0:
		return length, data[:length], nil
	case atEOF:
		return 0, nil, errEndsEarly
	case len(data) >= maxPiece && data[0] == '<' && !bytes.HasPrefix(data, []byte(cdataStart)):
		return 0, nil, fmt.Errorf("it has a tag or a comment of more than %d kB", maxPiece>>10)
	}
	return 0, nil, nil // more data is needed
}

// lengthTo returns the length of a piece that begins with start and ends with end, 0 if data lacks the end.
func lengthTo(data []byte, start, end string) int {
	i := bytes.Index(data[len(start):], []byte(end))
	if i < 0 {
		return 0
	}
	return len(start) + i + len(end)
}

// tagLength returns the length of a tag, 0 if data lacks the > that ends it, which is none in the quotes of an attribute.
func tagLength(data []byte) int {
	quote := byte(0)
	for i, c := range data {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '>':
			return i + 1
		case c == '"' || c == '\'':
			quote = c
		}
	}
	return 0
}

func (x *xmlReader) next() (token, error) {
	if x.closing {
		x.closing = false
		x.pop()
		return tokenEnd, nil
	}
	for x.Scan() {
		switch piece := x.Bytes(); {
		case piece[0] != '<' || bytes.HasPrefix(piece, []byte(cdataStart)):
			if x.text = piece; x.depth() > 0 {
				return tokenText, nil
			}
			if len(trimmed(bytes.TrimPrefix(piece, []byte("\ufeff")))) > 0 {
				return tokenEOF, errors.New("it has text outside of its elements")
			}
		case piece[1] == '/':
			return tokenEnd, x.endTag(trimmed(piece[2 : len(piece)-1]))
		case bytes.HasPrefix(piece, []byte("<?xml ")):
			encoding := attribute(piece[len("<?xml "):len(piece)-len("?>")], "encoding")
			if len(encoding) > 0 && !bytes.EqualFold(encoding, []byte("utf-8")) && !bytes.EqualFold(encoding, []byte("us-ascii")) {
				return tokenEOF, fmt.Errorf("it is in %.40q, not in UTF-8", encoding)
			}
		case piece[1] != '?' && piece[1] != '!':
			return tokenStart, x.startTag(piece[1 : len(piece)-1])
		}
	}
	err := x.Err()
	switch {
	case err == bufio.ErrTooLong:
		err = errTooLong
	case err == nil && x.depth() > 0:
		err = errEndsEarly
	}
	return tokenEOF, err
}

// startTag begins the element of a tag, which is given without < and >.
func (x *xmlReader) startTag(tag []byte) error {
	tag, x.closing = bytes.CutSuffix(tag, []byte("/"))
	end := 0
	for end < len(tag) && tag[end] > ' ' {
		end++
	}
	if end == 0 {
		return errors.New("it has a tag without a name")
	}
	if len(x.starts) == maxDepth {
		return fmt.Errorf("its elements are nested more than %d levels deep", maxDepth)
	}
	x.starts = append(x.starts, len(x.open))
	x.open = append(x.open, tag[:end]...)
	x.name, x.attrs = localName(tag[:end]), tag[end:]
	return nil
}

func (x *xmlReader) endTag(name []byte) error {
	if n := len(x.starts); n == 0 || !bytes.Equal(name, x.open[x.starts[n-1]:]) {
		return fmt.Errorf("it closes the element %.40q, which is not open", name)
	}
	x.pop()
	return nil
}

func (x *xmlReader) pop() {
	last := len(x.starts) - 1
	x.open, x.starts = x.open[:x.starts[last]], x.starts[:last]
}

// inside calls visit for each token that it reads up to the end of the element whose start was read last.
func (x *xmlReader) inside(visit func(token) error) error {
	for depth := x.depth(); ; {
		t, err := x.next()
		if err == nil && t == tokenEnd && x.depth() < depth {
			return nil
		}
		if err == nil {
			err = visit(t)
		}
		if err != nil {
			return err
		}
	}
}

// skip reads to the end of the element whose start was read last.
func (x *xmlReader) skip() error { return x.inside(func(token) error { return nil }) }

// attr returns the value of an attribute of the last start tag, nil if there is none. The
// name may have any prefix.
func (x *xmlReader) attr(name string) []byte { return attribute(x.attrs, name) }

// attribute returns the value of one of the attributes of a tag, nil if there is none.
func attribute(attrs []byte, name string) []byte {
	for {
		key, value, rest, ok := nextAttribute(attrs)
		if !ok {
			return nil
		}
		if string(localName(key)) == name {
			return value
		}
		attrs = rest
	}
}

func nextAttribute(attrs []byte) (name, value, rest []byte, ok bool) {
	name, rest, _ = bytes.Cut(attrs, []byte("="))
	if rest = bytes.TrimSpace(rest); len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return nil, nil, nil, false
	}
	value, rest, ok = bytes.Cut(rest[1:], rest[:1])
	return bytes.TrimSpace(name), value, rest, ok
}

func localName(name []byte) []byte { return name[bytes.IndexByte(name, ':')+1:] }

// appendText appends the last piece of text to dst, with the characters that its
// references name.
func (x *xmlReader) appendText(dst []byte) ([]byte, error) {
	if !utf8.Valid(x.text) {
		return dst, errors.New("it is not valid UTF-8")
	}
	if text, isCDATA := bytes.CutPrefix(x.text, []byte(cdataStart)); isCDATA {
		return appendLines(dst, bytes.TrimSuffix(text, []byte(cdataEnd))), nil
	}
	return appendUnescaped(dst, x.text)
}
