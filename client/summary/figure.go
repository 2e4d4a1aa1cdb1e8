package summary

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/words"
)

// maxNumber is more than any number of this service.
const maxNumber = 1e15

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

// Change returns by how much a number differs from an earlier one, and by how many percent, which is NaN from 0.
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
func newFigure(in *words.Words, key string, m measure, more Verdict, now, before float64, when string) Figure {
	f := Figure{Key: key, Title: in.Say("figure." + key), Text: in.Number(now), Value: now, Previous: before}
	if math.IsNaN(before) {
		return f
	}
	difference, percent := Change(now, before)
	f.Percent = percent
	if m == measureAverage {
		difference = math.Round(difference*10) / 10
	}
	size := in.Number(math.Abs(difference))
	f.Direction, f.Verdict = Up, more
	change, sign := "more", "+"
	if difference < 0 {
		f.Direction, f.Verdict = Down, [...]Verdict{Neutral: Neutral, Good: Bad, Bad: Good}[more]
		change, sign = "fewer", words.Minus
	}
	tell := func(key string, n any) { f.Change = in.Say("change."+key, "n", n, "when", when) }
	share := func(text string) { f.Short = in.Say("short.percent", "n", text) }
	switch {
	case difference == 0:
		f.Direction, f.Verdict, f.Short = Unchanged, Neutral, in.Say("short.unchanged")
		same := "same"
		if m == measureAverage {
			same = "same_average"
		} else if now == 0 {
			same = "none_either"
		}
		tell(same, now)
	case m == measureAverage:
		if f.Direction, f.Verdict, change = Up, Good, "better"; difference > 0 {
			f.Direction, f.Verdict, change = Down, Bad, "worse"
		}
		f.Short = in.Say("short."+change, "n", size)
		tell(change, size)
	case before == 0:
		f.Direction, f.Short = New, in.Say("short.new")
		tell("new", "")
	case now == 0 && m == measureRate:
		share(words.Minus + "100")
		f.Change = in.Say("change.after", "rate", rate(in, before), "when", when)
	case now == 0 && m == measureShare:
		share(words.Minus + "100")
		tell("fewer", size)
	case m == measureCount:
		f.Short = sign + size
		tell(change, size)
	case percent >= 1000:
		times := in.Number(math.Round(now / before))
		f.Short = "×" + times
		tell("times", times)
	case math.Abs(percent) < 0.5:
		f.Direction, f.Verdict = Unchanged, Neutral
		share("±0")
		tell("about", "")
	default:
		part := in.Number(math.Round(max(math.Abs(percent), 1)))
		if percent < 0 {
			part = in.Number(min(math.Round(-percent), 99))
		}
		share(sign + part)
		tell("percent_"+change, part)
	}
	return f
}

func rate(in *words.Words, n float64) string {
	switch {
	case n > 0 && n < 0.95:
		return in.Say("rate.less")
	case n >= 10:
		n = math.Round(n)
	}
	return in.Say("rate", "n", n)
}

func missingFigure(in *words.Words, key, reason string) Figure {
	return Figure{Key: key, Title: in.Say("figure." + key), Missing: reason, Value: nan, Previous: nan}
}

func (b *Builder) sentences(tiles map[string]*Figure, ranks *rankTable) []string {
	var all []string
	if t := tiles[TileVisits]; t.Missing == "" {
		all = append(all, b.withChange(b.Words.Say("sentence.visits", "n", t.Value), t))
	}
	all = append(all, b.rankSentence(ranks, tiles), b.workSentence(tiles[TileTasksCompleted], tiles[TileLinksGained]))
	for _, t := range targets {
		if tile := tiles[t.tile]; tile.aim != "" {
			all = append(all, b.Words.Say("remark", "title", tile.Title, "text", tile.aim))
		}
	}
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

func (b *Builder) withChange(s string, t *Figure) string {
	aim := t.aim
	t.aim = ""
	return b.Words.Say("sentence", "text", b.Words.Clauses(b.Words.List(s, t.Rate, t.Change), aim, t.Beside))
}

type target struct{ name, tile string }

var targets = []target{
	{"visits", TileVisits}, {"organic_visits", TileOrganicVisits}, {"keywords_in_3", TileOrganicFirst3}, {"keywords_in_10", TileOrganicFirst10},
	{"map_keywords_in_3", TileMapFirst3}, {"map_keywords_in_10", TileMapFirst10}, {"domain_rating", TileDomainRating},
	{"links_gained", TileLinksGained}, {"tasks_completed", TileTasksCompleted},
}

// TargetNames are the names of the figures that may have a target.
var TargetNames = phrase.Each(targets, func(t target) string { return t.name })

// aim says of the tiles that have a target how far they are.
func (b *Builder) aim(tiles map[string]*Figure) {
	for _, t := range targets {
		if goal, tile := b.Targets[t.name], tiles[t.tile]; goal > 0 && tile.Missing == "" {
			tile.Target, tile.aim = b.toTarget("target", tile.Value, goal), b.toTarget("target.sentence", tile.Value, goal)
		}
	}
}

// toTarget returns which share of a target a figure is. It is 100 % only if the target is reached.
func (b *Builder) toTarget(key string, n, target float64) string {
	return b.Words.Say(key, "n", b.Words.Number(math.Floor(math.Round(1e9*n/target)/1e7)), "target", b.Words.Number(target))
}

// rankSentence says how many keywords are among the first ten: in the organic list or, if no keyword
// has an organic rank or none was measured, on the map.
func (b *Builder) rankSentence(r *rankTable, tiles map[string]*Figure) string {
	t, key := tiles[TileOrganicFirst10], "sentence.first_10"
	if r.mainList() == listMap {
		t, key = tiles[TileMapFirst10], "sentence.first_10_on_map"
	}
	if t.Missing != "" {
		return ""
	}
	return b.withChange(b.Words.Say(key, "n", t.Value, "all", len(r.keywords)), t)
}

func (r *rankTable) anyRanked(list int) bool {
	return slices.ContainsFunc(r.keywords, func(k rankedKeyword) bool { return k.moves[list].now.isRanked() || k.moves[list].before.isRanked() })
}

func (b *Builder) workSentence(tasks, links *Figure) string {
	text := ""
	switch {
	case tasks.Missing != "" && links.Missing != "":
		return ""
	case links.Missing != "":
		text = b.Words.Say("sentence.tasks", "tasks", tasks.Value)
	case tasks.Missing != "":
		text = b.Words.Say("sentence.links", "links", links.Value)
	default:
		text = b.Words.Say("sentence.work", "tasks", tasks.Value, "links", links.Value)
	}
	return b.Words.Say("sentence", "text", text)
}
