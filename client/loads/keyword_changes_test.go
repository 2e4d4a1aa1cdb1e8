package loads

import (
	"testing"

	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/record"
)

// TestKeywordChanges compares rows with the keywords that the service holds for them.
func TestKeywordChanges(t *testing.T) {
	held := []portfolio.Keyword{
		{RankID: 3, Text: "Red  shoes", Type: "interest", Status: "deactivate"},
		{RankID: 2, Text: "RED shoes", Type: "target", Status: "activate"},
	}
	for name, c := range map[string]struct {
		row  map[string]string
		held []portfolio.Keyword
		want string // the state, rank_id and keyword_type
	}{
		"is as the row says":             {map[string]string{"keyword": "red shoes", "status": "activate", "keyword_type": "target"}, held, "present  target"},
		"keeps its type":                 {map[string]string{"keyword": "red shoes", "status": "deactivate"}, held, "absent 2 target"},
		"gets a type":                    {map[string]string{"keyword": "red shoes", "status": "activate", "keyword_type": "interest"}, held, "absent 2 interest"},
		"is named by its id":             {map[string]string{"keyword": "red shoes", "status": "activate", "rank_id": "3"}, held[:1], "absent 3 interest"},
		"was added and is not shown yet": {map[string]string{"keyword": "red shoes", "status": "activate"}, nil, "present  "},
		"can't be deactivated yet":       {map[string]string{"keyword": "red shoes", "status": "deactivate"}, nil, "unknown  "},
		"shows no type":                  {map[string]string{"keyword": "red shoes", "status": "activate", "keyword_type": "target"}, []portfolio.Keyword{{RankID: 4, Text: "red shoes", Status: "activate"}}, "present  target"},
		"shows no type, which is given":  {map[string]string{"keyword": "red shoes", "status": "activate", "keyword_type": "target", "rank_id": "4"}, []portfolio.Keyword{{RankID: 4, Text: "red shoes", Status: "activate"}}, "absent 4 target"},
		"shows no status":                {map[string]string{"keyword": "red shoes", "status": "activate", "keyword_type": "target"}, []portfolio.Keyword{{RankID: 4, Text: "red shoes", Type: "target"}}, "present  target"},
		"has no type":                    {map[string]string{"keyword": "red shoes", "status": "activate"}, []portfolio.Keyword{{RankID: 4, Text: "red shoes", Status: "deactivate"}}, "refused  "},
	} {
		t.Run(name, func(t *testing.T) {
			row := &rows.Row{Ordinal: 7}
			for field, text := range c.row {
				row.Values.Set(field, record.Quote(text))
			}
			h := heldKeywords{7: c.held}
			out, err := h.compare(t.Context(), row)
			got := out.State + " " + row.Values.Get("rank_id").Text() + " " + row.Values.Get("keyword_type").Text()
			if err != nil || got != c.want {
				t.Errorf("got %s (%v), want %s", got, err, c.want)
			}
		})
	}
}
