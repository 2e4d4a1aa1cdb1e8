package page

import (
	"slices"
	"strings"

	"reseller/client/summary"
	"reseller/client/words"
	"reseller/output/chart"
	"reseller/output/typeface"
)

type table struct {
	title   string
	class   string
	columns []column
	rows    [][]cell
	all     int  // the number of rows with those left out, 0 if none is
	isWide  bool // may be wider than the page
}

type column struct {
	title string  // empty if that of the column before it is over both
	class string  // number, change, line or, for texts, empty
	least float64 // how wide it is on a sheet at least, beside others that need no more
}

type cell struct {
	text, note string
	class      string // of the color of the text, empty for ink
	line       chart.Spark
}

func tableOf(t summary.Table) *table {
	out := &table{title: t.Title, all: len(t.Rows), isWide: true}
	for _, h := range t.Header {
		out.columns = append(out.columns, column{title: cleanText(h)})
	}
	for _, row := range firstOf(t.Rows, maxAppendix) {
		cells := make([]cell, len(row))
		for i, each := range row {
			cells[i].text = cleanText(each)
		}
		out.rows = append(out.rows, cells)
	}
	return out
}

// caption returns the title, which says how many rows are shown if others are left out.
func (t *table) caption(in *words.Words, shown int) string {
	all := max(t.all, len(t.rows))
	if shown == all {
		return t.title
	}
	return in.Say("table.cut", "title", t.title, "n", shown, "all", all)
}

func (v *view) rankTable(title string, rows []summary.Ranking, all int) *table {
	isCompared, say := v.Rankings.Since != "", v.Words.Say
	hasMap := slices.ContainsFunc(v.Rankings.Rows, func(r summary.Ranking) bool { return r.Map.Best != "" || r.Map.Change != "" })
	hasVolume := slices.ContainsFunc(v.Rankings.Rows, func(r summary.Ranking) bool { return r.Searches > 0 })
	t := &table{title: title, all: all, class: "rankings", rows: make([][]cell, len(rows))}
	add := func(isShown bool, c column, of func(r summary.Ranking) cell) {
		if isShown {
			t.columns = append(t.columns, c)
			for i, r := range rows {
				t.rows[i] = append(t.rows[i], of(r))
			}
		}
	}
	add(true, column{title: say("column.keyword")}, func(r summary.Ranking) cell { return cell{text: orNameless(v.Words, cleanName(r.Keyword))} })
	add(hasVolume, column{title: say("column.searches"), class: "number side"}, func(r summary.Ranking) cell { return cell{text: v.Words.Number(r.Searches)} })
	ofList := func(isShown bool, title, change string, of func(r summary.Ranking) summary.Rank) {
		add(isShown, column{title: say(title), class: "number"}, func(r summary.Ranking) cell { return cell{text: of(r).Now, note: of(r).Note} })
		add(isShown && isCompared, column{title: change, class: "change"}, func(r summary.Ranking) cell {
			return cell{text: strings.TrimSpace(of(r).Direction.Arrow() + " " + of(r).Change), class: moveClasses[of(r).Direction]}
		})
	}
	ofList(true, "column.organic_rank", say("column.change"), func(r summary.Ranking) summary.Rank { return r.Organic })
	add(true, column{title: say("column.best"), class: "number side"}, func(r summary.Ranking) cell { return cell{text: r.Organic.Best} })
	course := func(r summary.Ranking) cell { return cell{line: chart.Spark{Values: r.Organic.Line, IsRank: true}} }
	hasCourse := slices.ContainsFunc(rows, func(r summary.Ranking) bool { return course(r).line.String() != "" })
	add(hasCourse, column{title: say("column.course"), class: "line side", least: 34}, course)
	ofList(hasMap, "column.map_rank", "", func(r summary.Ranking) summary.Rank { return r.Map })
	return t
}

// moveClasses has the classes of moves by their direction.
var moveClasses = [...]string{summary.NotCompared: "same", summary.Up: "good", summary.Down: "bad", summary.Unchanged: "same", summary.New: "good"}

const maxUnbroken = 20 // bytes of a word that is kept on one line

// addTable writes a table. Of several that are long, each gets its part of the room that a page has left.
func (w *writer) addTable(t *table, parts int) {
	var rows writer
	shown := 0
	for ; shown < len(t.rows) && (parts == 0 || rows.Len() < (maxPage-w.Len())/parts); shown++ {
		rows.add("<tr>")
		for i, c := range t.rows[shown] {
			rows.addCell(c, t.columns[i].class, i == 0, t.isWide)
		}
		rows.add("</tr>\n")
	}
	caption := t.caption(w.Words, shown)
	if t.isWide {
		w.add(`<div class="scroll" tabindex="0" role="region" aria-label="$">`, caption)
		defer w.add("</div>\n")
	}
	w.add("<table")
	w.addIf(t.class, ` class="$"`)
	w.add(">")
	w.addIf(caption, "\n<caption>$</caption>")
	w.add("\n<thead><tr>")
	for i, c := range t.columns {
		span := "1"
		if i+1 < len(t.columns) && t.columns[i+1].title == "" {
			c.class, span = "", "2"
		}
		if slices.ContainsFunc(strings.Fields(c.title), func(word string) bool { return len(word) > maxUnbroken }) {
			c.class += " long"
		}
		if c.title != "" {
			w.add(`<th scope="col" class="$" colspan="$">$</th>`, c.class, span, c.title)
		}
	}
	w.add("</tr></thead>\n<tbody>")
	w.Write(rows.Bytes())
	w.add("</tbody></table>\n")
}

