package page

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg" // registers the format of logos
	"image/png"
	"io"
	"regexp"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"reseller/output/palette"
)

// A Brand is the look of a reseller: what its pages show in place of this program.
type Brand struct {
	Name     string
	Contact  string
	Footer   string
	Language string // of the pages, empty if it is not given
	logo     logo
	color    palette.RGB // ownColor if it is not given
}

type logo struct {
	kind  string // png, jpeg or svg+xml
	data  []byte
	size  image.Point   // in pixels, for a PNG or JPEG file
	inPDF func() []byte // the picture as a PDF can show it, nil if it can't
}

// address returns the picture as an address that holds all of it, empty if there is none.
func (l *logo) address() string {
	if l.kind == "" {
		return ""
	}
	return "data:image/" + l.kind + ";base64," + base64.StdEncoding.EncodeToString(l.data)
}

// HasLogoInPDF reports whether a PDF shows the logo of the brand, if it has one. It shows no SVG.
func (b *Brand) HasLogoInPDF() bool { return b.orNone().logo.kind != "svg+xml" }

func (b *Brand) orNone() *Brand {
	if b == nil {
		return &Brand{color: ownColor}
	}
	return b
}

// The largest files of a brand, in bytes. A logo is part of every page.
const (
	MaxBrandFile = 64 << 10
	MaxLogo      = 100 << 10
	maxPixels    = 2000 // of a side of a logo
)

// ParseBrand reads a file of a brand. readLogo reads the file that the brand names as its logo.
func ParseBrand(text []byte, readLogo func(name string) ([]byte, error)) (*Brand, error) {
	file, err := parseYAML(text)
	if err != nil {
		return nil, err
	}
	b, picture := &Brand{color: ownColor}, ""
	texts, others := map[string]*string{"name": &b.Name, "contact": &b.Contact, "footer": &b.Footer}, map[string]*string{"language": &b.Language, "logo": &picture}
	err = eachPair(file, "name, logo, color, contact, footer or language", func(key string, value *yaml.Node) error {
		switch {
		case texts[key] != nil:
			return setText(texts[key], key, value)
		case others[key] != nil:
			return setWord(others[key], key, value)
		case key == "color":
			return b.setColor(value)
		}
		return fmt.Errorf("unknown key %q: use name, logo, color, contact, footer, language", clean(key, maxName))
	})
	if err != nil {
		return nil, err
	}
	b.Name, b.Contact, b.Footer = clean(b.Name, maxName), clean(b.Contact, maxText), clean(b.Footer, 2*maxText)
	if b.Name == "" {
		return nil, errors.New("name is missing")
	}
	if picture == "" {
		return b, nil
	}
	data, err := readLogo(picture)
	if err == nil {
		b.logo, err = parseLogo(data)
	}
	if err != nil {
		return nil, fmt.Errorf("logo %s: %w", picture, err)
	}
	return b, nil
}

func (b *Brand) setColor(value *yaml.Node) error {
	text := ""
	switch err := setWord(&text, "color", value); {
	case err != nil:
		return err
	case value.Tag == "!!null": // without quotes, a color is a comment
		return errors.New(`color is empty: put it in quotes, such as "#0072b2"`)
	case text != "":
		var ok bool
		if b.color, ok = palette.Parse(text); !ok {
			return fmt.Errorf("color %q is not a color such as \"#0072b2\"", text)
		}
	}
	return nil
}

type colors struct {
	Band, OnBand palette.RGB // of the band on top, and of its letters
	Light, Dark  palette.RGB // of accents on a light and on a dark page
}

// The backgrounds of pages, as in style.css.
var (
	lightPage = palette.White
	darkPage  = palette.RGB{0x15, 0x19, 0x1e}
)

var ownColor = palette.RGB{0x1f, 0x3a, 0x5f}

const minContrast = 4.5

// colors returns the colors of the brand, with accents made so dark or light that they can be read.
func (b *Brand) colors() colors {
	return colors{
		Band: b.color, OnBand: palette.On(b.color),
		Light: palette.Readable(b.color, lightPage, minContrast), Dark: palette.Readable(b.color, darkPage, minContrast),
	}
}

