package encode

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"pgregory.net/rapid"

	"reseller/client/safetext"
	"reseller/output/textwidth"
)

func TestTableIsNeverWiderThanTheTerminal(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		cell := rapid.OneOf(rapid.StringN(0, 30, -1), rapid.SampledFrom([]string{"", "日本語日本語", "❤️❤️❤️", "👩‍👩‍👧 family", strings.Repeat("x", 200), " lead", "🇩🇪🇫🇷"}))
		n := rapid.IntRange(1, 12).Draw(rt, "columns")
		limit := rapid.IntRange(1, 120).Draw(rt, "width")
		l := Layout{Width: limit, NoHeader: rapid.Bool().Draw(rt, "no header")}
		for i := range n {
			l.Columns = append(l.Columns, Column{Name: fmt.Sprintf("column_%d", i)})
		}
		g := newTable(l).(*tableEncoder).grid
		var out []byte
		rows := rapid.IntRange(0, 105).Draw(rt, "rows")
		for range rows {
			cells := make([]string, n)
			for i := range cells {
				cells[i] = safetext.Escape(cell.Draw(rt, "cell"))
			}
			out = g.addRow(out, cells)
		}
		out = g.drawSample(out)
		lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		if want := rows + 1; !l.NoHeader && len(lines) != want {
			rt.Fatalf("got %d lines, want %d", len(lines), want)
		}
		for _, line := range lines {
			if textwidth.Of(line) > limit || strings.HasSuffix(line, " ") {
				rt.Fatalf("%q takes %d columns, the terminal has %d", line, textwidth.Of(line), limit)
			}
		}
	})
}

// TestGridDrawsLikeTablewriter checks that the rows that grid lays out itself look like those
// that tablewriter draws. It takes only random texts of which both measure the same width: they differ
// in texts that nobody writes, such as an emoji before a vowel sign of an Indian script.
func TestGridDrawsLikeTablewriter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		isAlike := func(s string) bool { // tablewriter pads some marks as if they stood alone
			sum, s := 0, safetext.Escape(s)
			for _, r := range s {
				sum += textwidth.Of(string(r))
			}
			return twwidth.Width(s) == textwidth.Of(s) && sum == textwidth.Of(s)
		}
		cell := rapid.OneOf(rapid.StringN(0, 30, -1).Filter(isAlike), rapid.SampledFrom([]string{"", "x", "  lead", "trail ", " ", "日本語", "a  b", "é", "e\u0301", "😀", "👩‍👩‍👧 family", "🇩🇪🇫🇷", "[x]{y}", "very long cell that sets the width of the column", "<b>", `\n`, "-", "─", strings.Repeat("x", maxAligned)}))
		row := rapid.SliceOfN(rapid.Map(cell, func(s string) string { return safetext.Escape(s) }), 1, 6)
		header := row.Draw(rt, "header")
		g := newGrid(Layout{NoHeader: rapid.Bool().Draw(rt, "no header")}, header)
		for range rapid.IntRange(0, 5).Draw(rt, "rows") {
			cells := make([]string, len(header))
			copy(cells, row.Draw(rt, "cells"))
			g.rows = append(g.rows, cells)
		}
		g.measure()
		if g.Width = rapid.SampledFrom([]int{0, 30}).Draw(rt, "width"); g.Width > 0 {
			shrink(g.widths, slices.Repeat([]int{minCell}, len(g.widths)), g.Width-columnGap*(len(g.widths)-1))
		}
		g.right = rapid.SliceOfN(rapid.Bool(), len(header), len(header)).Draw(rt, "right")
		var rows [][]string
		if !g.NoHeader {
			rows = append(rows, g.cutCells(header))
		}
		for _, cells := range g.rows {
			rows = append(rows, g.cutCells(cells))
		}
		drawn := g.draw(rows)
		var want, got []byte
		for line := range bytes.Lines(drawn) {
			want = append(g.appendLine(want, line), '\n')
		}
		for _, cells := range rows {
			got = append(g.appendLine(got, g.appendRow(nil, cells)), '\n')
		}
		if string(got) != string(want) {
			rt.Errorf("got %q, want %q as tablewriter draws it", got, want)
		}
	})
}

