package chart

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-analyze/charts"

	"reseller/output"
)

// Format is what a file of charts is.
type Format string

// The formats, by the ending of the file's name.
const (
	HTML Format = "html"
	SVG  Format = "svg"
	PNG  Format = "png"
)

// FormatOf finds the format for a file by its ending.
func FormatOf(path string) (Format, error) {
	ending := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	switch Format(ending) {
	case HTML, SVG, PNG:
		return Format(ending), nil
	}
	return "", &output.UsageError{What: "a chart can't be written to " + strconv.Quote(path), Hint: "the name of the file ends in .html, .svg or .png"}
}

// File is a page as a file of a format.
func File(p Page, f Format) ([]byte, error) {
	switch f {
	case SVG:
		return picture(charts.ChartOutputSVG, p, false)
	case PNG:
		return picture(charts.ChartOutputPNG, p, false)
	}
	return writeHTML(p)
}
