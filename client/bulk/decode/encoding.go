package decode

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"reseller/client/safetext"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Encodings are names of encodings for completion: those that spreadsheets write most
// often. All names of the WHATWG Encoding Standard are known besides.
var Encodings = []string{"windows-1252", "windows-1250", "windows-1251", "iso-8859-1", "iso-8859-15", "macintosh", "ibm437", "ibm850", "utf-16le", "utf-16be", "shift_jis", "gb18030", "big5", "euc-kr"}

// lookupEncoding returns the encoding with a name, and the name by which jobs know it.
func lookupEncoding(name string) (encoding.Encoding, string, error) {
	switch canonical := strings.ToLower(strings.TrimSpace(name)); canonical { // what Excel calls CSV (MS-DOS)
	case "ibm437", "cp437":
		return charmap.CodePage437, "ibm437", nil
	case "ibm850", "cp850":
		return charmap.CodePage850, "ibm850", nil
	case "ibm852", "cp852":
		return charmap.CodePage852, "ibm852", nil
	}
	found, err := htmlindex.Get(name)
	if err == nil && found != encoding.Replacement {
		if canonical, err := htmlindex.Name(found); err == nil {
			return found, canonical, nil
		}
	}
	return nil, "", &FileError{What: fmt.Sprintf("unknown encoding %s: --encoding is a name such as %s", safetext.Quote(name), strings.Join(Encodings[:4], ", "))}
}

func hasWideMark(start []byte) bool {
	return bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff"))
}

// setEncoding sets the encoding of the file to the one with a name; without a name to UTF-16 if start, with which the file
// begins, is its byte-order mark, and otherwise to UTF-8.
func (f *File) setEncoding(name string, start []byte) (err error) {
	switch {
	case name != "":
		f.encoding, f.Encoding, err = lookupEncoding(name)
	case hasWideMark(start):
		f.encoding = unicode.UTF8 // the mark takes precedence
	}
	return err
}

// decoded returns a text as UTF-8. What is no text in its encoding becomes a byte that is no UTF-8, so that it is an issue
// of its line as in any other file. A byte-order mark takes precedence over the encoding that a flag names.
func (f *File) decoded(text io.Reader) io.Reader {
	if f.encoding == nil {
		return text
	}
	return transform.NewReader(text, transform.Chain(unicode.BOMOverride(f.encoding.NewDecoder()), invalidMarker{}))
}

// An invalidMarker replaces U+FFFD, which decoders write for bytes that are no text, by a byte that is no UTF-8.
type invalidMarker struct{ transform.NopResetter }

const (
	replacement   = "\ufffd"
	invalidMarked = '\xff'
)

func (invalidMarker) Transform(dst, src []byte, atEOF bool) (written, read int, err error) {
	for read < len(src) {
		text, n := src[read:], len(src)-read
		switch {
		case bytes.HasPrefix(text, []byte(replacement)):
			text, n = []byte{invalidMarked}, len(replacement)
		case text[0] == replacement[0] && len(text) < len(replacement) && !atEOF:
			return written, read, transform.ErrShortSrc
		default: // the text before the next character that may be one
			if at := bytes.IndexByte(text[1:], replacement[0]); at >= 0 {
				text, n = text[:at+1], at+1
			}
		}
		copied := copy(dst[written:], text)
		if written += copied; copied < len(text) {
			return written, read + copied, transform.ErrShortDst
		}
		read += n
	}
	return written, read, nil
}
