package xlsx

import (
	"encoding/xml"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestReadCells checks what the cells of one row stand for.
func TestReadCells(t *testing.T) {
	shared := `<sst><si><t>first</t></si><si><t xml:space="preserve"> two </t></si><si><t> trimmed </t></si>` +
		`<si><r><t>rich</t></r><r><rPr><b/></rPr><t xml:space="preserve"> text</t></r><rPh sb="0" eb="1"><t>phonetic</t></rPh><phoneticPr/></si><si/><si><t>課<![CDATA[<&>]]></t></si></sst>`
	for name, c := range map[string]struct{ cells, want string }{
		"shared":               {`<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v> 1 </v></c>`, `A="first" B=" two "`},
		"white space":          {`<c t="s"><v>2</v></c>`, `A="trimmed"`},
		"rich":                 {`<c t="s"><v>3</v></c>`, `A="rich text"`},
		"shared and empty":     {`<c t="s"><v>4</v></c><c t="s"><v>0</v></c>`, `B="first"`},
		"cdata":                {`<c t="s"><v>5</v></c>`, `A="課<&>"`},
		"inline":               {`<c t="inlineStr"><is><t>a &amp; b&#10;c</t></is></c>`, `A="a & b\nc"`},
		"inline and rich":      {`<c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r><rPh><t>x</t></rPh></is></c>`, `A="ab"`},
		"unknown parts":        {`<c t="inlineStr"><is><t>a<ext>b</ext>c</t></is></c>`, `A="ac"`},
		"line ends":            {"<c t=\"inlineStr\"><is><t>a\r\nb\rc\nd</t></is></c>", `A="a\nb\nc\nd"`},
		"escapes":              {`<c t="inlineStr"><is><t>a_x000D_b_x005F_x000D_c_xD83D__xDE00_d_x12_e_xD83D_</t></is></c>`, `A="a\rb_x000D_c😀d_x12_e�"`},
		"formula":              {`<c t="str"><f>A2&amp;"x"</f><v>text </v></c><c><f>1+1</f><v>2</v></c>`, `A="text " B="2"`},
		"formula without":      {`<c><f>1+1</f></c><c t="str"><f>""</f><v></v></c><c><v>1</v></c><c><f>1+1</f><v/></c>`, `A=?"=1+1" C="1" D=?"=1+1"`},
		"booleans":             {`<c t="b"><v>1</v></c><c t="b"><v>0</v></c>`, `A="TRUE" B="FALSE"`},
		"errors":               {`<c t="e"><v>#N/A</v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c>`, `A=!"#N/A" B=!"#DIV/0!"`},
		"gaps":                 {`<c r="C1"><v>1</v></c><c r="XFD1"><v>2</v></c>`, `C="1" XFD="2"`},
		"no places":            {`<c><v>1</v></c><c r="D1"><v>2</v></c><c><v>3</v></c>`, `A="1" D="2" E="3"`},
		"lower case":           {`<c r="b1"><v>1</v></c>`, `B="1"`},
		"empty cells":          {`<c r="A1" s="3"/><c r="B1"></c><c r="C1"><v/></c><c r="D1"><v>1</v></c>`, `D="1"`},
		"prefixes":             {`<x:c r="A1" t="s"><x:v>0</x:v></x:c>`, `A="first"`},
		"unknown elements":     {`<c><extLst><v>2</v></extLst><v>1</v></c><foo><c><v>3</v></c></foo>`, `A="1"`},
		"single quotes":        {`<c r='A1' t = 's' ><v>0</v></c >`, `A="first"`},
		"greater than":         {`<c r="A1" foo=">" t="s"><v>0</v></c>`, `A="first"`},
		"comments":             {`<!-- > <c><v>9</v></c> --><c><?pi <v>8</v> ?><v>1<!-- x -->2</v></c>`, `A="12"`},
		"iso dates":            {`<c t="d"><v>2026-11-22</v></c><c t="d"><v>2026-11-22T08:05:00.000Z</v></c>`, `A="2026-11-22" B="2026-11-22T08:05:00"`},
		"control characters":   {`<c t="inlineStr"><is><t>a&#9;b&#x7f;</t></is></c>`, `A="a\tb\x7f"`},
		"unicode":              {`<c t="inlineStr"><is><t>Zürich &#x1F600; 日本</t></is></c>`, `A="Zürich 😀 日本"`},
		"text that is no type": {`<c t="new"><v>x</v></c>`, `A="x"`},
	} {
		t.Run(name, func(t *testing.T) {
			p := workbook(`<row r="1">`+c.cells+`</row>`).with("xl/sharedStrings.xml", shared)
			got, err := readParts(t, p, "")
			if want := []string{"1: " + c.want}; err != nil || !slices.Equal(got, want) {
				t.Errorf("got %q, %v, want %q", got, err, want)
			}
		})
	}
}

// TestRowNumbers checks that rows have the numbers that a spreadsheet shows, and that rows
// without a value are left out.
func TestRowNumbers(t *testing.T) {
	rows := `<row><c><v>1</v></c></row><row r="4" hidden="1"><c><v>4</v></c></row><row><c s="1"/></row><row/><row><c><v>7</v></c></row><row r="1048576"><c><v>8</v></c></row>`
	got, err := readParts(t, workbook(rows), "")
	if want := []string{`1: A="1"`, `4: A="4"`, `7: A="7"`, `1048576: A="8"`}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// TestNumbers checks that numbers are plain decimals of 15 digits, as spreadsheets show them.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"5035550100": "5035550100", "5.0355501E9": "5035550100", "0.5": "0.5", ".5": "0.5", "-0.5": "-0.5", "0": "0", "-0": "0", "-7": "-7",
		"007": "7", "00.5": "0.5", "1.50": "1.5", "2.0": "2", "2.": "2", "1E3": "1000", "1e-7": "0.0000001", "1.5E+20": "150000000000000000000",
		"0.1": "0.1", "0.10000000000000001": "0.1", "0.30000000000000004": "0.3", "1.2345678901234567E+18": "1234567890123460000",
		"1234567890123456789": "1234567890123456789", "123456789012345.6": "123456789012346", "999999999999999.9": "1000000000000000",
		"4.9406564584124654E-324": "0." + strings.Repeat("0", 323) + "5",
		"abc":                     "abc", "0x10": "0x10", "Infinity": "Infinity", "NaN": "NaN", "1_000": "1_000", "1E999": "1E999", "": "", "-": "-", "1.2.3": "1.2.3",
	} {
		t.Run(text, func(t *testing.T) {
			if got := string(shapeNumber.appendNumber(nil, text, epoch1900)); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			if plain := isDecimal([]byte(text)); plain && text != want {
				t.Errorf("got isDecimal %t, want false since %q is shown as %q", plain, text, want)
			}
		})
	}
}

