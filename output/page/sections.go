package page

import (
	"encoding/base64"
	"math"
	"strconv"
	"unicode/utf8"

	"reseller/client/summary"
	"reseller/client/words"
	"reseller/output/chart"
)

func (w *writer) addHead(b *Brand, title string, data []byte) {
	c := b.colors()
	w.add("<!DOCTYPE html>\n<html lang=\"$\"", w.Tag())
	w.addIf(w.Direction(), ` dir="$"`)
	w.add(">\n<head>\n<title>$</title>\n", title)
	w.addIf(base64.RawURLEncoding.EncodeToString(data), dataStart+"$"+dataEnd+"\n")
	w.add(`<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="`+contentPolicy+`">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>
:root { --band: $; --on-band: $; --accent-light: $; --accent-dark: $; }
`, c.Band.String(), c.OnBand.String(), c.Light.String(), c.Dark.String())
	w.add(style)
	w.add("</style>\n</head>\n<body>\n")
	if b.Name == "" {
		w.add(`<header class="band bare"></header>`)
	} else {
		w.add("<header class=\"band\"><div class=\"wide\">\n")
		w.addIf(b.logo.address(), `<img src="$" alt="">`)
		w.add("<span>$</span>", cleanName(b.Name))
		w.addIf(cleanText(b.Contact), `<span class="contact">$</span>`)
		w.add("\n</div></header>")
	}
	w.add("\n<main class=\"wide\">\n<section>\n")
}

func (w *writer) addPeriod(period, comparison string) {
	w.add("<p class=\"period\">$</p>\n", words.Capital(w.List(period, comparison)))
}

func (w *writer) addFooter(b *Brand, made string) {
	w.add("</main>\n<footer class=\"wide\">")
	w.addIf(cleanText(b.Footer), "<p>$</p>")
	w.add("<p>$</p></footer>\n</body>\n</html>\n", madeOn(w.Words, b, made))
}

func (w *writer) addSpark(s chart.Spark) {
	if line := s.Draw(chart.Size{Width: 1000, Height: 1000, Letter: 1}, ""); line != nil {
		w.add(`<svg class="spark" viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true"><path d="$"/><path class="end" d="$"/></svg>`, line[0].Path(), line[1].Path())
	}
}

func (w *writer) addChange(f summary.Figure) {
	if told := f.Told(w.Words); told != "" {
		w.add(`<span class="$">$</span>`, verdict(f), told)
	}
}

func (w *writer) begin(title string) { w.add("<section>\n<h2>$</h2>\n", title) }

func (w *writer) end() { w.add("\n</section>\n") }

func (w *writer) addSoft(text string) { w.addIf(text, `<p class="soft">$</p>`) }

func (w *writer) addFigures(known []summary.Figure) {
	w.add(`<dl class="figures">`)
	for _, f := range known {
		w.add("<div><dt>$</dt><dd><strong>$</strong> ", f.Title, f.Text)
		w.addChange(f)
		w.add("</dd></div>")
	}
	w.add("</dl>")
}

// addPlot writes a chart twice: for wide screens and paper, and for phones, where the letters of the wide one would be tiny.
func (w *writer) addPlot(c *chart.Chart) {
	w.add("<figure>\n")
	w.addIf(c.Title, "<figcaption>$</figcaption>\n")
	w.addDrawing("plot", c, chart.Size{Width: 800, Height: 130, Letter: 12})
	w.addDrawing("plot narrow", c, chart.Size{Width: 400, Height: 200, Letter: 13})
	w.add("</figure>\n")
}

func (w *writer) addDrawing(class string, c *chart.Chart, size chart.Size) {
	marks, height := c.Draw(size)
	w.add("<svg class=\"$\" viewBox=\"0 0 $ $\" role=\"img\"><title>$</title>", class, strconv.Itoa(int(size.Width)), strconv.Itoa(int(math.Ceil(height))), cleanText(c.Title))
	w.addIf(c.About, "<desc>$</desc>")
	w.Write(chart.Elements(marks))
	w.add("</svg>\n")
}

const maxFigure = 10 // characters of a figure that a tile has room for in large letters

func (w *writer) addTop(v *view) {
	w.add("<h1><bdi>$</bdi></h1>\n", cleanName(v.Title))
	w.addIf(cleanName(v.Campaign), "<p><bdi>$</bdi></p>")
	w.add("\n")
	w.addPeriod(v.Period, v.Comparison)
	w.addNote(v.Note)
	if len(v.Sentences) > 0 {
		w.add(`<div class="lead">`)
		for _, s := range v.Sentences {
			w.add("<p>$</p>", s)
		}
		w.add("</div>")
	}
	w.add("\n")
	w.addIf(v.NoFigures, "<p>$</p>")
	if len(v.Shown) > 0 {
		w.add(`<ul class="tiles">`)
		for _, t := range v.Shown {
			long := map[bool]string{true: " long"}[utf8.RuneCountInString(t.Text) > maxFigure]
			w.add("\n<li><span class=\"label\">$</span><span class=\"figure$\">$</span><span class=\"change\">", t.Title, long, t.Text)
			w.addChange(t)
			w.add("</span>")
			w.addSpark(lineOf(t))
			w.add("</li>")
		}
		w.add("\n</ul>")
	}
}

func (w *writer) addStrip(charts []chart.Chart) {
	w.add(`<div class="strip">`)
	for i := range charts {
		w.add("<figure>\n<figcaption>$</figcaption>\n", charts[i].Title)
		w.addDrawing("plot", &charts[i], chart.Size{Width: 280, Height: 80, Letter: 11})
		w.add("</figure>\n")
	}
	w.add("</div>\n")
}

func (w *writer) addList(title string, items []string) {
	w.add("<h3>$</h3>\n<ul class=\"plain columns\">", title)
	for _, item := range items {
		w.add("<li><bdi>$</bdi></li>", item)
	}
	w.add("</ul>\n")
}

func (w *writer) addRemarks(all []string) {
	w.add(`<ul class="plain">`)
	for _, remark := range all {
		w.add("<li>$</li>", cleanText(remark))
	}
	w.add("</ul>\n")
}
