package phrase_test

import (
	"testing"

	"reseller/client/phrase"
)

// TestPhrases makes each phrase with no, one, two and several parts, and with parts that are missing.
func TestPhrases(t *testing.T) {
	rows := func(n int) string { return phrase.Count(n, "row", "rows") }
	share := func(n, all int) string { return phrase.Share(n, all, "row", "rows") }
	for want, got := range map[string]string{
		"0 rows": rows(0), "1 row": rows(1), "2 rows": rows(2),
		"0 of 1 row is": share(0, 1), "1 of 1 row is": share(1, 1), "0 of 0 rows are": share(0, 0),
		"0 of 5 rows are": share(0, 5), "1 of 5 rows is": share(1, 5), "2 of 5 rows are": share(2, 5),
		"a": phrase.Or([]string{"a"}), "a or b": phrase.Or([]string{"a", "b"}), "a, b or c": phrase.Or([]string{"a", "b", "c"}),
		"a and b": phrase.And([]string{"a", "b"}), "a, b and c": phrase.And([]string{"a", "b", "c"}),
		"x":                       phrase.List("", "x", "", "x"),
		"x, y":                    phrase.List("x", "", "y", "x"),
		"x; y":                    phrase.Sentences("x", "", "y"),
		"5 (a)":                   phrase.With("5", "", "a", "a"),
		"5":                       phrase.With("5", "", ""),
		"p, q":                    phrase.First([]string{"p", "q"}, 2),
		"p, q and 1 more":         phrase.First([]string{"p", "q", "r"}, 2),
		"get account 7 (404): no": phrase.Refusal("get account 7", 404, "no", "", "no"),
		"get account 7 (404)":     phrase.Refusal("get account 7", 404, ""),
		"get account 7: no":       phrase.Refusal("get account 7", 0, "no"),
		"(400): no":               phrase.Refusal("", 400, "no"),
		"no":                      phrase.Refusal("", 0, "no"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for what, got := range map[string]string{
		"no words by commas": phrase.List(), "no words": phrase.Or(nil), "a refusal of which nothing is known": phrase.Refusal("", 0),
	} {
		if got != "" {
			t.Errorf("%s: got %q, want nothing", what, got)
		}
	}
}
