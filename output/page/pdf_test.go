package page

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/signintech/gopdf"
	"golang.org/x/image/font/sfnt"

	"reseller/client/summary"
	"reseller/client/words"
	"reseller/output/chart"
	"reseller/output/typeface"
)

var (
	pdfStream = regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`)
	pdfText   = regexp.MustCompile(`(?s)/F([12]) [^\n]* Tf.*?\[([^\]]*)\] TJ`)
	pdfPlace  = regexp.MustCompile(`BT\n[\d.]+ ([\d.]+) TD`)
	pdfLine   = regexp.MustCompile(`(\S+) \S+ m (\S+) \S+ l S`)
	pdfGlyphs = regexp.MustCompile(`<([0-9A-F]+)>`)
)

// glyphs are the characters of the glyphs of the fonts, by the numbers that the fonts have in a PDF.
var glyphs = sync.OnceValue(func() map[string]map[sfnt.GlyphIndex]rune {
	return map[string]map[sfnt.GlyphIndex]rune{"1": runesOf(typeface.Plain()), "2": runesOf(typeface.Bold())}
})

// runesOf returns the characters of the glyphs of a font.
func runesOf(f *typeface.Face) map[sfnt.GlyphIndex]rune {
	runes := map[sfnt.GlyphIndex]rune{}
	var b sfnt.Buffer
	for r := rune(0xffff); r > 0; r-- {
		if glyph, err := f.GlyphIndex(&b, r); err == nil {
			runes[glyph] = r
		}
	}
	return runes
}

// streamsOf yields what is compressed in a PDF: what its sheets show, and its fonts.
func streamsOf(pdf []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, m := range pdfStream.FindAllSubmatch(pdf, -1) {
			z, err := zlib.NewReader(bytes.NewReader(m[1]))
			if err != nil {
				continue
			}
			if drawn, _ := io.ReadAll(z); !yield(drawn) {
				return
			}
		}
	}
}

// textsOf returns the texts on each sheet of a PDF, and those of them that are bold.
func textsOf(t *testing.T, pdf []byte) (sheets [][]string, bold []string) {
	t.Helper()
	fonts := glyphs()
	for drawn := range streamsOf(pdf) {
		var texts []string
		for _, part := range pdfText.FindAllSubmatch(drawn, -1) {
			text := ""
			for _, run := range pdfGlyphs.FindAllSubmatch(part[2], -1) {
				shown, err := hex.DecodeString(string(run[1]))
				noError(t, err)
				for i := 0; i+1 < len(shown); i += 2 {
					text += string(fonts[string(part[1])][sfnt.GlyphIndex(shown[i])<<8|sfnt.GlyphIndex(shown[i+1])])
				}
			}
			texts = append(texts, text)
			if string(part[1]) == "2" {
				bold = append(bold, text)
			}
		}
		if texts != nil {
			sheets = append(sheets, texts)
		}
	}
	return sheets, bold
}

func renderedPDF(t *testing.T, p *summary.Page, o Options) (sheets [][]string, lacking string) {
	t.Helper()
	pdf, missing, err := RenderPDF(p, o)
	if err != nil || !bytes.HasPrefix(pdf, []byte("%PDF-")) {
		t.Fatalf("got %.20q (%v), want a PDF", pdf, err)
	}
	if !bytes.Contains(pdf, []byte("/FontFile2")) || !bytes.Contains(pdf, []byte("/ToUnicode")) {
		t.Error("got a PDF without its fonts or without the characters of its letters, want both")
	}
	sheets, _ = textsOf(t, pdf)
	return sheets, string(missing)
}

func TestPDF(t *testing.T) {
	p := pageOf("Müller & Söhne, Ελλάδα, Москва, Việt Nam", 40)
	sheets, lacking := renderedPDF(t, p, Options{Brand: &Brand{Name: "Tide & Co", Contact: "hello@tide.example.com", Footer: "1 Harbour Street"}})
	if lacking != "" {
		t.Errorf("got no letters %q, want all", lacking)
	}
	if len(sheets) > 4 {
		t.Errorf("got %d sheets for 40 keywords, want at most 4", len(sheets))
	}
	all := slices.Concat(sheets...)
	for _, want := range []string{
		"Müller & Söhne, Ελλάδα, Москва, Việt Nam", "October 2026, compared with September 2026", "2,412", "▲ 12 % more", "Rankings", "Traffic", "Work done",
		"Links gained by kind", "Tide & Co", "hello@tide.example.com", "1 Harbour Street", "Made on 22 November 2026.", "1 Oct*",
	} {
		t.Run(want, func(t *testing.T) {
			if !slices.Contains(all, want) {
				t.Errorf("got %q, want %q among the texts", all, want)
			}
		})
	}
	if slices.ContainsFunc(all, func(s string) bool { return strings.Contains(s, "reseller") }) {
		t.Error("got the name of this program beside a brand, want none")
	}
}

// TestMonthFitsFourSheets makes the PDF of a busy month with a text and 40 keywords, some of which need two lines, in each language on each paper.
func TestMonthFitsFourSheets(t *testing.T) {
	for _, language := range words.Languages {
		b := summary.NewBuilder(summary.NewScope(summary.Month(2026, time.October), summary.Previous, summary.NewDay(2026, time.November, 22)))
		b.Words, _ = words.In(language)
		monthOf(t, b, "affordable ")
		p := b.Page(summary.Subject{AccountName: "Harbor Dental"})
		for _, paper := range []Paper{A4, Letter} {
			if sheets, _ := renderedPDF(t, p, Options{Words: b.Words, Paper: paper, Note: parseMarkdown(eightyWords)}); len(sheets) > 4 {
				t.Errorf("%s, %s: got %d sheets, want at most 4", language, paper, len(sheets))
			}
		}
	}
}

func TestHeadersOfPDFTablesAreRepeated(t *testing.T) {
	sheets, _ := renderedPDF(t, pageOf("Harbour", 100), Options{})
	with := 0
	for i, texts := range sheets {
		rows, headers := slices.Contains(texts, "▲ 3 up") || slices.Contains(texts, "▼ 3 up"), slices.Contains(texts, "Organic rank")
		if rows != headers {
			t.Errorf("got rows %v and a header %v on sheet %d, want both or none", rows, headers, i+1)
		}
		if headers {
			with++
		}
	}
	if with < 2 {
		t.Errorf("got a table on %d sheets, want it on several", with)
	}
}

func TestFooterIsNotAloneOnASheet(t *testing.T) {
	brand := &Brand{Name: "Tide & Co", Footer: "1 Harbour Street"}
	for n := range 80 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			p := pageOf("Harbour", 20)
			p.Notes = slices.Repeat([]string{"Visits are known until 20 October 2026."}, n)
			if p.Missing = nil; n%2 == 0 { // so that a list is the last
				p.Notes, p.Rankings.Rows = nil, p.Rankings.Rows[:n/4]
			}
			sheets, _ := renderedPDF(t, p, Options{Brand: brand})
			if last := sheets[len(sheets)-1]; len(last) < 5 { // the footer has 2 texts, and the number of the sheet 2
				t.Errorf("got %q on sheet %d, want more than the footer", last, len(sheets))
			}
		})
	}
}

// TestHeadingsHaveRowsBelow begins a section with a short list, a chart or figures at each place of a sheet: its headings go to the
// next sheet with them.
func TestHeadingsHaveRowsBelow(t *testing.T) {
	embedded, err := fonts()
	noError(t, err)
	bars := chart.Chart{Title: "Tasks by week", Kind: chart.KindColumns, Labels: []string{"1 Oct", "5 Oct"}, Series: []chart.Series{{Name: "Tasks", Values: []float64{1, 2}}}}
	for name, draw := range map[string]func(s *sheet){
		"list":  func(s *sheet) { s.addList("Links gained by kind", []string{"citation: 3", "guest post: 2"}) },
		"chart": func(s *sheet) { s.addPlot(&bars) },
		"figures": func(s *sheet) {
			s.addFigures(slices.Repeat([]summary.Figure{{Title: "Backlinks", Text: "1,719", Change: "as many as in September"}}, 5))
		},
		"charts": func(s *sheet) { s.addStrip([]chart.Chart{bars, bars}) },
	} {
		t.Run(name, func(t *testing.T) {
			s := &sheet{Words: english, paper: *gopdf.PageSizeA4, tail: 43, lacking: map[rune]bool{}}
			s.Start(gopdf.Config{PageSize: s.paper})
			s.check(errors.Join(s.AddTTFFontFromFontContainer(typeface.Plain().Name, embedded), s.AddTTFFontFromFontContainer(typeface.Bold().Name, embedded)))
			want := 0
			for y := sheetMargin; y < 800; y += 5 {
				s.AddPage()
				s.y = y
				s.begin("Links")
				draw(s)
				want++
			}
			pdf, err := s.GetBytesPdfReturnErr()
			noError(t, errors.Join(err, s.err))
			sheets, _ := textsOf(t, pdf)
			for i, texts := range sheets {
				if texts[0] != "Links" || len(sheets) != want {
					t.Errorf("got %q on sheet %d of %d, want a section on each of %d", texts, i, len(sheets), want)
				}
			}
		})
	}
}

// TestTablesUseTheirSheet draws a table of ranks at each place of a sheet: it goes on to the next one only where it does not fit, and
// leaves no room for a footer, which is not below it.
func TestTablesUseTheirSheet(t *testing.T) {
	ranks := &table{title: "Keywords", class: "rankings", columns: []column{{title: "Keyword"}}, rows: slices.Repeat([][]cell{{{text: "dentist"}}}, 5)}
	height := 0.0
	for y := sheetMargin; y < 800; y += 3 {
		s := &sheet{Words: english, paper: *gopdf.PageSizeA4, tail: 43, lacking: map[rune]bool{}}
		embedded, err := fonts()
		noError(t, err)
		s.Start(gopdf.Config{PageSize: s.paper})
		noError(t, errors.Join(s.AddTTFFontFromFontContainer(typeface.Plain().Name, embedded), s.AddTTFFontFromFontContainer(typeface.Bold().Name, embedded)))
		s.AddPage()
		s.y = y
		s.addTable(ranks, 0)
		if height == 0 {
			height = s.y - y
		}
		if want := y+height <= s.bottom(); (s.GetNumberOfPages() == 1) != want {
			t.Errorf("got %d sheets at %v of %v, want one: %v", s.GetNumberOfPages(), y, s.bottom(), want)
		}
	}
}

func TestLettersThatPDFsLackAreTold(t *testing.T) {
	sheets, lacking := renderedPDF(t, pageOf("東京 Harbor שלום 🦷 e\u0301", 1), Options{})
	if want := "ולםש京東🦷"; lacking != want {
		t.Errorf("got %q, want %q", lacking, want)
	}
	if want := "□□ Harbor □□□□ □ é"; !slices.Contains(sheets[0], want) {
		t.Errorf("got %q, want %q", sheets[0], want)
	}
}

// TestPDFsOfAnything makes PDFs of random pages at the same time.
func TestPDFsOfAnything(t *testing.T) {
	var group sync.WaitGroup
	for seed, text := range []string{hostile, "", "a", strings.Repeat("long", 300), "\xff\x00\n\t", strings.Repeat("many words ", 100), "(\\) Tj ET", "東"} {
		group.Go(func() {
			for i := range uint64(5) {
				random := rand.New(rand.NewPCG(uint64(seed), i))
				var p summary.Page
				fill(reflect.ValueOf(&p).Elem(), text, random)
				if _, _, err := RenderPDF(&p, Options{Appendix: true, Brand: &Brand{Name: text, Contact: text, Footer: text}}); err != nil {
					t.Errorf("got %v for %.20q, want a PDF", err, text)
				}
			}
		})
	}
	group.Wait()
}

func TestLogosInPDF(t *testing.T) {
	deep := image.NewNRGBA64(image.Rect(0, 0, 40, 20))
	deep.Set(3, 3, color.NRGBA64{R: 0xffff, A: 0x7fff})
	var asPNG, asJPEG bytes.Buffer
	noError(t, png.Encode(&asPNG, deep))
	noError(t, jpeg.Encode(&asJPEG, deep, nil))
	for name, test := range map[string]struct {
		logo string
		want bool
	}{
		"PNG with 16 bits a color": {asPNG.String(), true},
		"JPEG":                     {asJPEG.String(), true},
		"SVG":                      {`<svg xmlns="http://www.w3.org/2000/svg"/>`, false},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := ParseBrand([]byte("name: Tide\nlogo: logo"), func(string) ([]byte, error) { return []byte(test.logo), nil })
			noError(t, err)
			pdf, _, err := RenderPDF(pageOf("Harbour", 1), Options{Brand: b})
			noError(t, err)
			if got := bytes.Contains(pdf, []byte("/Subtype /Image")); got != test.want || b.HasLogoInPDF() != test.want {
				t.Errorf("got a logo: %v, said %v, want %v", got, b.HasLogoInPDF(), test.want)
			}
		})
	}
}

func TestPicturesOfLogosAreChecked(t *testing.T) {
	var whole, large bytes.Buffer
	noError(t, png.Encode(&whole, image.NewGray(image.Rect(0, 0, 90, 90))))
	noError(t, png.Encode(&large, image.NewGray(image.Rect(0, 0, maxPixels+1, 1))))
	for name, test := range map[string]struct{ logo, want string }{
		"too many pixels": {large.String(), "the picture has 2001 by 1 pixels, more than 2000"},
		"cut short":       {whole.String()[:whole.Len()-30], "the picture is broken: "},
		"GIF":             {"GIF89a\x01\x00\x01\x00\x00\x00\x00;", "a gif file: use PNG, JPEG or SVG"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := parseLogo([]byte(test.logo)); err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestPaper makes the page of a quiet and of a busy month on each size of paper: 40 keywords, 62 tasks and 62 links fit four
// sheets, and only the last one may have a quarter of it left.
func TestPaper(t *testing.T) {
	for paper, size := range map[Paper]struct{ width, height float64 }{"": {595, 842}, A4: {595, 842}, Letter: {612, 792}} {
		for name, rows := range map[string]int{"quiet": 5, "usual": 20, "busy": 62} {
			t.Run(fmt.Sprint(paper, " ", name), func(t *testing.T) {
				p := pageOf("Harbour Bikes", min(rows, 40))
				p.Work.Kinds, p.Links.Kinds = p.Work.Kinds[:rows], p.Links.Kinds[:rows]
				pdf, _, err := RenderPDF(p, Options{Paper: paper})
				noError(t, err)
				if box := fmt.Sprintf("/MediaBox [ 0 0 %.2f %.2f ]", size.width, size.height); !bytes.Contains(pdf, []byte(box)) {
					t.Errorf("got no sheets with %s", box)
				}
				var left []float64 // by sheet, the share of its height below the last text
				for drawn := range streamsOf(pdf) {
					last := size.height
					for _, place := range pdfPlace.FindAllSubmatch(drawn, -1) {
						if y, err := strconv.ParseFloat(string(place[1]), 64); err == nil && y > 30 { // above the number of the sheet
							last = min(last, y)
						}
					}
					for _, line := range pdfLine.FindAllSubmatch(drawn, -1) {
						for _, end := range line[1:] {
							if x, err := strconv.ParseFloat(string(end), 64); err != nil || x < 0 || x > size.width {
								t.Errorf("got the line %s, want it on the sheet", line[0])
							}
						}
					}
					if last < size.height {
						left = append(left, last/size.height)
					}
				}
				if len(left) < 1 || len(left) > 4 || slices.Max(append(left[:len(left)-1], 0)) > 0.25 {
					t.Errorf("got sheets of which %.2f is left, want at most four, with a quarter at most", left)
				}
			})
		}
	}
}

// TestColumnsAreAsWideAsTheirTexts divides a sheet among columns: a long text takes no room that shorter ones need.
func TestColumnsAreAsWideAsTheirTexts(t *testing.T) {
	s := &sheet{paper: *gopdf.PageSizeA4}
	columns := []column{{title: "Page"}, {title: "Linked page"}, {title: "Completed"}, {title: "Course", least: 42}}
	address := strings.Repeat("https://example.com/", 9)
	for name, texts := range map[string][]string{"room": {"a", "b", "29 Oct 2026", ""}, "one is long": {address, "b", "29 Oct 2026", ""}, "two are long": {address, address + "x", "29 Oct 2026", ""}} {
		t.Run(name, func(t *testing.T) {
			var row []cell
			for _, text := range texts {
				row = append(row, cell{text: text})
			}
			got, sum := s.widths(&table{columns: columns, rows: [][]cell{row}}), 3*tableGap
			for i, width := range got {
				sum += width
				if need := typeface.Plain().Width(texts[i], plain.size); texts[i][:min(1, len(texts[i]))] != "h" && width < need {
					t.Errorf("got a width of %v for %q, want %v", width, texts[i], need)
				}
			}
			if math.Abs(sum-s.ink()) > 0.01 || got[3] < 41.99 || name == "two are long" && math.Abs(got[0]-got[1]) > 0.01 {
				t.Errorf("got widths of %v, want those of the texts, as wide as the sheet together", got)
			}
		})
	}
}

// TestLongFiguresFitTheirTiles makes the letters of a figure smaller that is wider than its tile, on sheets and in a browser.
func TestLongFiguresFitTheirTiles(t *testing.T) {
	p := pageOf("Harbour", 40)
	for i := range p.Tiles {
		p.Tiles[i].Text = "6,964,609,017"
	}
	want := len(shownOf(p.Tiles))
	sheets, _ := renderedPDF(t, p, Options{})
	n := len(slices.DeleteFunc(slices.Clone(sheets[0]), func(text string) bool { return text != "6,964,609,017" }))
	if got := strings.Count(rendered(t, p, Options{}), `class="figure long"`); n != want || got != want {
		t.Errorf("got %d whole figures on the first sheet and %d in small letters in a browser, want %d", n, got, want)
	}
}
