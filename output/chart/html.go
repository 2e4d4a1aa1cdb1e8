package chart

import (
	_ "embed" // for the style
	"fmt"
	"html"
	"strings"
)

const (
	maxCellLength     = 200 // in characters
	maxUnbrokenLength = 20  // of a cell that is kept on one line, in characters
	maxWideColumns    = 9   // a table with more columns is printed small
)

// contentPolicy forbids a page to load or run anything, whatever texts it
// contains. Inline styles are allowed for the pictures.
const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

//go:embed style.css
var style string

// writeHTML returns a page with pictures, notes and tables of the numbers, which
// needs no other file and runs nothing.
func writeHTML(p Page) []byte {
	var b strings.Builder
	title := safeHTML(p.Title)
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta http-equiv=\"Content-Security-Policy\" content=\"%s\"/>\n", contentPolicy)
	fmt.Fprintf(&b, "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<h1>%s</h1>\n", title, style, title)
	for _, about := range p.About {
		fmt.Fprintf(&b, "<p>%s</p>\n", safeHTML(about))
	}
	b.WriteString("</header>\n<main>\n")
	for i := range p.Charts {
		p.Charts[i].writeSection(&b)
	}
	b.WriteString("</main>\n</body>\n</html>\n")
	return []byte(b.String())
}

func (c *Chart) writeSection(b *strings.Builder) {
	fmt.Fprintf(b, "<section>\n<h2>%s</h2>\n", safeHTML(c.Title))
	if c.empty() {
		fmt.Fprintf(b, "<p class=\"note\">%s</p>\n", safeHTML(c.NoData))
	} else {
		fmt.Fprintf(b, "<figure role=\"img\" tabindex=\"0\" aria-label=\"%s\">\n", safeHTML(c.Title))
		for class, size := range Sizes(300) {
			marks, height := c.Draw(size)
			fmt.Fprintf(b, "<svg class=\"%s\" viewBox=\"0 0 %.0f %.0f\">\n%s</svg>\n", class, size.Width, height, Elements(marks))
		}
		b.WriteString("</figure>\n")
	}
	for _, note := range c.allNotes() {
		fmt.Fprintf(b, "<p class=\"note\">%s</p>\n", safeHTML(note))
	}
	if !c.empty() {
		c.dataTable().write(b)
	}
	c.Rows.write(b)
	b.WriteString("</section>\n")
}

func (t Table) write(b *strings.Builder) {
	if len(t.Rows) == 0 {
		return
	}
	class := "table"
	switch {
	case t.long:
		class = "long"
	case len(t.Header) > maxWideColumns:
		class = "table wide"
	}
	fmt.Fprintf(b, "<div class=\"%s\" tabindex=\"0\"><table>\n", class)
	defer b.WriteString("</div>\n")
	if t.Title != "" {
		fmt.Fprintf(b, "<caption>%s</caption>\n", safeHTML(t.Title))
	}
	if len(t.Header) > 0 {
		b.WriteString("<thead><tr>")
		for _, cell := range t.Header {
			writeCell(b, "th", cell)
		}
		b.WriteString("</tr></thead>\n")
	}
	b.WriteString("<tbody>\n")
	for _, row := range t.Rows {
		b.WriteString("<tr>")
		for _, cell := range row {
			writeCell(b, "td", cell)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table>\n")
}

// writeCell writes a cell. A date, with or without a time, or a short word in it is
// kept on one line; a long text may break after punctuation.
func writeCell(b *strings.Builder, tag, cell string) {
	class, shown := "", safeHTML(cell)
	switch {
	case len(cell) > maxUnbrokenLength:
		shown = wordBreaks.Replace(shown)
	case cell == "":
		tag = "td" // a header says something
	case len(cell) <= len("22 Nov 2026"), !strings.Contains(cell, " "), len(cell) <= len("2026-11-22 04:04") && cell[0] >= '0' && cell[0] <= '9':
		class = ` class="word"`
	}
	fmt.Fprintf(b, "<%s%s>%s</%s>", tag, class, shown, tag)
}

var wordBreaks = strings.NewReplacer(".", ".<wbr/>", "_", "_<wbr/>", "/", "/<wbr/>", "-", "-<wbr/>")

// safeHTML returns a text that others wrote, escaped for HTML.
func safeHTML(s string) string { return html.EscapeString(safeText(s, maxCellLength)) }
