package chart

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"reseller/output/palette"
	"reseller/output/typeface"
)

func renderPNG(marks []Mark, height int) []byte {
	c := canvas{image.NewRGBA(image.Rect(-margin, -margin, pictureWidth-margin, height-margin))}
	draw.Draw(c, c.Rect, image.White, image.Point{}, draw.Src)
	for i := range marks {
		m := &marks[i]
		rgb, _ := palette.Parse(m.Color)
		ink := image.NewUniform(color.RGBA{rgb[0], rgb[1], rgb[2], 255})
		switch {
		case m.Text != "":
			c.write(m, ink)
		case m.Width == 0:
			c.fill(ink, m.Points)
		default:
			for run := range m.Runs {
				c.fill(ink, outlines(run, m.Width/2)...)
			}
		}
	}
	var b bytes.Buffer
	_ = png.Encode(&b, c) // a buffer takes all
	return b.Bytes()
}

type canvas struct{ *image.RGBA }

func (c canvas) write(m *Mark, ink image.Image) {
	letters := typeface.Of(m.Bold)
	face, _ := opentype.NewFace(letters.Font, &opentype.FaceOptions{Size: m.Size, DPI: 72}) // with an error, nothing would be drawn
	x, y := m.Points[0].X-m.Anchor*letters.Width(m.Text, m.Size), math.Round(m.Points[0].Y+Baseline*m.Size)
	d := font.Drawer{Dst: c, Src: ink, Face: face, Dot: fixed.P(0, int(y))}
	for _, letter := range m.Text { // each where the layout and PDFs have it, without the kerning of the font
		d.Dot.X = fixed.Int26_6(64 * x)
		d.DrawString(string(letter))
		x += letters.Width(string(letter), m.Size)
	}
}

// fill fills areas, which all go around in the same direction.
func (c canvas) fill(ink image.Image, areas ...[]Point) {
	box := image.Rectangle{}
	for _, area := range areas {
		for _, p := range area {
			x, y := int(math.Floor(p.X)), int(math.Floor(p.Y))
			box = box.Union(image.Rect(x, y, x+2, y+2))
		}
	}
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	for _, area := range areas {
		for i, p := range area {
			x, y := float32(p.X-float64(box.Min.X)), float32(p.Y-float64(box.Min.Y))
			if i == 0 {
				r.MoveTo(x, y)
			} else {
				r.LineTo(x, y)
			}
		}
		r.ClosePath()
	}
	r.Draw(c, box, ink, image.Point{})
}

// outlines returns the areas of a line: a disc around each of its points, and a rectangle between each two.
func outlines(line []Point, radius float64) (areas [][]Point) {
	for i, p := range line {
		const corners = 16
		disc := make([]Point, corners)
		for j := range disc {
			sin, cos := math.Sincos(-2 * math.Pi * float64(j) / corners)
			disc[j] = Point{p.X + radius*cos, p.Y + radius*sin}
		}
		areas = append(areas, disc)
		if i > 0 {
			from := line[i-1]
			length := math.Hypot(p.X-from.X, p.Y-from.Y)
			x, y := radius*(from.Y-p.Y)/length, radius*(p.X-from.X)/length // at right angles to the line
			areas = append(areas, []Point{{from.X + x, from.Y + y}, {p.X + x, p.Y + y}, {p.X - x, p.Y - y}, {from.X - x, from.Y - y}})
		}
	}
	return areas
}
