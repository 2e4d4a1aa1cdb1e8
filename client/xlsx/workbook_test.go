package xlsx

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

const oneCell = `<row><c><v>1</v></c></row>`

// wantWhat checks that an error is an *Error that has words in it.
func wantWhat(t *testing.T, err error, words ...string) {
	t.Helper()
	var own *Error
	if !errors.As(err, &own) {
		t.Fatalf("got %v, want an *Error", err)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("got %q, want %q in it", err, word)
		}
	}
}

// TestSheets checks which sheet a name, a number or nothing means.
func TestSheets(t *testing.T) {
	p := workbook("", `<row><c s="1"/></row>`, oneCell, oneCell, oneCell, "")
	list := p["xl/workbook.xml"]
	for old, text := range map[string]string{
		`name="Sheet2"`: `name="Empty"`, `name="Sheet3"`: `state="veryHidden" name="Secret"`, `name="Sheet4"`: `name="A &amp; B_x0021_"`, `name="Sheet5"`: `name="1"`,
	} {
		list = strings.Replace(list, old, text, 1)
	}
	p["xl/workbook.xml"] = list
	p = p.replaced("xl/_rels/workbook.xml.rels", `worksheet" Target="worksheets/sheet6.xml"`, `chartsheet" Target="chartsheets/sheet1.xml"`)
	w, err := open(t, p.zipped(t))
	noError(t, err)
	for name, want := range map[string]int{"": 4, "Empty": 2, "secret": 3, "A & B!": 4, "1": 5, "2": 2, "5": 5} {
		t.Run(name, func(t *testing.T) {
			if s, err := w.Sheet(name); err != nil || s.number != want {
				t.Errorf("got the sheet %d, %v, want %d", s.number, err, want)
			}
		})
	}
	_, err = w.Sheet("Customers")
	wantWhat(t, err, `no sheet "Customers"`, `1 "Sheet1", 2 "Empty", 3 "Secret" (hidden), 4 "A & B!", 5 "1", 6 "Sheet6"`)
	_, err = read(t, w, "6")
	wantWhat(t, err, `no cells in its sheet "Sheet6", which is a chart`)
	_, err = readParts(t, workbook(""), "")
	wantWhat(t, err, "no visible sheet with cells", `1 "Sheet1"`)
	_, err = readParts(t, workbook(slices.Repeat([]string{""}, 30)...), "x")
	wantWhat(t, err, `20 "Sheet20", and 10 more`)
}

// TestPaths checks where the parts of a workbook may be.
func TestPaths(t *testing.T) {
	p := workbook(oneCell)
	const main, links = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
	moved := parts{
		"_rels/.rels":        `<Relationships><Relationship Id="a" Type="x/officeDocument" Target="/other/Workbook.xml"/></Relationships>`,
		"other/workbook.xml": p[main], "other/_rels/workbook.xml.rels": p[links], "other/worksheets/sheet1.xml": p["xl/worksheets/sheet1.xml"],
		"other/styles.xml": p["xl/styles.xml"],
	}
	backslashes := parts{}
	for name, content := range p {
		backslashes[strings.ReplaceAll(name, "/", `\`)] = content
	}
	for name, p := range map[string]parts{
		"usual":       p,
		"moved":       moved,
		"backslashes": backslashes,
		"upper case":  p.replaced(links, "worksheets/sheet1.xml", "Worksheets/SHEET1.xml"),
		"absolute":    p.replaced(links, "worksheets/sheet1.xml", "/xl/worksheets/sheet1.xml"),
		"relative":    p.replaced(links, "worksheets/sheet1.xml", "../xl/./worksheets/../worksheets/sheet1.xml"),
		"escaped":     p.replaced(links, "worksheets/sheet1.xml", "worksheets/sheet%20%31.xml").with("xl/worksheets/sheet 1.xml", p["xl/worksheets/sheet1.xml"]),
		"strict":      p.replaced(links, "http://schemas.openxmlformats.org/officeDocument/2006/relationships/", "http://purl.oclc.org/ooxml/officeDocument/relationships/").replaced("xl/worksheets/sheet1.xml", "http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://purl.oclc.org/ooxml/spreadsheetml/main"),
		"no texts":    p.replaced(links, "sharedStrings", "other"),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := readParts(t, p, "")
			if want := []string{`1: A="1"`}; err != nil || !slices.Equal(got, want) {
				t.Errorf("got %q, %v, want %q", got, err, want)
			}
		})
	}
	for name, c := range map[string]struct {
		p    parts
		want string
	}{
		"outside":  {p.replaced(links, "worksheets/sheet1.xml", "../../../../etc/passwd"), "its part etc/passwd is missing"},
		"external": {p.replaced(links, `Target="worksheets`, `TargetMode="External" Target="file:///etc/worksheets`), `its part xl/worksheets/sheet1.xml`},
		"missing":  {p.replaced(links, "worksheets/sheet1.xml", "worksheets/sheet2.xml"), "its part xl/worksheets/sheet2.xml is missing"},
		"no link":  {p.replaced(links, `Id="rId1"`, `Id="rId9"`), `no visible sheet with cells`},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "external" {
				w, err := open(t, c.p.zipped(t))
				noError(t, err)
				_, err = read(t, w, "1")
				wantWhat(t, err, "outside of the file")
				return
			}
			_, err := readParts(t, c.p, "")
			wantWhat(t, err, c.want)
		})
	}
}

