package xlsx

import (
	"archive/zip"
	"cmp"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The limits of a sheet, and of the text of a cell in UTF-16 code units.
const (
	MaxRows    = 1 << 20
	MaxColumns = 1 << 14
	MaxText    = 1<<15 - 1
)

const maxName = 31

// The first rows of a sheet are held back, since the widths of the columns come before
// them: heldRows of them, or heldSize bytes of their XML.
const (
	heldRows = 1000
	heldSize = 1 << 20
)

// A Writer writes a workbook row by row: the cells of a row from left to right, and EndRow
// after the last one. It never seeks, so a workbook can go to a pipe. What it writes does
// not depend on the time.
//
// A sheet that is full is followed by another one with the same header.
type Writer struct {
	zip    *zip.Writer
	name   string
	header []string
	rows   int       // of a full sheet
	sheets []size    // of the sheets that were begun
	part   io.Writer // the part of the current sheet; nil while its first rows are held back
	xml    []byte    // of the current sheet, not written yet
	widths []int     // of the columns of the current sheet, in characters
	typed  []bool    // the columns of the current sheet with a cell that is no text
	open   bool      // the current sheet takes more rows
	inRow  bool      // a row was begun
	column int       // the next cell
	err    error     // the first one; nothing is written after it
}

// A size is the number of rows and columns of a sheet.
type size struct{ rows, columns int }

// NewWriter returns a writer of a workbook with one sheet. The name of the sheet must be
// one that spreadsheets take; an empty one is Sheet1. The header, if it is not empty,
// becomes the first row, which stays in view and filters the others.
func NewWriter(w io.Writer, name string, header []string) *Writer {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	return &Writer{zip: z, name: cmp.Or(name, "Sheet1"), header: header, rows: MaxRows}
}

// Text adds a cell with a text, which no program takes for a number, a date or a formula.
func (w *Writer) Text(text []byte) { w.text(text, styleText) }

// Number adds a cell with a number in the notation of JSON. A number that programs would
// change, because it has more than 15 digits or is out of range, becomes a text.
func (w *Writer) Number(number []byte) {
	digits, isWhole, ok := shapeOf(number)
	value, err := strconv.ParseFloat(string(number), 64)
	isNormal := math.Abs(value) >= 0x1p-1022 || digits == 0
	switch {
	case !ok || err != nil || digits > 15 || !isNormal:
		w.Text(number)
	case isWhole && digits > 11: // which styleGeneral would show with an exponent
		w.typedCell(styleWhole, "", number)
	default:
		w.typedCell(styleGeneral, "", number)
	}
}

// Date adds a cell with a date such as 2024-04-10, with a time: 2024-04-10T04:04:00 or
// 2024-04-10 04:04:00, with or without a Z, or only with hours, minutes and seconds: 04:04:00. Another text, and a date that
// no program knows, becomes a text. At midnight the time is shown only if showsMidnight says so: the service sends it with days.
func (w *Writer) Date(date []byte, showsMidnight bool) {
	serial, hasTime, ok := serialOf(string(date))
	var hours, minutes, seconds int
	switch {
	case !ok:
		_, err := fmt.Sscanf(string(date), "%d:%d:%d", &hours, &minutes, &seconds)
		if total := hours*3600 + minutes*60 + seconds; err == nil && string(appendClock(nil, int64(total))) == string(date) {
			w.typedCell(styleElapsed, "", strconv.AppendFloat(nil, float64(total)/daySeconds, 'f', -1, 64))
			return
		}
		w.Text(date)
	case hasTime, showsMidnight && len(date) > len(time.DateOnly):
		w.typedCell(styleTime, "", strconv.AppendFloat(nil, serial, 'f', -1, 64))
	default:
		w.typedCell(styleDate, "", strconv.AppendFloat(nil, serial, 'f', -1, 64))
	}
}

// Cell adds a cell that is read as a text and a kind again, as far as that is known: a number whose text in another sheet is not
// known is shown with an exponent. A text that looks like a number stays a text, which keeps its zeros when a user mends it.
func (w *Writer) Cell(text []byte, kind Kind) {
	isTrue := string(text) == "TRUE"
	switch {
	case len(text) == 0:
		w.Blank()
	case kind == KindNumber:
		w.Number(text)
	case kind == KindUncomputed:
		w.uncomputed(string(text))
	case kind == KindStyled:
		w.typedCell(styleExponent, "", text)
	case kind == KindRounded:
		w.typedCell(styleWhole, "", text)
	case kind == KindDate:
		w.Date(text, true)
	case kind == KindBool && (isTrue || string(text) == "FALSE"):
		w.Bool(isTrue)
	default:
		w.Text(text)
	}
}

// maxLiteral is the length of the longest text in a formula, in characters.
const maxLiteral = 255

// uncomputed adds a cell whose value is the text of a formula, and that is a formula without a value again: here the other one would
// refer to other cells. The cell of one that is too long is empty.
func (w *Writer) uncomputed(formula string) {
	literal := `"` + strings.ReplaceAll(formula, `"`, `""`) + `"`
	if strings.HasPrefix(formula, `="=`) { // such a cell
		literal = formula[1:]
	}
	if utf8.RuneCountInString(literal) > maxLiteral {
		w.Blank()
		return
	}
	w.beginCell(styleText)
	w.xml = append(appendText(append(w.xml, `" t="str"><f>`...), []byte(literal)), `</f></c>`...)
	if w.part == nil {
		w.widen(widthOf([]byte(formula)))
	}
}

// Bool adds a cell with true or false.
func (w *Writer) Bool(b bool) {
	value := byte('0')
	if b {
		value = '1'
	}
	w.typedCell(styleGeneral, "b", []byte{value})
}

// Blank adds an empty cell.
func (w *Writer) Blank() {
	w.beginRow()
	w.column++
}

// EndRow ends the row of the cells that were added last.
func (w *Writer) EndRow() error {
	w.beginRow()
	w.endRow()
	current := &w.sheets[len(w.sheets)-1]
	if current.columns > MaxColumns && w.err == nil {
		w.err = fmt.Errorf("a row has %d columns, and a sheet of a workbook has at most %d", current.columns, MaxColumns)
	}
	switch {
	case current.rows == w.rows:
		w.endSheet()
	case w.part == nil && (current.rows > heldRows || len(w.xml) > heldSize):
		w.beginPart()
	case w.part != nil && len(w.xml) > 32<<10:
		w.flush()
	}
	return w.err
}

// Close completes the workbook. It does not close the writer that the workbook goes to.
func (w *Writer) Close() error {
	if len(w.sheets) == 0 {
		w.beginSheet()
	}
	if w.open {
		w.endSheet()
	}
	w.writePart("xl/workbook.xml", w.workbook())
	w.writePart("xl/_rels/workbook.xml.rels", w.relationships())
	if w.err == nil {
		w.err = w.zip.Close()
	}
	return w.err
}

func (w *Writer) beginRow() {
	if w.inRow {
		return
	}
	if !w.open {
		w.beginSheet()
	}
	w.inRow, w.column = true, 0
	w.sheets[len(w.sheets)-1].rows++
	w.xml = append(w.xml, `<row r="`...)
	w.xml = strconv.AppendInt(w.xml, int64(w.sheets[len(w.sheets)-1].rows), 10)
	w.xml = append(w.xml, `">`...)
}

func (w *Writer) endRow() {
	w.xml = append(w.xml, "</row>\n"...)
	w.inRow = false
	current := &w.sheets[len(w.sheets)-1]
	current.columns = max(current.columns, w.column)
}

func (w *Writer) beginCell(style int) {
	w.beginRow()
	w.xml = append(w.xml, `<c r="`...)
	w.xml = appendColumn(w.xml, w.column)
	w.xml = strconv.AppendInt(w.xml, int64(w.sheets[len(w.sheets)-1].rows), 10)
	if style != styleGeneral {
		w.xml = append(w.xml, `" s="`...)
		w.xml = strconv.AppendInt(w.xml, int64(style), 10)
	}
	w.column++
}

func (w *Writer) typedCell(style int, kind string, value []byte) {
	w.beginCell(style)
	if kind != "" {
		w.xml = append(w.xml, `" t="`...)
		w.xml = append(w.xml, kind...)
	}
	w.xml = append(append(append(w.xml, `"><v>`...), value...), `</v></c>`...)
	if w.part == nil {
		width := len(value)
		switch style {
		case styleDate:
			width = len("2006-01-02")
		case styleTime:
			width = len("2006-01-02 15:04:05")
		}
		w.widen(width)
		w.typed[w.column-1] = true
	}
}

func (w *Writer) text(text []byte, style int) {
	if len(text) == 0 {
		w.Blank()
		return
	}
	w.beginCell(style)
	w.xml = append(w.xml, `" t="inlineStr"><is><t`...)
	if needsSpace(text) {
		w.xml = append(w.xml, ` xml:space="preserve"`...)
	}
	w.xml = append(appendText(append(w.xml, '>'), text), `</t></is></c>`...)
	if w.part == nil {
		w.widen(widthOf(text))
	}
}

func (w *Writer) widen(width int) {
	for len(w.widths) < w.column {
		w.widths, w.typed = append(w.widths, 0), append(w.typed, false)
	}
	w.widths[w.column-1] = max(w.widths[w.column-1], width)
}

func (w *Writer) beginSheet() {
	if len(w.sheets) == 0 {
		w.writePart("[Content_Types].xml", contentTypes)
		w.writePart("_rels/.rels", packageRelationships)
		w.writePart("xl/styles.xml", styles)
	}
	w.sheets, w.open, w.part = append(w.sheets, size{}), true, nil
	w.xml, w.widths, w.typed = w.xml[:0], w.widths[:0], w.typed[:0]
	if len(w.header) == 0 {
		return
	}
	w.beginRow()
	for _, name := range w.header {
		w.text([]byte(name), styleHeader)
	}
	for i := range w.widths {
		w.widths[i] += 3 // for the button of the filter
	}
	w.endRow()
}

// beginPart begins the part of the sheet, whose first rows were held back.
func (w *Writer) beginPart() {
	w.part = w.create(fmt.Sprintf("xl/worksheets/sheet%d.xml", len(w.sheets)))
	var head strings.Builder
	head.WriteString(xmlHeader + `<worksheet xmlns="` + namespace + `"><sheetViews><sheetView workbookViewId="0"`)
	if len(w.sheets) == 1 {
		head.WriteString(` tabSelected="1"`)
	}
	if len(w.header) > 0 {
		head.WriteString(`><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews>`)
	} else {
		head.WriteString(`/></sheetViews>`)
	}
	if len(w.widths) > 0 {
		head.WriteString("<cols>")
		for i, width := range w.widths {
			style := styleText // a number that a user adds keeps its zeros
			if w.typed[i] {
				style = styleGeneral
			}
			fmt.Fprintf(&head, `<col min="%d" max="%[1]d" width="%d" style="%d" customWidth="1"/>`, i+1, min(max(width+1, minWidth), maxWidth), style)
		}
		head.WriteString("</cols>")
	}
	head.WriteString("<sheetData>\n")
	_, err := io.WriteString(w.part, head.String())
	w.err = cmp.Or(w.err, err)
	w.flush()
}

func (w *Writer) flush() {
	if w.err == nil {
		_, w.err = w.part.Write(w.xml)
	}
	w.xml = w.xml[:0]
}

func (w *Writer) endSheet() {
	if w.part == nil {
		w.beginPart()
	}
	w.open = false
	current := w.sheets[len(w.sheets)-1]
	w.xml = append(w.xml, `</sheetData>`...)
	if current.columns > 0 {
		cells := current.area("")
		if len(w.header) > 0 {
			w.xml = append(w.xml, `<autoFilter ref="`+cells+`"/>`...)
		}
		w.xml = append(w.xml, `<ignoredErrors><ignoredError sqref="`+cells+`" numberStoredAsText="1"/></ignoredErrors>`...)
	}
	w.xml = append(w.xml, "</worksheet>"...)
	w.flush()
}

// area returns the cells of a sheet, as A1:C3. sign stands before each column and row.
func (s size) area(sign string) string {
	return fmt.Sprintf("%sA%[1]s1:%[1]s%s%[1]s%[3]d", sign, appendColumn(nil, s.columns-1), s.rows)
}

// create begins a part of the workbook. It returns a writer that does nothing after an
// error.
func (w *Writer) create(name string) io.Writer {
	if w.err != nil {
		return io.Discard
	}
	part, err := w.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		w.err = err
		return io.Discard
	}
	return part
}

