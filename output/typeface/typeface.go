// Package typeface has the font of pictures and PDFs, and measures texts in it. Its letters are as
// wide as those of Arial and Helvetica, which browsers use for the same texts.
package typeface

import (
	"sync"

	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// measured is how many characters have their width in a table: all of the European scripts, and punctuation.
const measured = 0x2200

// A Face is a weight of the font.
type Face struct {
	*sfnt.Font
	Name     string
	TTF      []byte
	advances [measured]float64 // as advance returns them
}

// Plain and Bold are the weights.
var (
	Plain = sync.OnceValue(func() *Face { return parse("plain", liberationsansregular.TTF) })
	Bold  = sync.OnceValue(func() *Face { return parse("bold", liberationsansbold.TTF) })
)

// Of returns the bold or the plain weight.
func Of(isBold bool) *Face {
	if isBold {
		return Bold()
	}
	return Plain()
}

func parse(name string, ttf []byte) *Face {
	parsed, err := sfnt.Parse(ttf)
	if err != nil {
		panic(err)
	}
	f := &Face{Font: parsed, Name: name, TTF: ttf}
	var b sfnt.Buffer
	for r := range f.advances {
		f.advances[r] = f.advance(&b, rune(r))
	}
	return f
}

// advance returns how wide a character is, in sizes of the letters, or -1 if the font lacks it.
func (f *Face) advance(b *sfnt.Buffer, r rune) float64 {
	glyph, err := f.GlyphIndex(b, r)
	if err != nil || glyph == 0 {
		return -1
	}
	units := fixed.Int26_6(f.UnitsPerEm())
	advance, _ := f.GlyphAdvance(b, glyph, units, font.HintingNone)
	return float64(advance) / float64(units)
}

func (f *Face) widthOf(r rune) float64 {
	if r >= 0 && r < measured {
		return f.advances[r]
	}
	return f.advance(nil, r)
}

func (f *Face) Has(r rune) bool { return f.widthOf(r) >= 0 }

// Width returns how wide a text is in letters of a size. A character that the font lacks is as wide as it is high.
func (f *Face) Width(text string, size float64) float64 {
	sum := 0.0
	for _, r := range text {
		if w := f.widthOf(r); w >= 0 {
			sum += w
		} else {
			sum++
		}
	}
	return sum * size
}