func parseLogo(data []byte) (logo, error) {
	l := logo{kind: "svg+xml", data: data}
	if config, format, err := image.DecodeConfig(bytes.NewReader(data)); err == nil {
		if config.Width > maxPixels || config.Height > maxPixels {
			return logo{}, fmt.Errorf("the picture has %d by %d pixels, more than %d", config.Width, config.Height, maxPixels)
		}
		if format != "png" && format != "jpeg" {
			return logo{}, fmt.Errorf("a %s file: use PNG, JPEG or SVG", format)
		}
		picture, _, err := image.Decode(bytes.NewReader(data))
		if err != nil {
			return logo{}, fmt.Errorf("the picture is broken: %w", err)
		}
		l.kind, l.size, l.inPDF = format, image.Pt(config.Width, config.Height), func() []byte { return data }
		if format == "png" {
			l.inPDF = sync.OnceValue(func() []byte { return plainPNG(picture) })
		}
	} else if err := checkSVG(data); err != nil {
		return logo{}, err
	}
	return l, nil
}

// plainPNG returns a PNG file with the picture in 8 bits a color and all at once: PDFs show no interlaced files.
func plainPNG(picture image.Image) []byte {
	plain := image.NewNRGBA(picture.Bounds())
	draw.Draw(plain, plain.Bounds(), picture, picture.Bounds().Min, draw.Src)
	var b bytes.Buffer
	_ = png.Encode(&b, plain) // a buffer takes all
	return b.Bytes()
}

// The elements and attributes that an SVG may have: shapes, texts and their colors. None of them can run or load anything.
const (
	svgElements = " svg g defs title desc path rect circle ellipse line polyline polygon text tspan linearGradient radialGradient stop clipPath "

	svgAttributes = " id class version baseProfile role aria-label viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy d points transform " +
		"color opacity fill fill-rule fill-opacity stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset stroke-opacity " +
		"clip-path clip-rule clipPathUnits offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod " +
		"font-family font-size font-weight font-style text-anchor letter-spacing "
)

// svgType is the type of a document that programs write before an SVG: one of the W3C, which no browser reads.
const svgType = `^DOCTYPE svg(\s+(PUBLIC\s+["']-//W3C//DTD SVG [^"'\[]*["']|SYSTEM)\s+["']https?://www\.w3\.org/[^"'\[]*["'])?\s*$`

// checkSVG refuses an SVG that could run or load something. A browser runs nothing in a picture,
// but a logo is a file of others, which may be copied out of the page.
func checkSVG(data []byte) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	isSVG, isType := false, regexp.MustCompile(svgType)
	for {
		token, err := d.Token()
		switch {
		case isSVG && errors.Is(err, io.EOF):
			return nil
		case isSVG && err != nil:
			return fmt.Errorf("the SVG is broken: %w", err)
		case err != nil:
			return errors.New("not a PNG, JPEG or SVG file")
		}
		switch t := token.(type) {
		case xml.StartElement:
			name := t.Name.Local
			if isSVG = isSVG || name == "svg"; !isSVG {
				return errors.New("not a PNG, JPEG or SVG file")
			}
			if !strings.Contains(svgElements, " "+name+" ") || t.Name.Space != "" && t.Name.Space != "http://www.w3.org/2000/svg" {
				return fmt.Errorf("the SVG has a <%s>: only shapes, texts and gradients are taken", clean(name, 40))
			}
			for _, a := range t.Attr {
				if err := checkAttribute(a); err != nil {
					return err
				}
			}
		case xml.Directive:
			if !isType.Match(t) {
				return errors.New("the SVG has a document type that may declare entities or refer to a file")
			}
		case xml.ProcInst:
			if t.Target != "xml" {
				return fmt.Errorf("the SVG has an instruction <?%s>", clean(t.Target, 40))
			}
		}
	}
}

func checkAttribute(a xml.Attr) error {
	name := a.Name.Local
	switch {
	case a.Name.Space == "xmlns" || a.Name.Space == "" && name == "xmlns":
		return nil
	case a.Name.Space != "" || !strings.Contains(svgAttributes, " "+name+" "):
		return fmt.Errorf("the SVG has an attribute %s: only those of shapes, texts and colors are taken", clean(name, 40))
	}
	value := a.Value
	if id, ok := strings.CutPrefix(value, "url(#"); ok { // a gradient of the same file
		value = strings.TrimSuffix(id, ")")
	}
	if strings.ContainsAny(value, `\/:@`) || strings.Contains(strings.ToLower(value), "url(") || strings.Contains(value, "(") && strings.ContainsAny(value, `'"`) {
		return fmt.Errorf("the SVG refers to something outside of it, %q", clean(a.Value, 40))
	}
	return nil
}
