package decode

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

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

// pagesOfDOS are the encodings of what Excel calls CSV (MS-DOS).
var pagesOfDOS = map[string]encoding.Encoding{"ibm437": charmap.CodePage437, "ibm850": charmap.CodePage850, "ibm852": charmap.CodePage852}

// lookupEncoding returns the encoding with a name, and the name by which jobs know it.
func lookupEncoding(name string) (encoding.Encoding, string, error) {
	canonical := strings.ToLower(strings.TrimSpace(name))
	if page, ok := strings.CutPrefix(canonical, "cp"); ok {
		canonical = "ibm" + page
	}
	if found, ok := pagesOfDOS[canonical]; ok {
		return found, canonical, nil
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

// setEncoding sets the encoding of the file to the one of the options; without one to UTF-16 if start, with which the file
// begins, is its byte-order mark, and otherwise to UTF-8.
func (f *File) setEncoding(start []byte) (err error) {
	switch {
	case f.options.Encoding != "":
		f.encoding, f.Encoding, err = lookupEncoding(f.options.Encoding)
	case hasWideMark(start):
		f.encoding = unicode.UTF8 // the mark takes precedence
	}
	return err
}

// decoded returns a text as UTF-8. What is no text in its encoding becomes invalid, so that it is an issue of its line as in any
// other file. A byte-order mark takes precedence over the encoding that a flag names.
func (f *File) decoded(text io.Reader) io.Reader {
	if f.encoding == nil {
		return text
	}
	return transform.NewReader(text, transform.Chain(unicode.BOMOverride(f.encoding.NewDecoder()), invalidate{}))
}

// invalidate makes bytes that are no UTF-8 of the characters by which a decoder replaces what it can't read.
type invalidate struct{ transform.NopResetter }

func (invalidate) Transform(dst, src []byte, atEOF bool) (n, read int, err error) {
	if len(src) > len(dst) {
		src, err, atEOF = src[:len(dst)], transform.ErrShortDst, false
	}
	for read < len(src) && (atEOF || utf8.FullRune(src[read:])) {
		r, size := utf8.DecodeRune(src[read:])
		copy(dst[read:], src[read:read+size])
		if r == utf8.RuneError {
			dst[read] = 0xff
		}
		read += size
	}
	if read < len(src) && err == nil {
		err = transform.ErrShortSrc
	}
	return read, read, err
}