// office returns a file of Office 97 with streams of these names.
func office(streams ...string) []byte {
	file := append([]byte(oleMagic), make([]byte, bufferSize-40)...)
	for _, name := range streams {
		file = append(append(file, utf16Name(name)...), make([]byte, 128)...)
	}
	return append(file, make([]byte, bufferSize)...)
}

// TestOtherFiles checks that a file that is no workbook is told as what it is.
func TestOtherFiles(t *testing.T) {
	book := workbook(oneCell).zipped(t)
	locked := bytes.Clone(book)
	for at := 0; ; {
		i := bytes.Index(locked[at:], []byte("PK\x01\x02"))
		if i < 0 {
			break
		}
		locked[at+i+8] |= 1
		at += i + 4
	}
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":           {nil, "is empty"},
		"csv":             {[]byte("a,b\n1,2\n"), "is not a workbook"},
		"html":            {[]byte("\xef\xbb\xbf\n<html><table>"), "is HTML or XML"},
		"xls":             {office("Root Entry", "Workbook"), "is an old workbook (.xls): save it as .xlsx"},
		"xls of 95":       {office("Book"), "is an old workbook (.xls)"},
		"password":        {office("Root Entry", "EncryptionInfo", "EncryptedPackage"), "is protected by a password"},
		"doc":             {office("WordDocument"), "is an old Office file, not a workbook"},
		"ods":             {parts{"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": ""}.zipped(t), "is an OpenDocument spreadsheet (.ods)"},
		"odt":             {parts{"mimetype": "application/vnd.oasis.opendocument.text"}.zipped(t), "is an OpenDocument file, not a workbook"},
		"docx":            {parts{"word/document.xml": "", "_rels/.rels": `<Relationships><Relationship Type="x/officeDocument" Target="word/document.xml"/></Relationships>`}.zipped(t), "is a Word document (.docx)"},
		"pptx":            {parts{"ppt/presentation.xml": ""}.zipped(t), "is a presentation (.pptx)"},
		"xlsb":            {parts{"xl/workbook.bin": ""}.zipped(t), "is a binary workbook (.xlsb)"},
		"zip":             {parts{"a.txt": "a"}.zipped(t), "is a zip archive without a workbook in it"},
		"empty zip":       {parts{}.zipped(t), "is a zip archive without a workbook in it"},
		"locked zip":      {locked, "is protected by a password"},
		"truncated":       {book[:len(book)/2], "is damaged or cut short"},
		"truncated a bit": {book[:len(book)-1], "is damaged or cut short"},
		"only a start":    {[]byte("PK\x03\x04"), "is damaged or cut short"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := open(t, c.file)
			wantWhat(t, err, c.want)
		})
	}
}

