package page

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansregular"
	"github.com/golang/freetype/truetype"
	"github.com/signintech/gopdf"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"

	"reseller/client/summary"
	"reseller/output/palette"
)

// Places on a sheet of A4, in points.
const (
	sheetWidth  = 595.28
	sheetMargin = 40.0
	sheetBottom = 800.0                      // of all but the number of the sheet
	inkWidth    = sheetWidth - 2*sheetMargin // between the margins
	lineHeight  = 1.35                       // of a line, in sizes of its letters
	plotHeight  = 112.0
	sparkHeight = 13.0
	footerGap   = 22.0 // above a footer
)

// The colors of a PDF are those that style.css has for print.
var (
	ink  = palette.RGB{0, 0, 0}
	soft = palette.RGB{0x4b, 0x54, 0x5d}
	rule = palette.RGB{0xcc, 0xcc, 0xcc}
	card = palette.RGB{0xf3, 0xf5, 0xf7}
	grid = palette.RGB{0xdd, 0xdd, 0xdd}

	classColors = map[string]palette.RGB{"good": {0x0b, 0x6b, 0x2f}, "bad": {0xb3, 0x26, 0x1e}, "same": soft}
)

// A look is the letters of a text.
type look struct {
	size   float64
	isBold bool
	color  palette.RGB
}

var (
	plain   = look{8.2, false, ink}
	small   = look{8, false, soft}
	heading = look{9.5, true, ink}
)

// noGlyph stands for a character that the font does not have.
const noGlyph = '□'

// A font is a font of PDFs. Its family is that of most pages in HTML.
type font struct {
	*truetype.Font
	name string
}

var (
	plainFont = sync.OnceValue(func() font { return parseFont("plain", liberationsansregular.TTF) })
	boldFont  = sync.OnceValue(func() font { return parseFont("bold", liberationsansbold.TTF) })
)

func parseFont(name string, ttf []byte) font {
	parsed, err := truetype.Parse(ttf)
	if err != nil {
		panic(err)
	}
	return font{parsed, name}
}

// fonts are the fonts as the PDFs embed them, which share what is parsed.
var fonts = sync.OnceValues(func() (*gopdf.FontContainer, error) {
	c := new(gopdf.FontContainer)
	return c, errors.Join(c.AddTTFFontData(plainFont().name, liberationsansregular.TTF), c.AddTTFFontData(boldFont().name, liberationsansbold.TTF))
})

// A sheet writes the sheets of a PDF, from the top to the bottom.
type sheet struct {
	gopdf.GoPdf
	y       float64 // of what is written next
	font    font    // of what is written next
	size    float64 // of its letters
	accent  palette.RGB
	tail    float64       // height of the footer, which is never alone on a sheet
	lacking map[rune]bool // characters that the font does not have
	err     error         // the first one
}

// RenderPDF returns a page as a PDF for sheets of A4, and the characters of it that the font of the
// PDF does not have, which it shows as squares.
func RenderPDF(p *summary.Page, o Options) (pdf []byte, lacking []rune, err error) {
	v, b := viewOf(p, o), o.Brand.orNone()
	s := &sheet{accent: b.colors().Light, lacking: map[rune]bool{}}
	s.Start(gopdf.Config{PageSize: *gopdf.PageSizeA4})
	embedded, err := fonts()
	if err != nil {
		return nil, nil, err
	}
	s.check(s.AddTTFFontFromFontContainer(plainFont().name, embedded))
	s.check(s.AddTTFFontFromFontContainer(boldFont().name, embedded))
	s.SetInfo(gopdf.PdfInfo{Title: s.shown(name(p.Title) + ": " + p.Period), Author: s.shown(name(b.Name))})
	s.tail = footerGap + s.height(text(b.Footer), small, inkWidth) + s.height(madeOn(b, p.Made), small, inkWidth)
	s.AddPage()
	s.addBand(b)
	s.addTop(&v)
	s.addRankings(&v)
	s.addTraffic(&v)
	s.addWork(&v)
	s.addLinks(&v)
	s.addNotes(&v)
	for i := range v.Tables {
		s.addAppendix(&v.Tables[i], i == 0)
	}
	s.addFooter(b, p.Made)
	s.number(name(p.Title) + ", " + p.Period)
	pdf, err = s.GetBytesPdfReturnErr()
	s.check(err)
	return pdf, slices.Sorted(maps.Keys(s.lacking)), s.err
}

