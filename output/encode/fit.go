package encode

import (
	"slices"
	"strings"

	"reseller/client/record"
	"reseller/output/textwidth"
)

// readable is the width below which a column of a list is left out rather than cut
// further.
const readable = 16

// Of a list whose cells are wrapped, columns are left out only if it has more than fewColumns, and would break words of
// up to maxWord columns, such as times and names of operations.
const (
	fewColumns = 4
	maxWord    = 20
)

func (g *grid) note(i int, v record.Value) {
	switch k := v.Kind(); {
	case IsNull(v), string(v) == `""`:
	case k == record.Number, k == record.String && g.Columns[i].Type == TypeNumber:
		g.numbers[i] = true
	default:
		g.texts[i] = true
	}
}

// pick returns what belongs to the shown columns of what belongs to all.
func pick[T any](g *grid, all []T) []T {
	if g.shown == nil {
		return all
	}
	picked := make([]T, len(g.shown))
	for i, from := range g.shown {
		picked[i] = all[from]
	}
	return picked
}

// fit chooses the columns of a list that a terminal has room for, their widths, and which of them have their numbers to the right.
func (g *grid) fit() {
	n := len(g.header)
	right, least, room := make([]bool, n), g.leastWidths(), g.Width-columnGap*(n-1)
	for i := range right {
		right[i] = g.numbers[i] && !g.texts[i]
	}
	isWhole := false
	if g.Wrap {
		least = g.wholeWords()
		if isWhole = sum(least) <= room; !isWhole && n <= fewColumns {
			least, isWhole = slices.Repeat([]int{minCell}, n), true
		}
	}
	if !isWhole {
		g.shown = g.choose(least)
		room = g.Width - columnGap*(len(g.shown)-1)
	}
	g.widths, g.right = pick(g, g.widths), pick(g, right)
	shrink(g.widths, pick(g, least), room)
}

// wholeWords returns how wide each column is at least so that no word is broken, but those that are longer than maxWord.
func (g *grid) wholeWords() []int {
	least := make([]int, len(g.widths))
	widen := func(cells []string, longest int) {
		for i, cell := range cells {
			for word := range strings.FieldsSeq(cell) {
				width := textwidth.Of(word)
				if width > longest {
					width = readable
				}
				least[i] = max(least[i], width)
			}
		}
	}
	if !g.NoHeader {
		widen(g.header, maxAligned)
	}
	for _, cells := range g.rows {
		widen(cells, maxWord)
	}
	return least
}

func sum(widths []int) int {
	total := 0
	for _, w := range widths {
		total += w
	}
	return total
}

// leastWidths returns how wide each column is at least: wide enough for its header, and for usual cells that can be read, so that
// lists with other texts show the same columns. A column that the user named may be narrower than both, so that more of them
// fit: it is no wider than its header, and a header that is wider than the cells is cut to their width, if it still differs from
// the others there.
func (g *grid) leastWidths() []int {
	least := make([]int, len(g.Columns))
	for i := range g.Columns {
		least[i] = min(g.Columns[i].usualWidth(g.widths[i]), readable)
		if g.NoHeader {
			continue
		}
		if header := textwidth.Of(g.header[i]); g.Picked {
			least[i] = min(header, max(least[i], distinct(g.header, i)))
		} else {
			least[i] = max(header, least[i])
		}
	}
	return least
}

// distinct returns to which width header i can be cut so that it differs from all other
// headers.
func distinct(headers []string, i int) int {
	common := 0
	for j, other := range headers {
		if j == i {
			continue
		}
		n := 0
		for n < min(len(other), len(headers[i])) && other[n] == headers[i][n] {
			n++
		}
		common = max(common, n)
	}
	return max(common+2, minCell) // with the character that differs, and the ellipsis
}

// byWeight returns the columns in the order in which they get room: the needed ones, the names of records,
// then their own ids, ids of other records after all else that tells rows apart, and
// at the end the columns with one value in all rows, names first. Columns that the user named have the
// user's order.
func (g *grid) byWeight() []int {
	order := make([]int, len(g.Columns))
	weights := make([]int, len(g.Columns))
	ids := 0
	for i, c := range g.Columns {
		order[i] = i
		id := strings.HasSuffix(c.Name, "_id")
		switch {
		case c.Needed:
			weights[i] = -1
		case c.Constant && c.Title:
			weights[i] = 4
		case c.Constant:
			weights[i] = 5
		case c.Title:
			weights[i] = 0
		case id && ids == 0:
			weights[i] = 1
		case id:
			weights[i] = 3
		default:
			weights[i] = 2
		}
		if id {
			ids++
		}
	}
	if !g.Picked {
		slices.SortStableFunc(order, func(a, b int) int { return weights[a] - weights[b] })
	}
	return order
}

// choose returns the columns that the terminal has room for, in the order in which they are shown:
// names of records first. At least one column is shown.
func (g *grid) choose(least []int) []int {
	var shown []int
	room := g.Width
	for _, i := range g.byWeight() {
		if len(shown) == 0 || least[i] <= room {
			shown = append(shown, i)
			room -= least[i] + columnGap
		}
	}
	place := func(i int) int {
		if g.Columns[i].Title && !g.Picked {
			return i - len(g.Columns)
		}
		return i
	}
	slices.SortFunc(shown, func(a, b int) int { return place(a) - place(b) })
	return shown
}

func (g *grid) tellLeftOut() {
	var names []string
	for i, c := range g.Columns {
		if g.shown != nil && !slices.Contains(g.shown, i) {
			names = append(names, c.Name)
		}
	}
	if names != nil && g.LeftOut != nil {
		g.LeftOut(names)
	}
}

// shrink narrows the widest columns until all fit into room, or none can be narrowed
// further. least is how wide each is at least.
func shrink(widths, least []int, room int) {
	for i, w := range widths {
		widths[i] = min(w, max(room, minCell))
	}
	for total := sum(widths); total > room; total-- {
		widest := -1
		for i, w := range widths {
			if w > least[i] && (widest < 0 || w >= widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		widths[widest]--
	}
}