// TestDamage checks that a workbook that is damaged is an error, wherever the damage is.
func TestDamage(t *testing.T) {
	p := workbook(oneCell)
	const sheet = "xl/worksheets/sheet1.xml"
	rows := func(xml string) parts { return workbook(xml) }
	for name, c := range map[string]struct {
		p    parts
		want string
	}{
		"doctype":             {p.with(sheet, `<!DOCTYPE lolz [<!ENTITY lol "lol">]><worksheet/>`), "document type"},
		"entity":              {rows(`<row><c t="str"><v>&lol;</v></c></row>`), "invalid character entity &lol;"},
		"ampersand":           {rows(`<row><c t="str"><v>a & b</v></c></row>`), "invalid character entity &"},
		"no character":        {rows(`<row><c t="str"><v>&#0;</v></c></row>`), "illegal character code U+0000"},
		"surrogate":           {rows(`<row><c t="str"><v>&#xD800;</v></c></row>`), `refers to the character "xD800", which is half of one`},
		"surrogates":          {rows(`<row><c t="str"><v>pizza &#55357;&#056832; oven</v></c></row>`), `refers to the character "55357"`},
		"control character":   {rows("<row><c t=\"str\"><v>\x01</v></c></row>"), "illegal character code U+0001"},
		"not utf-8":           {rows("<row><c t=\"str\"><v>M\xfcller</v></c></row>"), "invalid UTF-8"},
		"other encoding":      {p.with(sheet, `<?xml version="1.0" encoding="ISO-8859-1"?><worksheet/>`), `"ISO-8859-1": not UTF-8`},
		"declared as utf-16":  {p.with(sheet, `<?xml version="1.0" encoding="UTF-16"?><worksheet/>`), `"UTF-16": not UTF-8`},
		"utf-16":              {p.with(sheet, "\xff\xfe<\x00"), "invalid UTF-8"},
		"text":                {p.with(sheet, "hello"), "text outside"},
		"empty":               {p.with(sheet, ""), "no cells"},
		"cut short":           {p.with(sheet, p[sheet][:len(p[sheet])-30]), "ends early"},
		"cut in a tag":        {p.with(sheet, `<worksheet><sheetData><row`), "ends early"},
		"cut in a comment":    {p.with(sheet, `<worksheet><!-- `), "ends early"},
		"cut in cdata":        {p.with(sheet, `<worksheet><![CDATA[ `), "ends early"},
		"not closed in order": {rows(`<row><c></row></c>`), `closes the element "row"`},
		"closed twice":        {p.with(sheet, p[sheet]+"</worksheet>"), `closes the element "worksheet"`},
		"no sheet":            {p.with(sheet, "<chartsheet/>"), "it is no sheet"},
		"row number":          {rows(`<row r="1048577"/>`), `number "1048577"`},
		"row 0":               {rows(`<row r="0"><c><v>1</v></c></row>`), "row 0 follows row 0"},
		"negative row":        {rows(`<row r="-1"/>`), `number "-1"`},
		"row twice":           {rows(`<row r="2"/><row r="2"/>`), "row 2 follows row 2"},
		"rows in disorder":    {rows(`<row r="3"/><row r="2"/>`), "row 2 follows row 3"},
		"column":              {rows(`<row><c r="XFE1"/></row>`), "16384 columns"},
		"no column":           {rows(`<row><c r="1"/></row>`), `the place "1"`},
		"column behind XFD":   {rows(`<row><c r="XFD1"/><c/></row>`), "is one too many"},
		"column twice":        {rows(`<row><c r="B1"/><c r="B1"/></row>`), "B1 follows B"},
		"no shared text":      {rows(`<row><c t="s"><v>0</v></c></row>`), "shared text 0, but the workbook has 0"},
		"text as number":      {rows(`<row><c t="s"><v>x</v></c></row>`), `shared text "x"`},
		"texts":               {rows(`<row><c t="s"><v>0</v></c></row>`).with("xl/sharedStrings.xml", "<sst><si>"), "sharedStrings.xml can't be read: it ends early"},
		"styles":              {p.with("xl/styles.xml", "<a></b>"), "styles.xml can't be read"},
		"list of sheets":      {p.with("xl/workbook.xml", "<a></b>"), "workbook.xml can't be read"},
		"links":               {p.with("xl/_rels/workbook.xml.rels", "<a"), "workbook.xml.rels can't be read"},
		"a long tag":          {rows(`<row a="` + strings.Repeat("x", maxPiece+bufferSize) + `"/>`), "a tag, a comment or a text of more than 1 MB"},
		"a long comment":      {rows(`<!--` + strings.Repeat("x", maxPiece+bufferSize) + `-->`), "a tag, a comment or a text of more than 1 MB"},
		"a long doctype":      {p.with(sheet, `<!DOCTYPE `+strings.Repeat("<", maxPiece+bufferSize)), "a tag, a comment or a text of more than 1 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readParts(t, c.p, "")
			wantWhat(t, err, c.want)
		})
	}
	t.Run("checksum", func(t *testing.T) {
		file := p.zipped(t)
		at := bytes.Index(file, []byte("PK\x01\x02"))
		for !bytes.HasPrefix(file[at+46:], []byte(sheet)) {
			at += 4 + bytes.Index(file[at+4:], []byte("PK\x01\x02"))
		}
		file[at+16]++
		w, err := open(t, file)
		noError(t, err)
		_, err = read(t, w, "1")
		wantWhat(t, err, "checksum")
	})
}

