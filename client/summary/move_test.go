package summary

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"reseller/client/record"
	"reseller/client/words"
)

func TestMovers(t *testing.T) {
	rows := func(texts ...string) (all []record.Record) {
		for _, text := range texts {
			row, err := record.Parse([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, row)
		}
		return all
	}
	whole := rows(keywordOf("a", map[string]int{"2026-09-28": 20, "2026-10-28": 8}), keywordOf("later", map[string]int{"2026-11-01": 1}), keywordOf("b", map[string]int{"2026-09-28": 4, "2026-10-28": 999}))
	short := rows(keywordOf("a short one", map[string]int{"2026-10-03": 20, "2026-10-28": 8}))
	deep := rows(keywordOf("a", map[string]int{"2026-09-28": 250, "2026-10-28": 101}), keywordOf("b", map[string]int{"2026-09-28": 999, "2026-10-28": 3}), keywordOf("c", map[string]int{"2026-09-28": 999, "2026-10-28": 240}))
	for _, test := range []struct {
		name    string
		rows    []record.Record
		nearest bool
		want    []string
	}{
		{"both periods", whole, false, []string{"a: 8 on 2026-10-28 after 20 on 2026-09-28, rose 12", "later: NaN on 1970-01-01 after NaN on 1970-01-01, rose 0", "b: 999 on 2026-10-28 after 4 on 2026-09-28, rose -97"}},
		{"short history", short, false, []string{"a short one: 8 on 2026-10-28 after NaN on 1970-01-01, rose 0"}},
		{"short history, compared with its first ranks", short, true, []string{"a short one: 8 on 2026-10-28 after 20 on 2026-10-03, rose 12"}},
		{"one history is short", slices.Concat(whole[:1], short), true, []string{"a: 8 on 2026-10-28 after 20 on 2026-09-28, rose 12", "a short one: 8 on 2026-10-28 after 20 on 2026-10-03, rose 12"}},
		{"ranks beyond 100, behind which is what does not rank", deep, false, []string{"a: 101 on 2026-10-28 after 250 on 2026-09-28, rose 149", "b: 3 on 2026-10-28 after 999 on 2026-09-28, rose 248", "c: 240 on 2026-10-28 after 999 on 2026-09-28, rose 11"}},
		{"none", nil, true, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			b := NewBuilder(october(Previous))
			b.Words = new(words.Words) // which has no text, since none is needed
			for _, row := range test.rows {
				b.Add(ReportKeywords, row)
			}
			for _, m := range b.Movers(test.nearest) {
				got = append(got, fmt.Sprintf("%s: %v on %s after %v on %s, rose %d", test.rows[m.Row].Get("keyword").Text(), m.Organic.Rank, m.Organic.Day.ISO(), m.Organic.Before, m.Organic.DayBefore.ISO(), m.Organic.Rise))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestHistory(t *testing.T) {
	row, err := record.Parse([]byte(`{"histogram":[{"date":"2026-10-31 00:00:00","rank_google_organic":999,"rank_google_map":"3"},{"date":"2026-10-01","rank_google_organic":4},{"date":"2026-11-01"},{"date":"soon"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	b := NewBuilder(Scope{})
	b.Add(ReportKeywords, row)
	got := fmt.Sprint(b.Tally(ReportKeywords)[Invalid])
	for _, m := range b.Measured(Month(2026, time.October)) {
		got += fmt.Sprintf("; %s %v %v", m.ISO(), m.Organic, m.Map)
	}
	if want := "1; 2026-10-01 4 NaN; 2026-10-31 999 3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestParseRank(t *testing.T) {
	for text, want := range map[string]string{
		`1`: "1", `"12"`: "12", `999`: "not ranked", `1000`: "not ranked", `0`: "–", `-1`: "– invalid", `null`: "–", ``: "–", `""`: "–", `"none"`: "– invalid", `4.6`: "– invalid", `"999"`: "not ranked", `998`: "998",
	} {
		t.Run(text, func(t *testing.T) {
			rank, valid := parseRank(record.Value(text))
			got := rank.words(english)
			if !valid {
				got += " invalid"
			}
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}