func (s *sheet) check(err error) {
	if s.err == nil {
		s.err = err
	}
}

// shown returns a text as the font can show it.
func (s *sheet) shown(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Join_Control, r) || unicode.Is(unicode.Variation_Selector, r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		case plainFont().Index(r) == 0 || unicode.Is(unicode.Hebrew, r): // whose lines would be in the wrong order
			s.lacking[r] = true
			return noGlyph
		}
		return r
	}, norm.NFC.String(visible(text)))
}

// use sets the letters of what is written next.
func (s *sheet) use(l look) {
	s.font, s.size = plainFont(), l.size
	if l.isBold {
		s.font = boldFont()
	}
	s.SetTextColor(l.color[0], l.color[1], l.color[2])
}

// width returns how wide a text is.
func (s *sheet) width(shown string) float64 {
	units := s.font.FUnitsPerEm()
	var sum fixed.Int26_6
	for _, r := range shown {
		sum += s.font.HMetric(fixed.Int26_6(units), s.font.Index(r)).AdvanceWidth
	}
	return float64(sum) / float64(units) * s.size
}

// lines divides a text into lines that are at most that wide, between words where that is possible.
func (s *sheet) lines(text string, l look, width float64) []string {
	s.use(l)
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(s.shown(text)) {
		switch longer := line + " " + word; {
		case line == "":
			line = word
		case s.width(longer) <= width:
			line = longer
		default:
			lines, line = append(lines, line), word
		}
		for s.width(line) > width {
			fits, letters := "", []rune(line)
			for len(letters) > 1 && s.width(fits+string(letters[:1])) <= width || fits == "" {
				fits, letters = fits+string(letters[:1]), letters[1:]
			}
			lines, line = append(lines, fits), string(letters)
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// height returns how high the lines of a text are.
func (s *sheet) height(text string, l look, width float64) float64 {
	return float64(len(s.lines(text, l, width))) * l.size * lineHeight
}

// write writes a text below y, and returns the place below it. A share of 0 puts its lines to the
// left of the width, and 1 to the right.
func (s *sheet) write(text string, l look, x, y, width, share float64) float64 {
	for _, part := range s.lines(text, l, width) {
		s.check(s.SetFont(s.font.name, "", s.size))
		s.SetXY(x+(width-s.width(part))*share, y+l.size*1.05)
		s.check(s.Text(part))
		y += l.size * lineHeight
	}
	return y
}

// add writes a text over the whole width and moves on, to another sheet if there is no room left.
func (s *sheet) add(text string, l look) {
	if text != "" {
		s.need(min(s.height(text, l, inkWidth), sheetBottom-sheetMargin))
		s.y = s.write(text, l, sheetMargin, s.y, inkWidth, 0)
	}
}

// need begins another sheet unless there is as much room left on this one.
func (s *sheet) need(height float64) {
	if s.y+height > sheetBottom {
		s.AddPage()
		s.y = sheetMargin
	}
}

// fill fills a rectangle, whose corners are rounded unless the radius is 0.
func (s *sheet) fill(c palette.RGB, x, y, width, height, radius float64) {
	const corner = 8 // points of a rounded corner
	s.SetFillColor(c[0], c[1], c[2])
	if width > 0 && height > 0 {
		s.check(s.Rectangle(x, y, x+width, y+height, "F", radius, corner))
	}
}

func (s *sheet) stroke(c palette.RGB, width float64) {
	s.SetStrokeColor(c[0], c[1], c[2])
	s.SetLineWidth(width)
}

// ruleAt draws a line across the sheet.
func (s *sheet) ruleAt(y, thickness float64, c palette.RGB) {
	s.stroke(c, thickness)
	s.Line(sheetMargin, y, sheetMargin+inkWidth, y)
}

// addBand writes the band on top of the first sheet.
func (s *sheet) addBand(b *Brand) {
	c := b.colors()
	if b.Name == "" {
		s.fill(c.Band, 0, 0, sheetWidth, 6, 0)
		s.y = 26
		return
	}
	const height, logoWidth, logoHeight, pad = 44, 130, 28, 8
	s.fill(c.Band, 0, 0, sheetWidth, height, 0)
	x := sheetMargin
	if picture, size := b.logo.printable(); picture != nil {
		scale := min(logoWidth/float64(size.X), logoHeight/float64(size.Y), 1)
		width, high := float64(size.X)*scale, float64(size.Y)*scale
		holder, err := gopdf.ImageHolderByBytes(picture)
		s.check(err)
		if err == nil {
			s.check(s.ImageByHolder(holder, x, (height-high)/2, &gopdf.Rect{W: width, H: high}))
			x += width + pad
		}
	}
	half := (sheetMargin + inkWidth - x - pad) / 2
	for i, text := range []string{name(b.Name), text(b.Contact)} {
		l := look{[]float64{11, 9}[i], i == 0, c.OnBand}
		s.write(text, l, x+float64(i)*(half+pad), (height-s.height(text, l, half))/2, half, float64(i))
	}
	s.y = height + 20
}

// addTop writes the title, the sentences and the tiles.
func (s *sheet) addTop(v *view) {
	s.add(name(v.Title), look{20, true, ink})
	s.add(name(v.Campaign), look{9.5, false, ink})
	period := v.Period
	if v.Comparison != "" {
		period += ", " + v.Comparison
	}
	s.add(period, look{10.5, false, soft})
	s.y += 8
	for _, sentence := range v.Sentences {
		s.add(sentence, look{11.5, false, ink})
	}
	s.y += 8
	if len(v.Shown) == 0 {
		s.add("There are no figures for this period.", look{9.5, false, ink})
	}
	const columns, gap, pad = 4, 6, 7
	width := (inkWidth - gap*(columns-1)) / columns
	for row := range slices.Chunk(v.Shown, columns) {
		const figureHeight = 20
		label, change := 0.0, 0.0
		for _, t := range row {
			label = max(label, s.height(t.Title, small, width-2*pad))
			change = max(change, s.height(changeOf(t.Figure), small, width-2*pad))
		}
		height := pad + label + figureHeight + change + sparkHeight + pad
		s.need(height)
		for i, t := range row {
			x := sheetMargin + float64(i)*(width+gap)
			s.fill(card, x, s.y, width, height, 4)
			s.write(t.Title, small, x+pad, s.y+pad-1, width-2*pad, 0)
			s.write(t.Text, look{15, true, ink}, x+pad, s.y+pad+label-1, width-2*pad, 0)
			s.write(changeOf(t.Figure), lookOf(t.Figure), x+pad, s.y+pad+label+figureHeight, width-2*pad, 0)
			s.spark(t.Line, x+pad, s.y+height-sparkHeight-pad/2, width-2*pad)
		}
		s.y += height + gap
	}
}

// changeOf returns the change of a figure as it is shown beside it.
func changeOf(f summary.Figure) string {
	if f.Change != "" {
		return f.Direction.Arrow() + " " + f.Change
	}
	return f.AsOf
}

func lookOf(f summary.Figure) look { return look{small.size, false, classColors[verdict(f)]} }

// draw draws a line through points in a square of 1000 units that is placed on the sheet. A point
// without neighbors is a dot.
func (s *sheet) draw(l line, thickness, x, y, width, height float64) {
	c, _ := palette.Parse(l.Color)
	s.stroke(c, thickness)
	var run []gopdf.Point // without gaps
	end := func() {
		switch n := len(run); {
		case n == 1:
			s.fill(c, run[0].X-thickness, run[0].Y-thickness, 2*thickness, 2*thickness, thickness)
		case l.Dashed:
			s.SetCustomLineType([]float64{1, 2.5}, 0)
			for i := range n - 1 {
				s.Line(run[i].X, run[i].Y, run[i+1].X, run[i+1].Y)
			}
			s.SetCustomLineType(nil, 0)
		case n > 1: // there and back, since the library closes lines
			back := slices.Clone(run[1 : n-1])
			slices.Reverse(back)
			s.Polygon(append(run, back...), "D")
		}
		run = nil
	}
	for _, at := range l.Points {
		if math.IsNaN(at.Y) {
			end()
			continue
		}
		run = append(run, gopdf.Point{X: x + at.X/1000*width, Y: y + at.Y/1000*height})
	}
	end()
}

// spark draws a small line.
func (s *sheet) spark(l spark, x, y, width float64) {
	if l.Points != nil {
		s.draw(line{Points: l.Points, Color: s.accent.String()}, 1, x, y, width, sparkHeight)
		s.draw(line{Points: l.End, Color: s.accent.String()}, 1.6, x, y, width, sparkHeight)
	}
}

// begin writes the title of a section. At least as much room as its first part needs is left below it.
func (s *sheet) begin(title string, room float64) {
	s.y += 12
	s.need(30 + room)
	s.ruleAt(s.y, 1.2, s.accent)
	s.y += 5
	s.add(title, look{13, true, ink})
	s.y += 3
}

// figures writes the figures that the service gives, in columns.
func (s *sheet) figures(all []summary.Figure) {
	known := slices.DeleteFunc(slices.Clone(all), func(f summary.Figure) bool { return f.Missing != "" })
	const columns, gap = 3, 12
	width := (inkWidth - gap*(columns-1)) / columns
	for row := range slices.Chunk(known, columns) {
		height := 0.0
		for _, f := range row {
			height = max(height, 28+s.height(changeOf(f), small, width))
		}
		s.need(height)
		for i, f := range row {
			x := sheetMargin + float64(i)*(width+gap)
			s.write(f.Title, small, x, s.y, width, 0)
			s.write(f.Text, look{11, true, ink}, x, s.y+11, width, 0)
			s.write(changeOf(f), lookOf(f), x, s.y+26, width, 0)
		}
		s.y += height + 3
	}
}

// plotRoom returns the room that figures and the chart below them need, so that a section begins on
// the sheet that has its chart.
func plotRoom(p *plot) float64 {
	if p.Title == "" {
		return 40
	}
	return plotHeight + 100
}

// plot draws a chart.
func (s *sheet) plot(p *plot) {
	if p.Title == "" {
		return
	}
	s.need(plotHeight + 45)
	s.y += 6
	s.add(p.Title, heading)
	x := sheetMargin
	for _, k := range p.Legend {
		s.draw(line{Points: []point{{0, 0}, {1000, 0}}, Color: k.Color, Dashed: k.Dashed}, 2.2, x, s.y+6, 14, 0)
		s.write(k.Name, small, x+18, s.y, inkWidth, 0)
		x += 18 + s.width(k.Name) + 14
	}
	if len(p.Legend) > 0 {
		s.y += 12
	}
	top := s.y
	across := func(percent float64) float64 { return sheetMargin + percent/100*inkWidth }
	down := func(percent float64) float64 { return top + percent/100*plotHeight }
	for i, g := range p.Grid {
		c := grid
		if i == 0 {
			c = soft
		}
		s.ruleAt(down(g.Y), 0.6, c)
	}
	for _, b := range p.Bars {
		c, _ := palette.Parse(b.Color)
		if b.Partial {
			c = palette.Mix(c, palette.White, 0.35)
		}
		s.fill(c, across(b.X), down(b.Y), b.Width/100*inkWidth, b.Height/100*plotHeight, 0)
	}
	for _, l := range p.Lines {
		width := 1.6
		if l.Thin {
			width = 1.1
		}
		s.draw(l, width, sheetMargin, top, inkWidth, plotHeight)
	}
	label := look{7.5, false, soft}
	for _, g := range p.Grid {
		s.use(label)
		s.fill(palette.White, sheetMargin, down(g.Y)-label.size*1.2, s.width(g.Text)+2, label.size*1.1, 0) // so that no line crosses it
		s.write(g.Text, label, sheetMargin, down(g.Y)-label.size*lineHeight, inkWidth, 0)
	}
	for _, t := range p.Ticks {
		share := map[string]float64{"start": 0, "middle": 0.5, "end": 1}[t.Anchor]
		s.write(t.Text, label, across(t.X)-share*inkWidth, down(100)-label.size*lineHeight, inkWidth, share)
	}
	s.y = top + plotHeight + 3
	s.add(p.Note, small)
}

// A column is a column of a table.
type column struct {
	title   string
	share   float64 // of the width, beside the shares of the others
	isRight bool
}

// A cell is a text or a small line.
type cell struct {
	text  string
	class string // of the color, empty for ink
	line  spark
}

// table draws a table, whose header is repeated on every sheet.
func (s *sheet) table(caption string, columns []column, rows [][]cell) {
	const gap, pad = 7, 2.4
	shares := 0.0
	for _, c := range columns {
		shares += c.share
	}
	width := func(i int) float64 { return columns[i].share / shares * inkWidth }
	height := func(i int, text string, l look) float64 { return s.height(text, l, width(i)-gap) }
	header := look{plain.size, true, soft}
	head := 0.0
	for i, c := range columns {
		head = max(head, height(i, c.title, header))
	}
	addHeader := func() {
		x := sheetMargin
		for i, c := range columns {
			share := 0.0
			if c.isRight {
				share = 1
			}
			s.write(c.title, header, x, s.y+head-height(i, c.title, header), width(i)-gap, share)
			x += width(i)
		}
		s.y += head + pad
		s.ruleAt(s.y, 0.8, soft)
		s.y += pad
	}
	s.y += 6
	s.need(20 + head + 3*plain.size*lineHeight)
	s.add(caption, heading)
	s.y += pad
	if head > 0 {
		addHeader()
	}
	for i, row := range rows {
		high := 0.0
		for i, c := range row {
			high = max(high, height(i, c.text, plain))
		}
		room := high + 2*pad
		if left := len(rows) - i; left <= 2 { // which go to the next sheet with a footer for which there is no room
			room = float64(left)*room + s.tail
		}
		if s.y+room > sheetBottom {
			s.need(sheetBottom)
			if head > 0 {
				addHeader()
			}
		}
		x := sheetMargin
		for i, c := range row {
			l, share := plain, 0.0
			if c.class != "" {
				l.color = classColors[c.class]
			}
			if columns[i].isRight {
				share = 1
			}
			s.write(c.text, l, x, s.y, width(i)-gap, share)
			s.spark(c.line, x+3, s.y-1, width(i)-gap-6)
			x += width(i)
		}
		s.y += high + pad
		if head > 0 {
			s.ruleAt(s.y, 0.4, rule)
		}
		s.y += pad
	}
}

func (s *sheet) addRankings(v *view) {
	r := &v.Rankings
	s.begin("Rankings", 60)
	if r.Missing != "" {
		s.add("No rankings: "+r.Missing+".", small)
		return
	}
	s.figures(r.Figures)
	s.add(measuredOn(r), small)
	if len(v.Ranks) == 0 {
		return
	}
	columns := []column{{"Keyword", 4, false}, {"Organic rank", 1.5, true}, {"Change", 1.9, false}, {"Best", 0.8, true}, {"Course", 1.8, false}}
	if v.HasMap {
		columns = append(columns, column{"Rank on the map", 1.5, true}, column{"", 1.8, false})
	}
	var rows [][]cell
	for _, k := range v.Ranks {
		row := []cell{
			{text: name(k.Keyword)}, {text: k.Organic.Now}, {text: changeOfRank(k.Organic), class: classOf(k.Organic.Direction)},
			{text: k.Organic.Best}, {line: k.Line},
		}
		if v.HasMap {
			row = append(row, cell{text: k.Map.Now}, cell{text: changeOfRank(k.Map), class: classOf(k.Map.Direction)})
		}
		rows = append(rows, row)
	}
	if r.Since == "" {
		columns = slices.Delete(columns, 2, 3)
		for i := range rows {
			rows[i] = slices.Delete(rows[i], 2, 3)
		}
	}
	s.table(rankCaption(r), columns, rows)
	s.add(v.RanksLeftOut, small)
}

func changeOfRank(r summary.Rank) string {
	return strings.TrimSpace(r.Direction.Arrow() + " " + r.Change)
}

func (s *sheet) addTraffic(v *view) {
	s.begin("Traffic", plotRoom(&v.Visits))
	if v.Traffic.Missing != "" {
		s.add("No visits: "+v.Traffic.Missing+".", small)
	} else {
		s.figures(v.Traffic.Figures)
	}
	s.plot(&v.Visits)
}

func (s *sheet) addWork(v *view) {
	s.begin("Work done", plotRoom(&v.Done))
	if v.Work.Missing != "" {
		s.add("No tasks: "+v.Work.Missing+".", small)
	} else {
		s.figures(v.Work.Figures)
	}
	s.plot(&v.Done)
	if len(v.Work.Tasks) == 0 {
		return
	}
	tasks := first(v.Work.Tasks, maxTasks)
	half := (len(tasks) + 1) / 2
	rows := make([][]cell, half)
	for i, t := range tasks {
		rows[i%half] = append(rows[i%half], cell{text: "• " + name(t.Name) + ", " + t.Completed})
	}
	s.table("Tasks", []column{{share: 1}, {share: 1}}, rows)
	s.add(more(len(v.Work.Tasks), maxTasks, "tasks"), small)
}

func (s *sheet) addLinks(v *view) {
	s.begin("Links", plotRoom(&v.Built))
	s.figures(v.Links.Figures)
	s.plot(&v.Built)
	s.plot(&v.Referring)
	s.links("Links gained", "Kind", v.Links.Gained)
	s.links("Links lost", "Text", v.Links.Lost)
}

func (s *sheet) links(caption, detail string, all []summary.Link) {
	if len(all) == 0 {
		return
	}
	shown := first(all, maxLinks)
	isRated := slices.ContainsFunc(shown, func(l summary.Link) bool { return l.Rating != "" })
	columns := []column{{"Page", 5, false}, {"Day", 1.4, false}, {detail, 2.6, false}}
	if isRated {
		columns = append(columns, column{"Rating", 0.9, true})
	}
	var rows [][]cell
	for _, l := range shown {
		row := []cell{{text: text(l.URL)}, {text: l.Day}, {text: name(l.Detail)}}
		if isRated {
			row = append(row, cell{text: l.Rating})
		}
		rows = append(rows, row)
	}
	s.table(caption, columns, rows)
	s.add(more(len(all), maxLinks, "links"), small)
}

func (s *sheet) addNotes(v *view) {
	if len(v.Notes) == 0 && len(v.Missing) == 0 {
		return
	}
	s.begin("About these figures", 20)
	for _, m := range v.Missing {
		s.add("• "+m.Title+": "+m.Reason+".", plain)
	}
	for i, n := range v.Notes {
		n = "• " + text(n)
		if i == len(v.Notes)-1 {
			s.need(min(s.height(n, plain, inkWidth)+s.tail, sheetBottom-sheetMargin))
		}
		s.add(n, plain)
	}
}

func (s *sheet) addAppendix(t *summary.Table, isFirst bool) {
	if isFirst {
		s.begin("Appendix", 60)
	}
	var columns []column
	for _, h := range t.Header {
		columns = append(columns, column{title: h, share: 1})
	}
	columns[0].share = 2
	var rows [][]cell
	for _, r := range first(t.Rows, maxAppendix) {
		var row []cell
		for _, c := range r {
			row = append(row, cell{text: text(c)})
		}
		rows = append(rows, row)
	}
	s.table(appendixTitle(t, len(rows)), columns, rows)
}

func (s *sheet) addFooter(b *Brand, made string) {
	s.need(s.tail)
	s.y += footerGap - 4
	s.ruleAt(s.y, 0.4, rule)
	s.y += 4
	s.add(text(b.Footer), small)
	s.add(madeOn(b, made), small)
}

// number writes the title and the number of each sheet below it.
func (s *sheet) number(title string) {
	all := s.GetNumberOfPages()
	for n := range all {
		s.check(s.SetPage(n + 1))
		s.write(first(s.lines(title, small, inkWidth*0.8), 1)[0], small, sheetMargin, sheetBottom+10, inkWidth, 0)
		s.write(summary.Number(float64(n+1))+" of "+summary.Number(float64(all)), small, sheetMargin, sheetBottom+10, inkWidth, 1)
	}
}
