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

// fitting finds out which columns of a list a terminal has room for, and which of them
// have their numbers to the right.
type fitting struct {
	columns []Column
	picked  bool                   // the user named the columns, so that their order stays
	leftOut func(columns []string) // is told of the columns for which there is no room; may be nil

	numbers, texts []bool // the columns that have a cell with a number, and one with something else
	shown          []int  // the columns that are shown, in their order; nil until fit chose them, or if there is nothing to choose
}

func (f *fitting) note(i int, v record.Value) {
	switch k := v.Kind(); {
	case IsNull(v), string(v) == `""`:
	case k == record.Number, k == record.String && f.columns[i].Type == TypeNumber:
		f.numbers[i] = true
	default:
		f.texts[i] = true
	}
}

func (f *fitting) pick(cells []string) []string {
	if f == nil || f.shown == nil {
		return cells
	}
	return ofShown(f, cells)
}

// fit chooses the columns that a terminal shows. It returns their widths, and which of them
// have their cells to the right.
func (f *fitting) fit(g *grid) (widths []int, right []bool) {
	right = make([]bool, len(f.columns))
	for i := range right {
		right[i] = f.numbers[i] && !f.texts[i]
	}
	room := g.maxWidth - columnGap*(len(f.columns)-1)
	least := f.leastWidths(g)
	if g.wrap {
		least = wholeWords(g)
		switch {
		case sum(least) <= room:
			shrink(g.widths, least, room)
			return g.widths, right
		case len(f.columns) <= fewColumns:
			shrink(g.widths, nil, room)
			return g.widths, right
		}
	}
	f.shown = f.choose(least, f.byWeight(), g.maxWidth)
	widths = ofShown(f, g.widths)
	shrink(widths, ofShown(f, least), g.maxWidth-columnGap*(len(widths)-1))
	return widths, ofShown(f, right)
}

// wholeWords returns how wide each column is at least so that no word is broken, but those that are longer than maxWord.
func wholeWords(g *grid) []int {
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
	if !g.noHeader {
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
func (f *fitting) leastWidths(g *grid) []int {
	least := make([]int, len(f.columns))
	for i := range f.columns {
		least[i] = min(f.columns[i].usualWidth(g.widths[i]), readable)
		if g.noHeader {
			continue
		}
		if header := textwidth.Of(g.header[i]); f.picked {
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
func (f *fitting) byWeight() []int {
	order := make([]int, len(f.columns))
	weights := make([]int, len(f.columns))
	ids := 0
	for i, c := range f.columns {
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
	if !f.picked {
		slices.SortStableFunc(order, func(a, b int) int { return weights[a] - weights[b] })
	}
	return order
}

// choose returns the columns that fit into width, in the order in which they are shown:
// names of records first. At least one column is shown.
func (f *fitting) choose(least, order []int, width int) []int {
	var shown []int
	room := width
	for _, i := range order {
		if len(shown) == 0 || least[i] <= room {
			shown = append(shown, i)
			room -= least[i] + columnGap
		}
	}
	slices.SortFunc(shown, func(a, b int) int {
		if first := f.columns[a].Title && !f.picked; first != (f.columns[b].Title && !f.picked) {
			if first {
				return -1
			}
			return 1
		}
		return a - b
	})
	return shown
}

func (f *fitting) tellLeftOut() {
	if f.shown == nil || len(f.shown) == len(f.columns) || f.leftOut == nil {
		return
	}
	var names []string
	for i, c := range f.columns {
		if !slices.Contains(f.shown, i) {
			names = append(names, c.Name)
		}
	}
	f.leftOut(names)
}

func ofShown[T any](f *fitting, values []T) []T {
	out := make([]T, len(f.shown))
	for i, from := range f.shown {
		out[i] = values[from]
	}
	return out
}

// shrink narrows the widest columns until all fit into room, or none can be narrowed
// further. least is how wide each is at least, nil for minCell.
func shrink(widths, least []int, room int) {
	for i, w := range widths {
		widths[i] = min(w, max(room, minCell))
	}
	for total := sum(widths); total > room; total-- {
		widest := -1
		for i, w := range widths {
			if (least == nil && w > minCell || least != nil && w > least[i]) && (widest < 0 || w >= widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		widths[widest]--
	}
}