// failing is a file that can be read up to an offset only.
type failing struct {
	io.ReaderAt
	from int64
	err  error
}

func (f *failing) ReadAt(b []byte, offset int64) (int, error) {
	if offset+int64(len(b)) > f.from {
		return 0, f.err
	}
	return f.ReaderAt.ReadAt(b, offset)
}

// TestReadErrors checks that an error of the file is returned as it is, wherever it occurs,
// and not as damage of the workbook.
func TestReadErrors(t *testing.T) {
	var rows strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&rows, `<row><c><v>%d</v></c></row>`, i*i)
	}
	file := workbook(rows.String()).zipped(t)
	broken := errors.New("the disk is broken")
	in := &failing{bytes.NewReader(file), 1 << 40, broken}
	for _, from := range []int64{0, 100} {
		in.from = from
		if _, err := Open(in, int64(len(file))); !errors.Is(err, broken) {
			t.Errorf("from %d on, got %v, want %v", from, err, broken)
		}
	}
	in.from = 1 << 40
	w, err := Open(in, int64(len(file)))
	noError(t, err)
	s, err := w.Sheet("")
	noError(t, err)
	in.from = 64 << 10
	for _, rowErr := range w.Rows(s) {
		err = rowErr
	}
	if !errors.Is(err, broken) || errors.As(err, new(*Error)) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

// TestSizesAreBounded checks that a hostile workbook is refused before it takes memory.
func TestSizesAreBounded(t *testing.T) {
	p := workbook(oneCell)
	for name, c := range map[string]struct {
		file func(t *testing.T) []byte
		want string
	}{
		"a bomb": {func(t *testing.T) []byte {
			return bomb(t, p, "xl/worksheets/sheet2.xml", 10<<20, maxInflated+1)
		}, "inflates to more than 1 GB"},
		"a bomb that hides its size": {func(t *testing.T) []byte {
			return bomb(t, p, "xl/worksheets/sheet1.xml", 100<<20, 1000)
		}, "is damaged"},
		"many members": {func(t *testing.T) []byte {
			var out bytes.Buffer
			z := zip.NewWriter(&out)
			for i := range 60_000 {
				_, _ = z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("%060d", i)})
			}
			_ = z.Close()
			return out.Bytes()
		}, "more files than any workbook has"},
		"many sheets": {func(t *testing.T) []byte {
			return p.with("xl/workbook.xml", strings.Repeat(`<sheet name="a"/>`, maxSmallPart/17+1)).zipped(t)
		}, "larger than 4 MB"},
		"many formats": {func(t *testing.T) []byte {
			return p.with("xl/styles.xml", "<a><cellXfs>"+strings.Repeat("<xf/>", maxFormats+10)+"</cellXfs></a>").zipped(t)
		}, "formats"},
		"a tag without a name": {func(t *testing.T) []byte { return workbook("<>").zipped(t) }, "expected element name after <"},
		"deep":                 {func(t *testing.T) []byte { return workbook(strings.Repeat("<row>", 1<<20)).zipped(t) }, "nested more than 64 levels"},
		"many columns": {func(t *testing.T) []byte {
			return workbook("<row>" + strings.Repeat("<c><v>1</v></c>", 1_000_000) + "</row>").zipped(t)
		}, "16384 columns"},
		"many rows": {func(t *testing.T) []byte { return workbook(strings.Repeat("<row/>", MaxRows+1)).zipped(t) }, "more than 1048576 rows"},
		"a long text": {func(t *testing.T) []byte {
			return workbook(`<row><c t="str"><v>` + strings.Repeat("x", maxPiece+bufferSize) + `</v></c></row>`).zipped(t)
		}, "a tag, a comment or a text of more than 1 MB"},
		"a long text in pieces": {func(t *testing.T) []byte {
			return workbook(`<row><c t="str"><v>` + strings.Repeat(strings.Repeat("x", maxPiece/2)+"<a/>", 2*maxRowText/maxPiece) + `x</v></c></row>`).zipped(t)
		}, "longer than 32 MB"},
		"a long row": {func(t *testing.T) []byte {
			return workbook(`<row r="5">`+strings.Repeat(`<c t="s"><v>0</v></c>`, 80)+`</row>`).with("xl/sharedStrings.xml", "<sst><si><t>"+strings.Repeat("x", maxPiece/2)+"</t></si></sst>").zipped(t)
		}, "row 5 is longer than 32 MB"},
		"a repeated text": {func(t *testing.T) []byte {
			return workbook(strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 2200)).with("xl/sharedStrings.xml", "<sst><si><t>"+strings.Repeat("x", maxPiece/2)+"</t></si></sst>").zipped(t)
		}, "texts of more than 1 GB"},
	} {
		t.Run(name, func(t *testing.T) {
			file := c.file(t)
			before := allocated()
			w, err := open(t, file)
			if err == nil {
				err = readAll(t, w)
			}
			wantWhat(t, err, c.want)
			if took := allocated() - before; took > 200<<20 {
				t.Errorf("got %d MB allocated, want at most 200", took>>20)
			}
		})
	}
}