// addCell writes a cell. A date or a short word is kept on one line; in a table that may be wider than the page, so are a
// time and a longer word.
func (w *writer) addCell(c cell, class string, isFirst, isWide bool) {
	n := len(c.text)
	isWord := n <= maxUnbroken && !strings.Contains(c.text, " ") || n <= len("2026-11-22 04:04") && c.text[0] >= '0' && c.text[0] <= '9'
	switch {
	case class == "" && (n <= len("22 Nov 2026") || isWide && isWord):
		class = "word"
	case class == "":
		class = "prose"
	case c.class != "":
		class += " " + c.class
	}
	if isFirst && n > 0 {
		w.add(`<th scope="row" class="$"><bdi>$</bdi></th>`, class, c.text)
		return
	}
	w.add(`<td class="$"><bdi>$</bdi>`, class, c.text)
	w.addIf(c.note, ` <span class="note">$</span>`)
	w.addSpark(c.line)
	w.add("</td>")
}

// widths returns how wide columns are on a sheet: as their longest texts, and wider in proportion if there is room. If there is not,
// the widest ones are as wide as each other.
func (s *sheet) widths(t *table) []float64 {
	all, total := make([]float64, len(t.columns)), 0.0
	for i, c := range t.columns {
		all[i] = c.least
		for word := range strings.FieldsSeq(c.title) {
			all[i] = max(all[i], typeface.Bold().Width(word, columnHead.size)+1)
		}
		for _, row := range t.rows {
			if i < len(row) {
				all[i] = max(all[i], typeface.Plain().Width(row[i].shown(), plain.size)+1)
			}
		}
	}
	room, limit := s.ink()-tableGap*float64(len(all)-1), 0.0
	for i, width := range slices.Sorted(slices.Values(all)) {
		if limit = (room - total) / float64(len(all)-i); width > limit {
			total = room
			break
		}
		total += width
	}
	for i := range all {
		all[i] = min(all[i], limit) * room / total
	}
	return all
}

const (
	tableGap = 5.0 // between two columns of a sheet
	tablePad = 1.8 // above and below a row
)

// anchor returns the share of a text that is on the left of its place.
func (c *column) anchor() float64 {
	if strings.HasPrefix(c.class, "number") {
		return 1
	}
	return 0
}

// addTable draws a table, whose header is repeated on every sheet.
func (s *sheet) addTable(t *table, _ int) {
	width, head := s.widths(t), 0.0
	over := slices.Clone(width) // that of the titles, of which some are over two columns
	for i, c := range t.columns {
		if i > 0 && c.title == "" {
			over[i-1] += tableGap + width[i]
		}
	}
	for i, c := range t.columns {
		head = max(head, s.height(c.title, columnHead, over[i]))
	}
	addHeader := func() {
		if head == 0 {
			return
		}
		x := sheetMargin
		for i, c := range t.columns {
			if over[i] > width[i] {
				c.class = ""
			}
			s.write(c.title, columnHead, x, s.y+head-s.height(c.title, columnHead, over[i]), over[i], c.anchor())
			x += width[i] + tableGap
		}
		s.y += head + tablePad
		s.ruleAt(s.y, 0.8, soft)
		s.y += tablePad
	}
	// room returns the height of a row, and with it that of what it shares its sheet with: the last two rows, and the footer if no section is below.
	room := func(i int) float64 {
		high := 0.0
		for at, c := range t.rows[i] {
			high = max(high, s.height(c.shown(), plain, width[at]))
		}
		high += 2 * tablePad
		if left := len(t.rows) - i; left <= 2 {
			high *= float64(left)
			if t.class == "" {
				high += s.tail
			}
		}
		return high
	}
	s.y += 6
	least := 3 * plain.size * lineHeight
	if len(t.rows) > 0 {
		least = max(least, room(0))
	}
	s.need(20 + head + least)
	s.add(t.caption(s.Words, len(t.rows)), heading)
	s.y += tablePad
	addHeader()
	for i, row := range t.rows {
		if s.y+room(i) > s.bottom() {
			s.need(s.bottom())
			addHeader()
		}
		x, below := sheetMargin, s.y
		for i, c := range row {
			l := plain
			if c.class != "" {
				l.color = classColors[c.class]
			}
			below = max(below, s.write(c.shown(), l, x, s.y, width[i], t.columns[i].anchor()))
			s.spark(c.line, x+3, s.y-1, width[i]-6)
			x += width[i] + tableGap
		}
		s.y = below + tablePad
		if head > 0 {
			s.ruleAt(s.y, 0.4, rule)
		}
		s.y += tablePad
	}
}

func (c *cell) shown() string { return strings.TrimSpace(c.text + " " + c.note) }
