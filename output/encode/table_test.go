package encode

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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
		header := make([]string, n)
		for i := range header {
			header[i] = fmt.Sprintf("COLUMN_%d", i)
		}
		g := newGrid(l, header)
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
		if want := rows + len(header)/n; !l.NoHeader && len(lines) != want {
			rt.Fatalf("got %d lines, want %d", len(lines), want)
		}
		for _, line := range lines {
			if textwidth.Of(line) > limit || strings.HasSuffix(line, " ") {
				rt.Fatalf("%q takes %d columns, the terminal has %d", line, textwidth.Of(line), limit)
			}
		}
	})
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
	if strings.Contains(out, "…") || strings.Contains(out, " \n") {
		t.Error("there is an ellipsis, or a line ends in spaces")
	}
}

func TestWrapLosesNothing(t *testing.T) {
	for _, text := range []string{"", "a b c", strings.Repeat("word ", 30), strings.Repeat("x", 100), "日本語 日本語 日本語", "a  b   c    d     e"} {
		for room := 2; room < 30; room++ {
			parts := slices.Collect(wrap(text, room))
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
	if got := slices.Collect(wrap("日", 1)); len(got) != 1 {
		t.Errorf("got %q, want one part", got)
	}
}
