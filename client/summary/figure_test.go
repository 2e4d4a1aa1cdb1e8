package summary

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"reseller/client/record"
)

func TestNumber(t *testing.T) {
	for want, n := range map[string]float64{"0": 0, "1": 1, "999": 999, "1,000": 1000, "2,412": 2412, "1,234,567": 1234567, "7.4": 7.449, "1,000.5": 1000.46, "−3": -3, "100,000": 99999.97} {
		t.Run(want, func(t *testing.T) {
			if got := english.Number(n); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	if got := english.Number(math.Copysign(0.01, -1)); got != "0" {
		t.Errorf("got %s for a little less than 0, want 0", got)
	}
}

func TestFigures(t *testing.T) {
	for _, test := range []struct {
		m           measure
		more        Verdict
		now, before float64
		want        string
	}{
		{measureShare, Good, 2412, 2154, "2,412; 2,154; +12 %; 12 % more than in September; Up; Good"},
		{measureShare, Good, 2154, 2412, "2,154; 2,412; −11 %; 11 % fewer than in September; Down; Bad"},
		{measureShare, Good, 0.9, 0.8, "0.9; 0.8; +13 %; 13 % more than in September; Up; Good"}, // 27 and 24 in 30 days
		{measureShare, Good, 5, 5, "5; 5; unchanged; as many as in September; Unchanged; Neutral"},
		{measureShare, Good, 12, 0, "12; 0; new; none in September; New; Good"},
		{measureShare, Good, 0, 12, "0; 12; −100 %; 12 fewer than in September; Down; Bad"},
		{measureShare, Good, 0, 0, "0; 0; unchanged; none in September either; Unchanged; Neutral"},
		{measureShare, Good, 1, 1000, "1; 1,000; −99 %; 99 % fewer than in September; Down; Bad"},
		{measureShare, Good, 1001, 1000, "1,001; 1,000; ±0 %; about as many as in September; Unchanged; Neutral"},
		{measureShare, Good, 201, 200, "201; 200; +1 %; 1 % more than in September; Up; Good"},
		{measureShare, Good, 1200, 100, "1,200; 100; ×12; 12 times as many as in September; Up; Good"},
		{measureShare, Good, 7, math.NaN(), "7; ; ; ; NotCompared; Neutral"},
		{measureCount, Bad, 3, 1, "3; 1; +2; 2 more than in September; Up; Bad"},
		{measureCount, Bad, 1, 3, "1; 3; −2; 2 fewer than in September; Down; Good"},
		{measureCount, Bad, 0, 3, "0; 3; −3; 3 fewer than in September; Down; Good"},
		{measureCount, Neutral, 4, 3, "4; 3; +1; 1 more than in September; Up; Neutral"},
		{measureAverage, Good, 7.44, 8.6, "7.4; 8.6; 1.2 better; 1.2 better than in September; Up; Good"},
		{measureAverage, Good, 8.6, 7.44, "8.6; 7.4; 1.2 worse; 1.2 worse than in September; Down; Bad"},
		{measureAverage, Good, 7.44, 7.41, "7.4; 7.4; unchanged; the same as in September; Unchanged; Neutral"},
	} {
		t.Run(fmt.Sprintf("%d from %v to %v", test.m, test.before, test.now), func(t *testing.T) {
			f := newFigure(english, "visits", test.m, test.more, test.now, test.before, "in September")
			directions := [...]string{"NotCompared", "Up", "Down", "Unchanged", "New"}
			verdicts := [...]string{"Neutral", "Good", "Bad"}
			got := fmt.Sprintf("%s; %s; %s; %s; %s; %s", f.Text, english.Number(f.Previous), f.Short, f.Change, directions[f.Direction], verdicts[f.Verdict])
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestFiguresAreConsistent checks of any two numbers that the direction is that of the numbers, and
// that no text shows a number that is not finite.
func TestFiguresAreConsistent(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		number := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0, 5), rapid.Float64Range(0, maxNumber))
		m := rapid.SampledFrom([]measure{measureCount, measureShare, measureAverage}).Draw(r, "measure")
		now, before := number.Draw(r, "now"), number.Draw(r, "before")
		if m != measureAverage {
			now, before = math.Round(now), math.Round(before)
		}
		f := newFigure(english, "visits", m, Good, now, before, "in September")
		for _, text := range []string{f.Text, english.Number(f.Previous), f.Change, f.Short} {
			if text == "" || strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
				r.Fatalf("got %q in %+v", text, f)
			}
		}
		rose := now > before
		if m == measureAverage {
			rose = now < before
		}
		if (f.Direction == Up || f.Direction == New) && !rose || f.Direction == Down && (rose || now == before) || (f.Direction == Unchanged) != (f.Verdict == Neutral) {
			r.Fatalf("got direction %d, verdict %d of %v after %v", f.Direction, f.Verdict, now, before)
		}
	})
}

func TestChange(t *testing.T) {
	for _, test := range []struct{ now, before, difference, percent float64 }{
		{3, 2, 1, 50}, {0, 4, -4, -100}, {4, 0, 4, nan}, {0, 0, 0, nan}, {nan, 2, nan, nan}, {2, nan, nan, nan},
	} {
		t.Run(fmt.Sprintf("%v after %v", test.now, test.before), func(t *testing.T) {
			difference, percent := Change(test.now, test.before)
			if fmt.Sprint(difference, percent) != fmt.Sprint(test.difference, test.percent) {
				t.Errorf("got %v, %v, want %v, %v", difference, percent, test.difference, test.percent)
			}
		})
	}
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]float64{
		`12`: 12, `"1.5"`: 1.5, `" 7 "`: 7, `-1`: nan, `1e16`: nan, `"NaN"`: nan, `"0x10"`: nan, `null`: nan, ``: nan, `true`: nan, `[]`: nan,
	} {
		t.Run(text, func(t *testing.T) {
			if got := parseNumber(record.Value(text)); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

// TestTargets says in the tile and in a sentence how far a figure is, and that a target is reached only if it is.
func TestTargets(t *testing.T) {
	for target, want := range map[float64]string{
		12000: "20 % of 12,000; 2,418 visits, 78 a day; 20 % of the target of 12,000.",
		2418:  "100 % of 2,418; 2,418 visits, 78 a day; 100 % of the target of 2,418.",
		2419:  "99 % of 2,419; 2,418 visits, 78 a day; 99 % of the target of 2,419.",
		1000:  "241 % of 1,000; 2,418 visits, 78 a day; 241 % of the target of 1,000.",
		1e9:   "0 % of 1,000,000,000; 2,418 visits, 78 a day; 0 % of the target of 1,000,000,000.",
	} {
		b := NewBuilder(october(None))
		b.Targets = map[string]float64{"visits": target, "links_gained": 4, "tasks_completed": 9}
		add(t, b, ReportTraffic, visitsOf(Month(2026, time.October), 78)...)
		add(t, b, ReportProvisioned, `{"url":"a","completed_date":"2026-10-02"}`)
		p := b.Page(Subject{})
		if got := tile(t, p, TileVisits).Target + "; " + p.Sentences[0]; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if last := p.Sentences[len(p.Sentences)-1]; last != "Links gained: 25 % of the target of 4." || tile(t, p, TileTasksCompleted).Target != "" {
			t.Errorf("got %q, want the links that were gained, and nothing of tasks that are not known", last)
		}
	}
}