// TestHalvesOfCharactersAreFound reads references that come in pieces, one behind the other.
func TestHalvesOfCharactersAreFound(t *testing.T) {
	for _, document := range []string{`<a b="&#xdfff;"/>`, `<a>` + strings.Repeat("&#65;&amp;\ufffd", 9000) + `&#056320;</a>`} {
		for _, in := range []io.Reader{strings.NewReader(document), iotest.OneByteReader(strings.NewReader(document))} {
			x, err := newXMLReader(in), error(nil)
			for err == nil {
				_, err = x.next()
			}
			if !strings.Contains(err.Error(), "half of one") {
				t.Errorf("%.20s: got %v, want an error that names half of a character", document, err)
			}
		}
	}
}

// TestDuplicates checks that a workbook whose parts could be read in several ways is refused, and that no sheet is read twice.
func TestDuplicates(t *testing.T) {
	const main, links = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
	p := workbook("")
	unread := p.with("xl/media/a.png", "").with("xl/media/A.png", "").with("xl", "").with("XL", "")
	if _, err := open(t, unread.zipped(t)); err != nil {
		t.Errorf("two parts that are not read: got error %v, want none", err)
	}
	for name, c := range map[string]struct {
		p    parts
		want string
	}{
		"texts":     {p.replaced(links, "</", `<Relationship Id="u" Type="y/sharedStrings" Target="other.xml"/></`), "several parts of the kind sharedStrings,"},
		"styles":    {p.replaced(links, "</", `<Relationship Id="u" Type="y/styles" Target="other.xml"/></`), "several parts of the kind styles,"},
		"workbooks": {p.with("_rels/.rels", `<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.xml"/><Relationship Id="b" Type="x/officeDocument" Target="b/workbook.xml"/></Relationships>`), "several parts of the kind officeDocument,"},
		"ids":       {p.replaced(links, "</", `<Relationship Id="rId1" Type="x/worksheet" Target="other.xml"/></`), `has two relationships with the id "rId1"`},
		"sheets":    {p.with(main, `<workbook><sheets>`+strings.Repeat(`<sheet name="a" id="rId1"/>`, 50_000)+`</sheets></workbook>`), "several of its sheets are the part xl/worksheets/sheet1.xml"},
		"names":     {p.with("xl/STYLES.xml", "<styleSheet/>"), "has two parts with the name xl/styles.xml"},
		"other letters": {p.replaced(links, "</", `<Relationship Id="u" Type="x/worksheet" Target="Worksheets/x/../SHEET1.xml"/></`).replaced(main, "</", `<sheet name="b" id="u"/></`),
			"several of its sheets are the part xl/worksheets/sheet1.xml"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := open(t, c.p.zipped(t))
			wantWhat(t, err, c.want)
		})
	}
}
