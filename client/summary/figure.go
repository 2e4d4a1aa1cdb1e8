package summary

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"reseller/client/phrase"
	"reseller/client/record"
)

// maxNumber is more than any number of this service.
const maxNumber = 1e15

// minus is the minus sign of prose.
const minus = "−"

var nan = math.NaN()

// parseNumber returns a value that is a number from 0 up, or a text with one. Any other value gives NaN.
func parseNumber(v record.Value) float64 {
	if k := v.Kind(); k != record.Number && k != record.String {
		return nan
	}
	text := strings.TrimSpace(v.Text())
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "0123456789.eE+-") != "" || !(n >= 0 && n <= maxNumber) {
		return nan
	}
	return n
}

// isGiven reports whether the service sends a value for a field: an empty text is none.
func isGiven(v record.Value) bool {
	return v.Kind() != record.Missing && v.Kind() != record.Null && v.Text() != ""
}

// Number returns a number as people read it: with at most one decimal and thousands set apart.
func Number(n float64) string {
	text := strconv.FormatFloat(math.Round(math.Abs(n)*10)/10, 'f', -1, 64)
	whole, rest, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		whole += "." + rest
	}
	if n < 0 && text != "0" {
		return minus + whole
	}
	return whole
}

// optional returns a number as text, empty for NaN.
func optional(n float64) string {
	if math.IsNaN(n) {
		return ""
	}
	return Number(n)
}

// Change returns by how much a number differs from an earlier one, and by how many percent. The
// percentage is NaN if the number was 0, and both are if one of the numbers is NaN.
func Change(now, before float64) (difference, percent float64) {
	difference = now - before
	if before == 0 {
		return difference, nan
	}
	return difference, math.Round(1e9*difference/before) / 1e7 // a rate a day is not exact: half a percent must not be a little less
}

// A measure says how the change of a figure is told.
type measure uint8

const (
	measureCount   measure = iota // 3 more
	measureShare                  // 12 % more
	measureRate                   // 12 % more, of numbers a day
	measureAverage                // 1.2 better, since lower is better
)

// newFigure returns a figure. before is NaN if the figure is not compared; when is the time of
// before: in September, or a month ago. more is the verdict on an increase.
func newFigure(title string, m measure, more Verdict, now, before float64, when string) Figure {
	f := Figure{Title: title, Text: Number(now), Value: now, Previous: before}
	if math.IsNaN(before) {
		return f
	}
	difference, percent := Change(now, before)
	if m == measureAverage {
		difference = math.Round(difference*10) / 10
	}
	size := Number(math.Abs(difference))
	f.Direction, f.Verdict = Up, more
	word, sign := "more", "+"
	if difference < 0 {
		f.Direction, f.Verdict = Down, opposite(more)
		word, sign = "fewer", minus
	}
	switch {
	case difference == 0 && m != measureAverage && now == 0:
		f.Direction, f.Verdict, f.Short, f.Change = Unchanged, Neutral, "unchanged", "none "+when+" either"
	case difference == 0:
		f.Direction, f.Verdict, f.Short, f.Change = Unchanged, Neutral, "unchanged", "as many as "+when
		if m == measureAverage {
			f.Change = "the same as " + when
		}
	case m == measureAverage:
		if f.Direction, f.Verdict, word = Up, Good, "better"; difference > 0 {
			f.Direction, f.Verdict, word = Down, Bad, "worse"
		}
		f.Short, f.Change = size+" "+word, size+" "+word+" than "+when
	case before == 0:
		f.Direction, f.Short, f.Change = New, "new", "none "+when
	case now == 0 && m == measureRate:
		f.Short, f.Change = minus+"100 %", "after "+rate(before)+" "+when
	case now == 0 && m == measureShare:
		f.Short, f.Change = minus+"100 %", size+" fewer than "+when
	case m == measureCount:
		f.Short, f.Change = sign+size, size+" "+word+" than "+when
	case percent >= 1000:
		times := Number(math.Round(now / before))
		f.Short, f.Change = "×"+times, times+" times as many as "+when
	case math.Abs(percent) < 0.5:
		f.Direction, f.Verdict, f.Short, f.Change = Unchanged, Neutral, "±0 %", "about as many as "+when
	default:
		share := Number(math.Round(max(math.Abs(percent), 1)))
		if percent < 0 {
			share = Number(min(math.Round(-percent), 99))
		}
		f.Short, f.Change = sign+share+" %", share+" % "+word+" than "+when
	}
	return f
}

// rate returns a number a day in words.
func rate(n float64) string {
	switch {
	case n > 0 && n < 0.95:
		return "less than 1 a day"
	case n >= 10:
		n = math.Round(n)
	}
	return Number(n) + " a day"
}

func opposite(v Verdict) Verdict { return [...]Verdict{Neutral, Bad, Good}[v] }

// missingFigure returns a figure that the service does not give.
func missingFigure(title, reason string) Figure {
	return Figure{Title: title, Missing: reason, Value: nan, Previous: nan}
}

// plural returns a number with the noun in the form for it.
func plural(n int, one, many string) string {
	return Number(float64(n)) + " " + phrase.Noun(n, one, many)
}

// sentences says in words what the tiles show. A figure that is missing is left out.
func (b *Builder) sentences(tiles map[string]*Tile, ranks *rankTable) []string {
	var all []string
	if t := tiles[TileVisits]; t.Missing == "" {
		s := cmp.Or(map[string]string{"0": "No visits", "1": "1 visit"}[t.Text], t.Text+" visits")
		all = append(all, withChange(s, t.Figure))
	}
	all = append(all, ranks.sentence(tiles), workSentence(tiles[TileTasksCompleted], tiles[TileLinksGained]))
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

func withChange(s string, f Figure) string {
	return phrase.Sentences(phrase.List(s, f.Rate, f.Change), f.Beside) + "."
}

// sentence says how many keywords are among the first ten: in the organic list or, if no keyword
// has an organic rank or none was measured, on the map.
func (r *rankTable) sentence(tiles map[string]*Tile) string {
	t, where := tiles[TileOrganicFirst10], ""
	if t.Missing != "" || !r.anyRanked(listOrganic) && r.anyRanked(listMap) {
		t, where = tiles[TileMapFirst10], " on the map"
	}
	if t.Missing != "" {
		return ""
	}
	all := plural(len(r.keywords), "keyword", "keywords")
	n := int(t.Value)
	s := Number(t.Value) + " of " + all + phrase.Noun(n, " is", " are")
	switch {
	case n == 0 && len(r.keywords) == 1:
		s = "0 of 1 keyword is"
	case n == 0:
		s = "None of " + all + " is"
	}
	return withChange(s+" among the first ten"+where, t.Figure)
}

func (r *rankTable) anyRanked(list int) bool {
	for _, k := range r.keywords {
		if k.moves[list].now.isRanked() || k.moves[list].before.isRanked() {
			return true
		}
	}
	return false
}

// workSentence says how many tasks were completed and links built.
func workSentence(tasks, links *Tile) string {
	var parts []string
	said := "" // the verb of the part before
	for _, p := range [...]struct {
		*Tile
		one, many, done string
	}{{tasks, "task", "tasks", " completed"}, {links, "link", "links", " built"}} {
		if math.IsNaN(p.Value) {
			continue
		}
		n := int(p.Value)
		s := "no " + p.many
		if n > 0 {
			s = plural(n, p.one, p.many)
		}
		if verb := phrase.Noun(n, " was", " were"); verb != said {
			s, said = s+verb, verb
		}
		parts = append(parts, s+p.done)
	}
	return phrase.Sentence(strings.Join(parts, " and "))
}
