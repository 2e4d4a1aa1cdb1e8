package xlsx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

const (
	// bufferSize is how much of a part is in memory while it is read. No tag is longer.
	bufferSize = 64 << 10
	// maxDepth is how deeply elements may be nested. Those of a workbook are nested about
	// ten levels deep.
	maxDepth = 256
)

// A token is one of the parts that an xmlReader returns: the start or the end of an element, or a piece of text.
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
	r        io.Reader
	buf      []byte
	pos, end int   // buf[pos:end] was read and not returned yet
	err      error // the error of r, io.EOF included

	name  []byte // the local name of the last start tag, valid until the next token
	attrs []byte // the attributes of the last start tag, valid until the next token
	text  []byte // the last piece of text as it stands in the document, valid until the next token
	cdata bool   // text is CDATA, or the reader is inside of it

	closing bool   // the last tag was of the form <a/>: the next token is its end
	open    []byte // the names of the open elements, one behind the other
	starts  []int  // where each of these names begins in open
}

func newXMLReader(r io.Reader) *xmlReader { return &xmlReader{r: r, buf: make([]byte, bufferSize)} }

// depth returns the number of open elements.
func (x *xmlReader) depth() int { return len(x.starts) }

// fill reads further bytes behind those that were not returned yet. It reports whether
// there were any.
func (x *xmlReader) fill() bool {
	if x.pos > 0 {
		x.end = copy(x.buf, x.buf[x.pos:x.end])
		x.pos = 0
	}
	for x.err == nil && x.end < len(x.buf) {
		n, err := x.r.Read(x.buf[x.end:])
		x.end += n
		if x.err = err; n > 0 {
			return true
		}
	}
	return false
}

// index returns the position of sep behind the next skip bytes, counted from pos. It reads
// as much as is needed. It returns -1 if there is none in a full buffer, or to the end of
// the document.
func (x *xmlReader) index(sep string, skip int) int {
	for {
		if n := x.end - x.pos; n > skip {
			if i := bytes.Index(x.buf[x.pos+skip:x.end], []byte(sep)); i >= 0 {
				return skip + i
			}
			skip = max(skip, n-len(sep)+1)
		}
		if !x.fill() {
			return -1
		}
	}
}

var errEndsEarly = errors.New("it ends early")

// incomplete returns the error of a piece of the document that has no end in the buffer.
func (x *xmlReader) incomplete(what string) error {
	if x.err == nil {
		return fmt.Errorf("it has %s of more than %d kB", what, bufferSize>>10)
	}
	if x.err != io.EOF {
		return x.err
	}
	return errEndsEarly
}

func (x *xmlReader) next() (token, error) {
	if x.closing {
		x.closing = false
		x.pop()
		return tokenEnd, nil
	}
	for {
		if x.cdata {
			if done, err := x.nextCDATA(); err != nil || !done {
				return tokenText, err
			}
		}
		if x.pos == x.end && !x.fill() {
			if x.err == io.EOF && x.depth() == 0 {
				return tokenEOF, nil
			}
			return tokenEOF, x.incomplete("a text")
		}
		if x.buf[x.pos] != '<' {
			if err := x.nextText(); err != nil || x.depth() > 0 {
				return tokenText, err
			}
			continue // white space outside of the elements
		}
		for x.end-x.pos < len("<![CDATA[") && x.fill() {
		}
		switch rest := x.buf[x.pos:x.end]; {
		case len(rest) < 2:
			return tokenEOF, x.incomplete("a tag")
		case rest[1] == '/':
			return tokenEnd, x.endTag()
		case rest[1] == '?':
			if err := x.instruction(); err != nil {
				return tokenEOF, err
			}
		case bytes.HasPrefix(rest, []byte("<!--")):
			if err := x.skipPast("-->", len("<!--")); err != nil {
				return tokenEOF, err
			}
		case bytes.HasPrefix(rest, []byte("<![CDATA[")) && x.depth() > 0:
			x.pos += len("<![CDATA[")
			x.cdata = true
		case rest[1] == '!':
			return tokenEOF, errors.New("it has a document type, as no workbook has")
		default:
			return tokenStart, x.startTag()
		}
	}
}

// skipPast skips a comment or an instruction of any length, which ends with sep.
func (x *xmlReader) skipPast(sep string, skip int) error {
	x.pos += skip
	for {
		if i := x.index(sep, 0); i >= 0 {
			x.pos += i + len(sep)
			return nil
		}
		if x.err != nil {
			return x.incomplete("")
		}
		x.pos = x.end - len(sep) + 1 // the buffer is full and without sep, except perhaps for its beginning
	}
}