// TestDates checks what numbers stand for in cells with formats of dates and times.
func TestDates(t *testing.T) {
	for _, c := range []struct {
		format, number, want string
		from                 epoch
	}{
		{"yyyy-mm-dd", "46348", "2026-11-22", epoch1900},
		{"yyyy-mm-dd", "46348.75", "2026-11-22", epoch1900},
		{"dd/mm/yy hh:mm", "46348.75", "2026-11-22T18:00:00", epoch1900},
		{"dd/mm/yy hh:mm", "46348", "2026-11-22T00:00:00", epoch1900},
		{"dd/mm/yy hh:mm", "46347.999999999", "2026-11-22T00:00:00", epoch1900},
		{"d", "1", "1900-01-01", epoch1900},
		{"d", "59", "1900-02-28", epoch1900},
		{"d", "60", "1900-02-29", epoch1900},
		{"d", "61", "1900-03-01", epoch1900},
		{"d", "2958465", "9999-12-31", epoch1900},
		{"d", "2958466", "2958466", epoch1900},
		{"d", "-1", "-1", epoch1900},
		{"d", "0", "0", epoch1900},
		{"d", "0", "1904-01-01", epoch1904},
		{"d", "44886", "2026-11-22", epoch1904},
		{"d", "abc", "abc", epoch1900},
		{"hh:mm", "0.5", "12:00:00", epoch1900},
		{"hh:mm", "46348.5", "2026-11-22T12:00:00", epoch1900},
		{"[h]:mm", "1.5", "36:00:00", epoch1900},
		{"mm:ss", "0.0006944444444", "00:01:00", epoch1900},
		{"General", "46348", "46348", epoch1900},
		{"0.00", "4.6348E4", "46348", epoch1900},
	} {
		t.Run(c.format+" "+c.number, func(t *testing.T) {
			shape := formatOf(c.format).dateShape
			if c.format == "hh:mm" && c.number == "46348.5" {
				shape |= shapeDate
			}
			if got := string(shape.appendNumber(nil, c.number, c.from)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestFormats checks which formats show dates.
func TestFormats(t *testing.T) {
	for code, want := range map[string]dateShape{
		"General": 0, "GENERAL": 0, `General" d"`: 0, "0": 0, "#,##0.00": 0, "0.00E+00": 0, "@": 0, "": 0, `"day" 0`: 0, `\d0`: 0, `0_d`: 0, `0*d`: 0,
		`#,##0\ [$€-407]`: 0, `[$USD] 0`: 0, `[Red]0`: 0, `_-* #,##0.00\ _€_-;\-* d`: 0, `0;yyyy`: 0, `[<100]0`: 0, `"unclosed d`: 0, `[`: 0, `\`: 0,
		"yyyy-mm-dd": shapeDate, "[$-409]d-mmm-yy;@": shapeDate, "mmmm": shapeDate, "YYYY": shapeDate, `d"."m"."`: shapeDate, `[$-F800]dddd\,\ mmmm\ dd\,\ yyyy`: shapeDate,
		"h:mm": shapeTime, "mm:ss.0": shapeTime, "h:mm AM/PM": shapeTime, "[hh]:mm": shapeTime | shapeElapsed, "[mm]:ss": shapeTime | shapeElapsed, "[s]": shapeTime | shapeElapsed,
		"m/d/yy h:mm": shapeDate | shapeTime, `yyyy\-mm\-dd\Thh:mm:ss`: shapeDate | shapeTime, `ggge"年"m"月"d"日"`: shapeDate,
	} {
		t.Run(code, func(t *testing.T) {
			if got := formatOf(code).dateShape; got != want {
				t.Errorf("got %d, want %d", got, want)
			}
		})
	}
}

// TestFormatsOfCells checks that a cell has the format that its number in the styles has.
func TestFormatsOfCells(t *testing.T) {
	p := workbook(`<row><c s="0"><v>46348</v></c><c s="1"><v>46348</v></c><c s="2"><v>46348.5</v></c><c s="3"><v>1.25</v></c><c s="9"><v>4</v></c><c s="1" t="d"><v>2026-11-22T00:00:00</v></c><c s="4"><v>46327</v></c></row>`).
		with("xl/styles.xml", `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="d&quot; at &quot;h"/></numFmts><cellStyleXfs><xf numFmtId="22"/></cellStyleXfs>`+
			`<cellXfs><xf numFmtId="0"/><xf numFmtId="14"><alignment/></xf><xf numFmtId="170"/><xf numFmtId="46"/><xf numFmtId="17"/></cellXfs><dxfs><dxf><numFmt numFmtId="0" formatCode="yyyy"/></dxf></dxfs></styleSheet>`)
	got, err := readParts(t, p, "")
	if want := []string{`1: A="46348" B="2026-11-22" C="2026-11-22T12:00:00" D="30:00:00" E="4" F="2026-11-22" G="2026-11-01"`}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	p = p.replaced("xl/workbook.xml", "<sheets>", `<workbookPr date1904="true"/><sheets>`)
	got, err = readParts(t, p, "")
	if want := `B="2030-11-23"`; err != nil || !strings.Contains(fmt.Sprint(got), want) {
		t.Errorf("with days from 1904, got %q, %v, want %s in it", got, err, want)
	}
}

// TestPaddedNumbers checks that a whole number has the zeros with which its format shows it, and no other number has any.
func TestPaddedNumbers(t *testing.T) {
	for _, c := range []struct {
		code, number, want string
		kind               Kind
	}{
		{"0000000000", "351123456", "0351123456", KindPadded},
		{"0000000000", "3.51123456E8", "0351123456", KindPadded},
		{"00000", "12", "00012", KindPadded},
		{`"+"0`, "4934198765", "+4934198765", KindPadded},
		{`"0"0`, "34198765", "034198765", KindPadded},
		{"00000", "0", "00000", KindPadded},
		{"00000;-00000;@", "12", "00012", KindPadded},
		{"[$-407]00000", "1067", "01067", KindPadded},
		{"0000 000 000", "351123456", "0351 123 456", KindPadded},
		{"0000 000 000", "0", "0000 000 000", KindPadded},
		{"0000\\ 000\\-000", "12351123456", "12351 123-456", KindPadded},
		{`"K-"00000`, "12", "K-00012", KindPadded},
		{`"K-"00000`, "123456", "K-123456", KindPadded},
		{"00000-0000", "21341234", "02134-1234", KindPadded},
		{"(000) 000-0000", "5551234567", "(555) 123-4567", KindPadded},
		{"+00 0", "491", "+49 1", KindPadded},
		{"000,000", "12", "12", KindStyled},
		{`00"x`, "1", "1", KindStyled},
		{`0" km"`, "5", "5", KindStyled},
		{"00000", "123456", "123456", KindNumber},
		{"00000", "1.5", "1.5", KindStyled},
		{"00000", "-12", "-12", KindStyled},
		{"00000", "soon", "soon", KindNumber},
		{"0", "7", "7", KindNumber},
		{"0", "1234", "1234", KindNumber},
		{"0", "0.5", "0.5", KindStyled},
		{"0%", "0.5", "0.5", KindStyled},
		{"General", "0.5", "0.5", KindNumber},
		{"@", "0.5", "0.5", KindNumber},
		{`General" Stk"`, "7", "7", KindStyled},
		{"00.0", "7", "7", KindStyled},
		{"#00", "7", "7", KindStyled},
		{`"0"00`, "7", "007", KindPadded},
		{"[<100]00", "7", "7", KindStyled},
		{"[$-40700", "7", "7", KindStyled},
	} {
		t.Run(c.code+" "+c.number, func(t *testing.T) {
			var code strings.Builder
			_ = xml.EscapeText(&code, []byte(c.code))
			p := workbook(`<row><c s="0"><v>`+c.number+`</v></c></row>`).
				with("xl/styles.xml", `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="`+code.String()+`"/></numFmts><cellXfs><xf numFmtId="170"/></cellXfs></styleSheet>`)
			w, err := open(t, p.zipped(t))
			noError(t, err)
			for row, err := range w.Rows(w.Sheets()[0]) {
				noError(t, err)
				if want := []Cell{{Kind: c.kind, Text: c.want}}; !slices.Equal(row.Cells, want) {
					t.Errorf("got %v, want %v", row.Cells, want)
				}
			}
		})
	}
}

// TestSeveralPasses checks that each pass has all rows, with others between its rows.
func TestSeveralPasses(t *testing.T) {
	var rows, texts strings.Builder
	var want []string
	for i := range 10_000 {
		fmt.Fprintf(&rows, `<row><c t="s"><v>%d</v></c><c><v>%d</v></c></row>`, 9_999-i, i)
		fmt.Fprintf(&texts, `<si><t>text %d</t></si>`, i)
		want = append(want, fmt.Sprintf(`%d: A="text %d" B="%d"`, i+1, 9_999-i, i))
	}
	w, err := open(t, workbook(rows.String()).with("xl/sharedStrings.xml", "<sst>"+texts.String()+"</sst>").zipped(t))
	noError(t, err)
	next, stop := iter.Pull2(w.Rows(w.Sheets()[0]))
	defer stop()
	for pass := range 3 {
		if _, err, ok := next(); err != nil || !ok {
			t.Fatalf("got the error %v, row: %t", err, ok)
		}
		if got, err := read(t, w, ""); err != nil || !slices.Equal(got, want) {
			t.Errorf("pass %d: got %d rows, %v, want %d with other texts", pass, len(got), err, len(want))
		}
	}
}

// TestSharedTexts refers to shared texts in another order than that of the workbook, and twice.
func TestSharedTexts(t *testing.T) {
	var rows, texts strings.Builder
	const count = 2_000
	for i := range count {
		fmt.Fprintf(&texts, `<si><t>%d</t></si><si/>`, i)
		fmt.Fprintf(&rows, `<row><c t="s"><v>%d</v></c><c t="s"><v>%d</v></c></row>`, 2*(i*7919%count), 2*i+1)
	}
	w, err := open(t, workbook(rows.String()).with("xl/sharedStrings.xml", "<sst>"+texts.String()+"</sst>").zipped(t))
	noError(t, err)
	for range 2 {
		i := 0
		for row, err := range w.Rows(w.Sheets()[0]) {
			noError(t, err)
			if want := strconv.Itoa(i * 7919 % count); len(row.Cells) != 1 || row.Cells[0].Text != want {
				t.Fatalf("row %d: got %.80v, want %s", i, row.Cells, want)
			}
			i++
		}
		if i != count {
			t.Errorf("got %d rows, want %d", i, count)
		}
	}
}

// TestTextsAreBounded checks that shared texts, of which many may be empty, take no more memory than allowed.
func TestTextsAreBounded(t *testing.T) {
	for _, size := range []int{0, 1 << 20} {
		var texts textTable
		var err error
		text, taken := make([]byte, size), 0
		for ; err == nil && taken <= maxTexts; taken += size + 4 {
			err = texts.add(text)
		}
		if taken -= size + 4; taken < maxTexts-size-4 || err == nil {
			t.Errorf("texts of %d bytes: got %v after %d bytes, want an error after %d", size, err, taken, maxTexts)
		}
	}
}
