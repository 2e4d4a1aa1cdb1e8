package summary

import (
	"math"
	"slices"
	"strings"

	"reseller/client/phrase"
)

// plural returns a number with the noun in the form for it.
func plural(n int, one, many string) string {
	return Number(float64(n)) + " " + phrase.Noun(n, one, many)
}

// sentences says in words what the tiles show. A figure that is missing is left out.
func (b *Builder) sentences(tiles map[string]*Tile, ranks *rankTable) []string {
	var all []string
	if t := tiles[TileVisits]; t.Missing == "" {
		s := t.Text + " visits"
		switch t.Text {
		case "0":
			s = "No visits"
		case "1":
			s = "1 visit"
		}
		all = append(all, withChange(s, t.Figure))
	}
	all = append(all, ranks.sentence(tiles), workSentence(tiles[TileTasksCompleted], tiles[TileLinksGained]))
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

func withChange(s string, f Figure) string {
	return phrase.Sentences(phrase.List(s, f.Rate, f.Change), f.Beside) + "."
}

// sentence says how many keywords are among the first ten: in the organic list or, if no keyword
// has an organic rank, on the map.
func (r *rankTable) sentence(tiles map[string]*Tile) string {
	t, where := tiles[TileOrganicFirst10], ""
	if !r.anyRanked(listOrganic) && r.anyRanked(listMap) {
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
	s := strings.Join(parts, " and ")
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