// instruction skips a processing instruction. The XML declaration must not name another
// encoding than UTF-8.
func (x *xmlReader) instruction() error {
	if end := x.index("?>", 2); end >= 0 && bytes.HasPrefix(x.buf[x.pos:], []byte("<?xml ")) {
		encoding := attribute(x.buf[x.pos+len("<?xml "):x.pos+end], "encoding")
		if len(encoding) > 0 && !bytes.EqualFold(encoding, []byte("utf-8")) && !bytes.EqualFold(encoding, []byte("us-ascii")) {
			return fmt.Errorf("it is in %.40q, not in UTF-8", encoding)
		}
	}
	return x.skipPast("?>", 2)
}

// nextText sets text to a piece of text, which ends before a tag, or where the buffer
// ends. No reference and no character is split.
func (x *xmlReader) nextText() error {
	length := bytes.IndexByte(x.buf[x.pos:x.end], '<')
	if length < 0 {
		length = x.index("<", x.end-x.pos)
	}
	if length < 0 {
		if x.err != nil && x.err != io.EOF {
			return x.err
		}
		length = x.end - x.pos
		if x.err == nil {
			length = uncut(x.buf[x.pos:x.end])
		}
	}
	x.text = x.buf[x.pos : x.pos+length]
	x.pos += length
	if x.depth() == 0 && len(trimmed(bytes.TrimPrefix(x.text, []byte("\ufeff")))) > 0 {
		return errors.New("it has text outside of its elements")
	}
	return nil
}

// nextCDATA sets text to a piece of CDATA. done reports whether its end was reached, and
// no text is left.
func (x *xmlReader) nextCDATA() (done bool, err error) {
	const closing = "]]>"
	length := x.index(closing, 0)
	switch {
	case length == 0:
		x.pos += len(closing)
		x.cdata = false
		return true, nil
	case length < 0 && x.err != nil:
		return false, x.incomplete("")
	case length < 0:
		length = uncut(x.buf[x.pos : x.end-len(closing)+1])
	}
	x.text = x.buf[x.pos : x.pos+length]
	x.pos += length
	return false, nil
}

func (x *xmlReader) startTag() error {
	length := x.tagSize()
	if length < 0 {
		return x.incomplete("a tag")
	}
	tag := x.buf[x.pos+1 : x.pos+length]
	x.pos += length + 1
	if n := len(tag); n > 0 && tag[n-1] == '/' {
		x.closing = true
		tag = tag[:n-1]
	}
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

// tagSize returns the position of the > that ends a start tag, which is none in the quotes
// of an attribute. It returns -1 if the tag does not end in the buffer.
func (x *xmlReader) tagSize() int {
	quote, start := byte(0), 1
	for {
		tag := x.buf[x.pos:x.end]
		for i := start; i < len(tag); i++ {
			switch c := tag[i]; {
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '>':
				return i
			case c == '"' || c == '\'':
				quote = c
			}
		}
		if start = len(tag); !x.fill() {
			return -1
		}
	}
}

func (x *xmlReader) endTag() error {
	if len(x.starts) > 0 {
		rest, name := x.buf[x.pos+2:x.end], x.open[x.starts[len(x.starts)-1]:]
		if len(rest) > len(name) && rest[len(name)] == '>' && bytes.HasPrefix(rest, name) {
			x.pos += 2 + len(name) + 1
			x.pop()
			return nil
		}
	}
	length := x.index(">", 2)
	if length < 0 {
		return x.incomplete("a tag")
	}
	name := trimmed(x.buf[x.pos+2 : x.pos+length])
	x.pos += length + 1
	if n := len(x.starts); n == 0 || !bytes.Equal(name, x.open[x.starts[n-1]:]) {
		return fmt.Errorf("it closes the element %.40q, which is not open", name)
	}
	x.pop()
	return nil
}

// pop ends the last open element.
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

// nextAttribute splits the first attribute off.
func nextAttribute(attrs []byte) (name, value, rest []byte, ok bool) {
	start := 0
	for start < len(attrs) && attrs[start] <= ' ' {
		start++
	}
	equals := bytes.IndexByte(attrs[start:], '=')
	if equals < 0 {
		return nil, nil, nil, false
	}
	name = attrs[start : start+equals]
	for n := len(name); n > 0 && name[n-1] <= ' '; n-- {
		name = name[:n-1]
	}
	rest = attrs[start+equals+1:]
	for len(rest) > 0 && rest[0] <= ' ' {
		rest = rest[1:]
	}
	if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return nil, nil, nil, false
	}
	end := bytes.IndexByte(rest[1:], rest[0])
	if end < 0 {
		return nil, nil, nil, false
	}
	return name, rest[1 : 1+end], rest[end+2:], true
}

// localName returns a name without its prefix.
func localName(name []byte) []byte { return name[bytes.IndexByte(name, ':')+1:] }

// appendText appends the last piece of text to dst, with the characters that its
// references name.
func (x *xmlReader) appendText(dst []byte) ([]byte, error) {
	if !utf8.Valid(x.text) {
		return dst, errors.New("it is not valid UTF-8")
	}
	if x.cdata {
		return appendLines(dst, x.text), nil
	}
	return appendUnescaped(dst, x.text)
}
