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
	if err != nil {
		return nil, nil, err
	}
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
	if len(v.Shown) > 0 {
		s.addTiles(v.Shown)
	}
}

func (s *sheet) addTiles(shown []summary.Figure) {
	const gap, pad, figureHeight = 6, 7, 20
	columns := float64(max(len(shown), 3))
	width, label, change := (s.ink()-gap*(columns-1))/columns, 0.0, 0.0
	for _, t := range shown {
		label = max(label, s.height(t.Title, small, width-2*pad))
		change = max(change, s.height(t.Told(s.Words), small, width-2*pad))
	}
	height := pad + label + figureHeight + change + sparkHeight + pad
	s.need(height)
	for i, t := range shown {
		x := sheetMargin + float64(i)*(width+gap)
		s.fill(card, x, s.y, width, height, 4)
		s.write(t.Title, small, x+pad, s.y+pad-1, width-2*pad, 0)
		size := min(15, 15*(width-2*pad)/typeface.Bold().Width(t.Text, 15.2))
		s.write(t.Text, look{size, true, ink}, x+pad, s.y+pad+label-1, width-2*pad, 0)
		s.write(t.Told(s.Words), lookOf(t), x+pad, s.y+pad+label+figureHeight, width-2*pad, 0)
		s.spark(lineOf(t), x+pad, s.y+height-sparkHeight-pad/2, width-2*pad)
	}
	s.y += height + gap
}

func lookOf(f summary.Figure) look { return look{small.size, false, classColors[verdict(f)]} }

func (s *sheet) begin(title string) { s.title, s.y = title, s.y+12 }

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

// addFigures draws figures side by side, all on one sheet.
func (s *sheet) addFigures(known []summary.Figure) {
	const columns, gap = 3, 12
	width, title, told := (s.ink()-gap*(columns-1))/columns, 0.0, 0.0
	for _, f := range known {
		title, told = max(title, s.height(f.Title, small, width)), max(told, s.height(f.Told(s.Words), small, width))
	}
	height := title + 20 + told
	s.need(height * float64((len(known)+columns-1)/columns))
	top := s.y
	for i, f := range known {
		x, y := sheetMargin+float64(i%columns)*(width+gap), top+float64(i/columns)*height
		s.write(f.Title, small, x, y, width, 0)
		s.write(f.Text, look{11, true, ink}, x, y+title, width, 0)
		s.write(f.Told(s.Words), lookOf(f), x, y+title+15, width, 0)
		s.y = y + height
	}
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
