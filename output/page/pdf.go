package page

import (
	"maps"
	"slices"

	"github.com/signintech/gopdf"

	"reseller/client/summary"
	"reseller/client/words"
	"reseller/output/typeface"
)

// RenderPDF returns a page as a PDF, and the characters of it that the font of the PDF does not have, which it shows as squares.
func RenderPDF(p *summary.Page, o Options) (pdf []byte, lacking []rune, err error) {
	v, b := viewOf(p, o), o.Brand.orNone()
	s := &sheet{Words: o.Words, accent: b.colors().Light, lacking: map[rune]bool{}, paper: *gopdf.PageSizeA4}
	if o.Paper == Letter {
		s.paper = *gopdf.PageSizeLetter
	}
	s.Start(gopdf.Config{PageSize: s.paper})
	embedded, err := fonts()
	s.check(err)
	s.check(s.AddTTFFontFromFontContainer(typeface.Plain().Name, embedded))
	s.check(s.AddTTFFontFromFontContainer(typeface.Bold().Name, embedded))
	s.SetInfo(gopdf.PdfInfo{Title: s.shown(s.Say("page.title", "name", cleanName(p.Called), "period", p.Period)), Author: s.shown(cleanName(b.Name))})
	s.tail = footerGap + s.height(cleanText(b.Footer), small, s.ink()) + s.height(madeOn(s.Words, b, p.Made), small, s.ink())
	s.AddPage()
	s.addBand(b)
	v.paint(s)
	s.addFooter(b, p.Made)
	s.number(s.Say("sheet.title", "name", cleanName(p.Called), "period", p.Period))
	pdf, err = s.GetBytesPdfReturnErr()
	s.check(err)
	return pdf, slices.Sorted(maps.Keys(s.lacking)), s.err
}

func (s *sheet) addBand(b *Brand) {
	c := b.colors()
	if b.Name == "" {
		s.fill(c.Band, 0, 0, s.paper.W, 6, 0)
		s.y = 26
		return
	}
	const height, logoWidth, logoHeight, pad = 44, 130, 28, 8
	s.fill(c.Band, 0, 0, s.paper.W, height, 0)
	x := sheetMargin
	if size := b.logo.size; b.logo.inPDF != nil {
		scale := min(logoWidth/float64(size.X), logoHeight/float64(size.Y), 1)
		width, high := float64(size.X)*scale, float64(size.Y)*scale
		holder, err := gopdf.ImageHolderByBytes(b.logo.inPDF())
		s.check(err)
		if err == nil {
			s.check(s.ImageByHolder(holder, x, (height-high)/2, &gopdf.Rect{W: width, H: high}))
			x += width + pad
		}
	}
	half := (sheetMargin + s.ink() - x - pad) / 2
	for i, text := range []string{cleanName(b.Name), cleanText(b.Contact)} {
		l := look{[]float64{11, 9}[i], i == 0, c.OnBand}
		s.write(text, l, x+float64(i)*(half+pad), (height-s.height(text, l, half))/2, half, float64(i))
	}
	s.y = height + 20
}

func (s *sheet) addTop(v *view) {
	s.add(cleanName(v.Title), look{20, true, ink})
	s.add(cleanName(v.Campaign), look{9.5, false, ink})
	s.add(words.Capital(s.List(v.Period, v.Comparison)), look{10.5, false, soft})
	s.y += 8
	s.addNote(v.Note)
	for _, sentence := range v.Sentences {
		s.add(sentence, look{11.5, false, ink})
	}
	s.y += 8
	s.add(v.NoFigures, look{9.5, false, ink})
	s.addBoxes(v.Shown, max(len(v.Shown), 3), 6, 7, 15, sparkHeight)
}

func (s *sheet) addFigures(known []summary.Figure) { s.addBoxes(known, 3, 12, 0, 11, 0) }

// addBoxes draws figures in letters of a size, in rows that share a sheet: on cards if there is a pad, with their lines if those
// have a height.
func (s *sheet) addBoxes(all []summary.Figure, columns int, gap, pad, size, line float64) {
	width, title, told := (s.ink()+gap)/float64(columns)-gap, 0.0, 0.0
	room := width - 2*pad
	for _, f := range all {
		title, told = max(title, s.height(f.Title, small, room)), max(told, s.height(f.Told(s.Words), small, room))
	}
	height, rows := pad+title+size*lineHeight+told+line+pad, (len(all)+columns-1)/columns
	s.need(float64(rows) * (height + boxGap))
	for i, f := range all {
		x, y := sheetMargin+float64(i%columns)*(width+gap), s.y+float64(i/columns)*(height+boxGap)
		if pad > 0 {
			s.fill(card, x, y, width, height, 4)
		}
		s.write(f.Title, small, x+pad, y+pad-1, room, 0)
		s.write(f.Text, look{min(size, size*room/typeface.Bold().Width(f.Text, size*1.01)), true, ink}, x+pad, y+pad+title-1, room, 0)
		s.write(f.Told(s.Words), look{small.size, false, classColors[verdict(f)]}, x+pad, y+pad+title+size*lineHeight, room, 0)
		if line > 0 {
			s.spark(lineOf(f), x+pad, y+height-line-pad/2, room)
		}
	}
	s.y += float64(rows) * (height + boxGap)
}

func (s *sheet) begin(title string) { s.title, s.y = title, s.y+11 }

func (s *sheet) end() {}

func (s *sheet) addSoft(text string) { s.add(text, small); s.y += 3 }

func (s *sheet) addList(title string, items []string) {
	half := (len(items) + 1) / 2
	t := &table{title: title, columns: []column{{least: s.ink()}, {least: s.ink()}}, rows: make([][]cell, half)}
	for i, item := range items {
		t.rows[i%half] = append(t.rows[i%half], cell{text: bullet + item})
	}
	s.addTable(t, 0)
}

func (s *sheet) addRemarks(all []string) {
	for i, remark := range all {
		remark = bullet + cleanText(remark)
		if i == len(all)-1 {
			s.need(min(s.height(remark, plain, s.ink())+s.tail, s.bottom()-sheetMargin))
		}
		s.add(remark, plain)
	}
}

func (s *sheet) addFooter(b *Brand, made string) {
	s.need(s.tail)
	s.y += footerGap - 4
	s.ruleAt(s.y, 0.4, rule)
	s.y += 4
	s.add(cleanText(b.Footer), small)
	s.add(madeOn(s.Words, b, made), small)
}

func (s *sheet) number(title string) {
	all := s.GetNumberOfPages()
	for n := range all {
		s.check(s.SetPage(n + 1))
		s.write(firstOf(s.lines(title, small, s.ink()*0.8), 1)[0], small, sheetMargin, s.bottom()+10, s.ink(), 0)
		s.write(s.Say("sheet", "n", n+1, "all", all), small, sheetMargin, s.bottom()+10, s.ink(), 1)
	}
}
