package xlsx

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzWorkbook checks that any parts give the same rows, or the same error, in each pass,
// that rows and cells ascend, and that texts are valid.
func FuzzWorkbook(f *testing.F) {
	for _, rows := range []string{
		oneCell, `<row r="2"><c r="B2" t="s" s="1"><v>0</v></c></row><row r="9"/>`, `<row><c t="inlineStr"><is><r><t>a_x000D_</t></r><rPh/></is></c><c t="e"><v>#N/A</v></c></row>`,
		`<row><c s="1"><v>46348.25</v></c><c t="b"><v>1</v></c><c t="str"><f>A1</f><v>&#x41;<![CDATA[&]]></v></c><c t="d"><v>2026-11-22T01:02:03Z</v></c></row>`,
	} {
		f.Add([]byte(rows), []byte(`<si><t>a</t></si><si><r><t> b</t></r></si>`), []byte(`<numFmts><numFmt numFmtId="99" formatCode="[h]:mm d"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="99"/></cellXfs>`))
	}
	f.Fuzz(func(t *testing.T, rows, texts, formats []byte) {
		p := workbook(string(rows)).with("xl/sharedStrings.xml", "<sst>"+string(texts)+"</sst>").with("xl/styles.xml", "<styleSheet>"+string(formats)+"</styleSheet>")
		w, err := open(t, p.zipped(t))
		if err != nil {
			wantOwn(t, err)
			return
		}
		var first []string
		var firstErr error
		for pass := range 2 {
			got, err := read(t, w, "1")
			if err != nil {
				wantOwn(t, err)
			}
			if pass == 0 {
				first, firstErr = got, err
			} else if !slices.Equal(got, first) || fmt.Sprint(err) != fmt.Sprint(firstErr) {
				t.Errorf("got %q, %v, and then %q, %v", first, firstErr, got, err)
			}
		}
		last := 0
		for row, err := range w.Rows(w.Sheets()[0]) {
			if err != nil {
				return
			}
			if row.Number <= last || row.Number > MaxRows || len(row.Cells) == 0 {
				t.Errorf("got the row %d with %d cells behind row %d", row.Number, len(row.Cells), last)
			}
			last = row.Number
			column := -1
			for _, c := range row.Cells {
				if c.Column <= column || c.Column >= MaxColumns || c.Text == "" && c.Kind != KindUncomputed || !utf8.ValidString(c.Text) {
					t.Errorf("got the cell %+v behind column %d", c, column)
				}
				column = c.Column
			}
		}
	})
}

// wantOwn checks that an error is an *Error, in one line.
func wantOwn(t *testing.T, err error) {
	t.Helper()
	var own *Error
	if !errors.As(err, &own) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got the error %q, want an *Error in one line", err)
	}
}

// FuzzFile checks that any file is a workbook or an error.
func FuzzFile(f *testing.F) {
	f.Add(workbook(oneCell).zipped(f))
	f.Add(office("EncryptedPackage")[:2000])
	f.Add([]byte("<html>"))
	f.Fuzz(func(t *testing.T, file []byte) {
		w, err := open(t, file)
		if err == nil {
			_, err = read(t, w, "")
		}
		if err != nil {
			wantOwn(t, err)
		}
	})
}

// tokens returns the tokens of a document as own reads them, with a buffer of some bytes.
func tokens(document []byte, buffer int) (out []string, err error) {
	x := newXMLReader(bytes.NewReader(document))
	x.Buffer(make([]byte, buffer), buffer)
	text := []byte{}
	for {
		t, err := x.next()
		if err != nil {
			return out, err
		}
		if t == tokenText {
			if text, err = x.appendText(text); err != nil {
				return out, err
			}
			continue
		}
		if len(text) > 0 && x.depth() > 0 || len(text) > 0 && t == tokenEnd {
			out = append(out, fmt.Sprintf("%q", text))
		}
		text = text[:0]
		switch t {
		case tokenEOF:
			return out, nil
		case tokenEnd:
			out = append(out, "end")
		case tokenStart:
			one := "start " + string(x.name)
			for attrs := x.attrs; ; {
				name, value, rest, ok := nextAttribute(attrs)
				if !ok {
					break
				}
				plain, err := unescaped(value)
				if err != nil {
					return out, err
				}
				one += fmt.Sprintf(" %s=%q", localName(name), plain)
				attrs = rest
			}
			out = append(out, one)
		}
	}
}

// FuzzXML compares the tokens of a document with those of encoding/xml, and those that are
// read with a small buffer with those that are read with a large one.
func FuzzXML(f *testing.F) {
	for _, s := range []string{
		`<?xml version="1.0"?><a:b c="d" e:f='&lt;"'><!-- - --><g/>x&#65;<![CDATA[ ]]&amp; ]]></a:b >`, "<a>\r\n\rx</a>", "<a>日本<b></b>\n</a>\n", `<a b=">"/>`, "<a>]]</a>", "<a><![CDATA[x\r\ny]]>z</a>",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		got, err := tokens(document, maxPiece)
		small, smallErr := tokens(document, 48)
		if smallErr == nil && (err != nil || !slices.Equal(small, got)) {
			t.Errorf("with a small buffer got %q, with a large one %q, %v", small, got, err)
		}
		if bytes.Contains(document, []byte("<!")) && !bytes.Contains(document, []byte("<!--")) && !bytes.Contains(document, []byte("<![CDATA[")) {
			return
		}
		var want []string
		depth := 0
		text := ""
		d := xml.NewDecoder(bytes.NewReader(document))
		for {
			start := d.InputOffset()
			token, bad := d.Token()
			if bad == io.EOF {
				break
			}
			if bad != nil {
				return // it refuses more than the reader does
			}
			if chars, ok := token.(xml.CharData); ok {
				// Outside of the root element encoding/xml accepts more than the white space that XML allows.
				if text += string(chars); depth == 0 && len(bytes.Trim(document[start:d.InputOffset()], " \t\r\n\ufeff")) > 0 {
					return
				}
				continue
			}
			if _, ok := token.(xml.Comment); ok {
				continue
			}
			if _, ok := token.(xml.ProcInst); ok {
				continue
			}
			if text != "" && depth > 0 {
				want = append(want, fmt.Sprintf("%q", text))
			}
			text = ""
			switch token := token.(type) {
			case xml.Directive:
				return
			case xml.StartElement:
				isOdd := func(a xml.Attr) bool { return strings.Contains(a.Name.Local, ":") }
				if depth++; depth > maxDepth || strings.Contains(token.Name.Local, ":") || slices.ContainsFunc(token.Attr, isOdd) {
					return
				}
				one := "start " + token.Name.Local
				for _, a := range token.Attr {
					one += fmt.Sprintf(" %s=%q", a.Name.Local, a.Value)
				}
				want = append(want, one)
			case xml.EndElement:
				depth--
				want = append(want, "end")
			}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %q, %v, want %q", document, got, err, want)
		}
	})
}
