package page

import (
	"errors"
	"strings"
	"sync"
	"unicode"

	"github.com/signintech/gopdf"
	"golang.org/x/text/unicode/norm"

	"reseller/client/words"
	"reseller/output/palette"
	"reseller/output/typeface"
)

// Places on a sheet, in points.
const (
	sheetMargin = 40.0
	lineHeight  = 1.35 // of a line, in sizes of its letters
	ascent      = 1.05 // from the top of a line to where its letters stand, in sizes of its letters
	sparkHeight = 13.0
	footerGap   = 22.0 // above a footer
	boxGap      = 6.0  // below a figure
)

// The colors of a PDF are those that style.css has for print.
var (
	ink  = palette.RGB{0, 0, 0}
	soft = palette.RGB{0x4b, 0x54, 0x5d}
	rule = palette.RGB{0xcc, 0xcc, 0xcc}
	card = palette.RGB{0xf3, 0xf5, 0xf7}

	classColors = map[string]palette.RGB{"good": {0x0b, 0x6b, 0x2f}, "bad": {0xb3, 0x26, 0x1e}, "same": soft}
)

type look struct {
	size   float64
	isBold bool
	color  palette.RGB
}

var (
	plain      = look{7.6, false, ink}
	small      = look{8, false, soft}
	heading    = look{9.5, true, ink}
	columnHead = look{7.2, true, soft}
)

// noBreak is a blank at which no line ends.
const noBreak = '\u00a0'

// bullet begins an item of a list, and stays on the line of a long word.
const bullet = "•" + string(noBreak)

// noGlyph stands for a character that the font does not have.
const noGlyph = '□'

// fonts are the fonts as the PDFs embed them, which share what is parsed.
var fonts = sync.OnceValues(func() (*gopdf.FontContainer, error) {
	c := new(gopdf.FontContainer)
	return c, errors.Join(c.AddTTFFontData(typeface.Plain().Name, typeface.Plain().TTF), c.AddTTFFontData(typeface.Bold().Name, typeface.Bold().TTF))
})

// A sheet writes the sheets of a PDF, from the top to the bottom.
type sheet struct {
	gopdf.GoPdf
	*words.Words
	paper   gopdf.Rect
	y       float64        // of what is written next
	font    *typeface.Face // of what is written next
	size    float64        // of its letters
	accent  palette.RGB
	title   string        // of the section that begins with what is written next
	tail    float64       // height of the footer, which is never alone on a sheet
	lacking map[rune]bool // characters that the font does not have
	err     error         // the first one
}

func (s *sheet) bottom() float64 { return s.paper.H - 42 }

func (s *sheet) ink() float64 { return s.paper.W - 2*sheetMargin }

func (s *sheet) check(err error) {
	if s.err == nil {
		s.err = err
	}
}

func (s *sheet) shown(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Join_Control, r) || unicode.Is(unicode.Variation_Selector, r):
			return -1
		case unicode.IsSpace(r) && r != noBreak:
			return ' '
		case !typeface.Plain().Has(r) || unicode.Is(unicode.Hebrew, r): // whose lines would be in the wrong order
			s.lacking[r] = true
			return noGlyph
		}
		return r
	}, norm.NFC.String(visible(text)))
}

// PDFShows reports whether a PDF has all letters of a name.
func PDFShows(name string) bool {
	s := &sheet{lacking: map[rune]bool{}}
	s.shown(name)
	return len(s.lacking) == 0
}

func (s *sheet) use(l look) {
	s.font, s.size = typeface.Plain(), l.size
	if l.isBold {
		s.font = typeface.Bold()
	}
	s.SetTextColor(l.color[0], l.color[1], l.color[2])
}

// lines divides a text into lines that are at most that wide, between words where that is possible.
func (s *sheet) lines(text string, l look, width float64) []string {
	s.use(l)
	var lines []string
	line := ""
	for word := range strings.SplitSeq(s.shown(text), " ") {
		switch longer := line + " " + word; {
		case word == "":
		case line == "":
			line = word
		case s.font.Width(longer, s.size) <= width:
			line = longer
		default:
			lines, line = append(lines, line), word
		}
		for s.font.Width(line, s.size) > width {
			fits, letters := "", []rune(line)
			for len(letters) > 1 && s.font.Width(fits+string(letters[:1]), s.size) <= width || fits == "" {
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

func (s *sheet) height(text string, l look, width float64) float64 {
	return float64(len(s.lines(text, l, width))) * l.size * lineHeight
}

// write writes a text below y, to the left for a share of 0 and to the right for 1, and returns the place below it.
func (s *sheet) write(text string, l look, x, y, width, share float64) float64 {
	for _, part := range s.lines(text, l, width) {
		s.check(s.SetFont(s.font.Name, "", s.size))
		s.SetXY(x+(width-s.font.Width(part, s.size))*share, y+l.size*ascent)
		s.check(s.Text(part))
		y += l.size * lineHeight
	}
	return y
}

// add writes a text over the whole width and moves on, to another sheet if there is no room left.
func (s *sheet) add(text string, l look) {
	if text != "" {
		s.need(min(s.height(text, l, s.ink()), s.bottom()-sheetMargin))
		s.y = s.write(text, l, sheetMargin, s.y, s.ink(), 0)
	}
}

// need begins another sheet unless there is as much room left on this one, with the title of a section that begins.
func (s *sheet) need(height float64) {
	l, title := look{13, true, ink}, s.title
	if s.title = ""; title != "" {
		height += 8 + s.height(title, l, s.ink())
	}
	if s.y+height > s.bottom() {
		s.AddPage()
		s.y = sheetMargin
	}
	if title != "" {
		s.ruleAt(s.y, 1.2, s.accent)
		s.y = s.write(title, l, sheetMargin, s.y+5, s.ink(), 0) + 3
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

func (s *sheet) ruleAt(y, thickness float64, c palette.RGB) {
	s.stroke(c, thickness)
	s.Line(sheetMargin, y, sheetMargin+s.ink(), y)
}
