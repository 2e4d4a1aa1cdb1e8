package chart

import (
	"path/filepath"
	"strconv"
	"strings"

	"reseller/output"
	"reseller/output/palette"
)

// Format is the format of a file with charts.
type Format string

// The formats. Each is the extension of its files, too.
const (
	HTML Format = "html"
	SVG  Format = "svg"
	PNG  Format = "png"
)

// FormatOf returns the format of a file by its extension.
func FormatOf(path string) (Format, error) {
	switch f := Format(strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))); f {
	case HTML, SVG, PNG:
		return f, nil
	}
	return "", &output.UsageError{Message: "can't write a chart to " + strconv.Quote(path), Hint: "use a file name that ends in .html, .svg or .png"}
}

// Render returns the contents of a file with the charts of a page.
func Render(p Page, f Format) ([]byte, error) {
	p = p.placed(palette.ByName)
	switch f {
	case SVG:
		return renderSVG(p), nil
	case PNG:
		return renderPNG(p)
	}
	return writeHTML(p), nil
}