func (w *Writer) writePart(name, xml string) {
	_, err := io.WriteString(w.create(name), xml)
	w.err = cmp.Or(w.err, err)
}

func (w *Writer) sheetName(i int) string {
	if i == 0 {
		return w.name
	}
	name, number := []rune(w.name), " "+strconv.Itoa(i+1)
	return string(name[:min(len(name), maxName-len(number))]) + number
}

func (w *Writer) workbook() string {
	var sheets, filters strings.Builder
	for i, s := range w.sheets {
		fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" r:id="rId%[2]d"/>`, appendText(nil, []byte(w.sheetName(i))), i+1)
		if len(w.header) > 0 {
			fmt.Fprintf(&filters, `<definedName name="_xlnm._FilterDatabase" localSheetId="%d" hidden="1">'%s'!%s</definedName>`,
				i, appendText(nil, []byte(strings.ReplaceAll(w.sheetName(i), "'", "''"))), s.area("$"))
		}
	}
	text := xmlHeader + `<workbook xmlns="` + namespace + `" xmlns:r="` + relationshipTypes + `"><bookViews><workbookView/></bookViews><sheets>` + sheets.String() + `</sheets>`
	if filters.Len() > 0 {
		text += `<definedNames>` + filters.String() + `</definedNames>`
	}
	return text + `</workbook>`
}

func (w *Writer) relationships() string {
	var text strings.Builder
	text.WriteString(xmlHeader + `<Relationships xmlns="` + packageNamespace + `/relationships">`)
	for i := range w.sheets {
		fmt.Fprintf(&text, `<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%[1]d.xml"/>`, i+1, relationshipTypes)
	}
	fmt.Fprintf(&text, `<Relationship Id="rId%d" Type="%s/styles" Target="styles.xml"/></Relationships>`, len(w.sheets)+1, relationshipTypes)
	return text.String()
}

// ErrTooLong is the error of CheckText.
var ErrTooLong = errors.New("the text is longer than the 32,767 characters that a cell of a workbook holds")

// CheckText returns ErrTooLong for a text that is too long for a cell. A Writer writes it
// all the same, since not all programs have the limit.
func CheckText(text []byte) error {
	if len(text) <= MaxText {
		return nil
	}
	units := 0
	for _, r := range string(text) {
		units += max(1, utf8.RuneLen(r)/2) // a pair of units for 4 bytes
		if units > MaxText {
			return ErrTooLong
		}
	}
	return nil
}