// TestIsDrawable checks that tablewriter draws all rows but those without cells and those
// that would take too much memory.
func TestIsDrawable(t *testing.T) {
	rows := func(rows, cells int, cell string) [][]string {
		return slices.Repeat([][]string{slices.Repeat([]string{cell}, cells)}, rows)
	}
	for name, tc := range map[string]struct {
		rows [][]string
		want bool
	}{
		"no columns":                  {[][]string{{}}, false},
		"a sample of forty columns":   {rows(sampleSize, 40, "x"), true},
		"too many cells":              {rows(1, maxDrawnCells+1, ""), false},
		"the widest cell":             {rows(sampleSize, 1, strings.Repeat("é", maxAligned)), true},
		"a cell that is wider":        {rows(1, 1, strings.Repeat("x", maxAligned+1)), false},
		"too long cells":              {rows(sampleSize, 11, strings.Repeat("x", maxAligned)), false},
		"a long cell without a width": {rows(1, 1, "e"+strings.Repeat("\u0301", sampleBytes)), false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := isDrawable(tc.rows); got != tc.want {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

func TestPipeIsNeverCut(t *testing.T) {
	long := strings.Repeat("long ", 200) + "end"
	texts := []string{`{"a":"1","b":"` + long + `","c":"z"}`}
	for range 150 {
		texts = append(texts, `{"a":"1","b":"2","c":"z"}`)
	}
	texts = append(texts, `{"a":"`+long+`","b":"2","c":"z"}`)
	out := document(t, Table, Layout{Columns: abc}, texts...)
	if got := strings.Count(out, long); got != 2 {
		t.Errorf("got %d uncut cells, want 2", got)
	}
	if got := strings.Count(out, "\n"); got != len(texts)+1 {
		t.Errorf("got %d lines, want %d", got, len(texts)+1)
	}
	if got := strings.Count(out, long+"  "); got != 2 {
		t.Errorf("got %d uncut cells with a gap after them, want 2", got)
	}
	if strings.Contains(out, "…") || strings.Contains(out, " \n") {
		t.Error("there is an ellipsis, or a line ends in spaces")
	}
}

func TestWrapLosesNothing(t *testing.T) {
	for _, text := range []string{"", "a b c", strings.Repeat("word ", 30), strings.Repeat("x", 100), "日本語 日本語 日本語", "a  b   c    d     e"} {
		for room := 2; room < 30; room++ {
			parts := slices.Collect(wrap([]byte(text), room))
			for _, part := range parts {
				if textwidth.Of(part) > room {
					t.Errorf("part %q is wider than %d columns", part, room)
				}
			}
			if strings.ReplaceAll(strings.Join(parts, ""), " ", "") != strings.ReplaceAll(text, " ", "") {
				t.Errorf("got parts %q of %q", parts, text)
			}
		}
	}
	if got := strings.Join(slices.Collect(wrap(bytes.Repeat([]byte("\x7f"), 3*drainSize), 60)), ""); got != strings.Repeat(`\u007f`, 3*drainSize) {
		t.Errorf("got %d bytes of a value that is escaped in chunks, want %d", len(got), 6*3*drainSize)
	}
	if got := slices.Collect(wrap([]byte("日"), 1)); len(got) != 1 {
		t.Errorf("got %q, want one part", got)
	}
}

// TestWrapEscapesNoMoreThanItNeeds checks that the first part of a large value comes before
// the whole value is escaped.
func TestWrapEscapesNoMoreThanItNeeds(t *testing.T) {
	value := bytes.Repeat([]byte("\x7f"), 16<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for part := range wrap(value, 60) {
		if want := strings.Repeat(`\u007f`, 10); part != want {
			t.Errorf("got the part %q, want %q", part, want)
		}
		break
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 4<<20 {
		t.Errorf("got %d MB allocated, want at most 4", got>>20)
	}
}
