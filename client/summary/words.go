package summary

import (
	"math"
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
		switch t.Value {
		case 0:
			s = "No visits"
		case 1:
			s = "1 visit"
		}
		all = append(all, withChange(s, t.Figure))
	}
	if s := ranks.sentence(tiles); s != "" {
		all = append(all, s)
	}
	if s := workSentence(tiles[TileTasksCompleted], tiles[TileLinksGained]); s != "" {
		all = append(all, s)
	}
	return all
}

func withChange(s string, f Figure) string {
	switch {
	case f.Change != "":
		s += ", " + f.Words()
	case f.Beside != "":
		s += "; " + f.Beside
	}
	return s + "."
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
	inWords := func(t *Tile, one, many string) (text string, n int) {
		n = int(t.Value)
		if n == 0 {
			return "no " + many, n
		}
		return plural(n, one, many), n
	}
	var s string
	hasTasks, hasLinks := !math.IsNaN(tasks.Value), !math.IsNaN(links.Value)
	if hasTasks {
		text, n := inWords(tasks, "task", "tasks")
		s = text + phrase.Noun(n, " was", " were") + " completed"
	}
	if hasLinks {
		text, n := inWords(links, "link", "links")
		verb := " built"
		if !hasTasks || tasks.Value == 1 != (n == 1) {
			verb = phrase.Noun(n, " was", " were") + " built"
		}
		if hasTasks {
			s += " and "
		}
		s += text + verb
	}
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
