package xlsx

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// parts are the parts of a workbook by their names.
type parts map[string]string

// workbook returns the parts of a workbook with the XML of the rows of each sheet.
func workbook(sheets ...string) parts {
	p := parts{}
	list, targets := "", ""
	for i, rows := range sheets {
		list += fmt.Sprintf(`<sheet name="Sheet%d" sheetId="%d" r:id="rId%[1]d"/>`, i+1, i+1)
		targets += fmt.Sprintf(`<Relationship Id="rId%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet%[1]d.xml"/>`, i+1)
		p[fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1)] = `<?xml version="1.0" encoding="UTF-8"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cols><col min="1" max="1" hidden="1"/></cols><sheetData>` + rows + `</sheetData><extLst/></worksheet>`
	}
	p["xl/workbook.xml"] = `<workbook xmlns:r="r"><sheets>` + list + `</sheets></workbook>`
	p["xl/_rels/workbook.xml.rels"] = `<Relationships>` + targets + `<Relationship Id="t" Type="x/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="s" Type="x/styles" Target="styles.xml"/></Relationships>`
	p["xl/sharedStrings.xml"] = `<sst/>`
	p["xl/styles.xml"] = `<styleSheet/>`
	return p
}

// with returns the parts with another content of one of them.
func (p parts) with(name, content string) parts {
	p = maps.Clone(p)
	p[name] = content
	return p
}

// replaced returns the parts with another text in one of them.
func (p parts) replaced(name, old, text string) parts {
	return p.with(name, strings.Replace(p[name], old, text, 1))
}

// zipped returns the archive of the parts.
func (p parts) zipped(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(p)) {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, p[name])
		}
		noError(t, err)
	}
	noError(t, z.Close())
	return out.Bytes()
}

// open opens the workbook in a file.
func open(t testing.TB, file []byte) (*Workbook, error) {
	t.Helper()
	return Open(bytes.NewReader(file), int64(len(file)))
}

// read returns a line for each row of a sheet: its number and its cells, with their
// columns and an exclamation mark before an error.
func read(t testing.TB, w *Workbook, sheet string) (lines []string, err error) {
	t.Helper()
	s, err := w.Sheet(sheet)
	if err != nil {
		return nil, err
	}
	for row, err := range w.Rows(s) {
		if err != nil {
			return lines, err
		}
		line := fmt.Sprintf("%d:", row.Number)
		for _, c := range row.Cells {
			mark := map[Kind]string{KindError: "!", KindUncomputed: "?"}[c.Kind]
			line += fmt.Sprintf(" %s=%s%q", ColumnName(c.Column), mark, c.Text)
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// readParts returns the lines of read for the parts of a workbook.
func readParts(t testing.TB, p parts, sheet string) ([]string, error) {
	t.Helper()
	w, err := open(t, p.zipped(t))
	if err != nil {
		return nil, err
	}
	return read(t, w, sheet)
}

// readAll reads the rows of the first sheet and drops them.
func readAll(t testing.TB, w *Workbook) error {
	t.Helper()
	s, err := w.Sheet("1")
	if err != nil {
		return err
	}
	for _, rowErr := range w.Rows(s) {
		err = rowErr
	}
	return err
}

// bomb returns the archive of the parts and of one that is a sheet of empty rows, with a
// length of which the archive says that it is declared.
func bomb(t testing.TB, p parts, name string, length int, declared uint64) []byte {
	t.Helper()
	var body, out bytes.Buffer
	deflater, err := flate.NewWriter(&body, flate.BestSpeed)
	if err == nil {
		_, err = io.WriteString(deflater, "<worksheet><sheetData>"+strings.Repeat("<row/>", length/6))
	}
	if err == nil {
		err = deflater.Close()
	}
	z := zip.NewWriter(&out)
	for other, content := range p {
		if w, bad := z.Create(other); bad == nil && other != name {
			_, err = io.WriteString(w, content)
		}
	}
	w, bad := z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, CompressedSize64: uint64(body.Len()), UncompressedSize64: declared})
	if bad == nil {
		_, bad = body.WriteTo(w)
	}
	if err = errors.Join(err, bad, z.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// allocated returns how many bytes the program has allocated so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
