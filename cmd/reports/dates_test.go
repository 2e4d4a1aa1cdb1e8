package reports

import (
	"errors"
	"strings"
	"testing"
	"time"

	"reseller/client"
	"reseller/cmd/cli"
)

var today = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func TestReadDate(t *testing.T) {
	for text, want := range map[string]span{
		"2026-02-28": {"2026-02-28", "2026-02-28"},
		"2024-02-29": {"2024-02-29", "2024-02-29"},
		"today":      {"2026-03-01", "2026-03-01"},
		"yesterday":  {"2026-02-28", "2026-02-28"},
		"-0d":        {"2026-03-01", "2026-03-01"},
		"-1d":        {"2026-02-28", "2026-02-28"},
		"-30d":       {"2026-01-30", "2026-01-30"},
		"-365d":      {"2025-03-01", "2025-03-01"},
		"2026-10":    {"2026-10-01", "2026-10-31"},
		"2024-02":    {"2024-02-01", "2024-02-29"},
		"2025-12":    {"2025-12-01", "2025-12-31"},
	} {
		if got, ok := readDate(text, today); !ok || got != want {
			t.Errorf("%q: %v, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{
		"", " ", "2026-02-29", "2026-13", "2026-00", "2026-1-1", "2026-01-1", "26-01-01", "2026", "2026-01-01T00:00:00",
		"2026-01-01 ", " today", "Today", "30d", "+30d", "--30d", "-d", "-1", "-1w", "-99999999999999999999d", "-70000d", "tomorrow",
	} {
		if got, ok := readDate(text, today); ok {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}

func FuzzReadDate(f *testing.F) {
	for _, text := range []string{"2026-02-28", "today", "yesterday", "-30d", "2026-10", "-65535d", "9999-12", "0000-01", "--1d", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, ok := readDate(text, today)
		if !ok {
			return
		}
		for _, day := range []string{s.first, s.last} {
			if got, err := time.Parse(time.DateOnly, day); err != nil || got.Format(time.DateOnly) != day {
				t.Fatalf("%q gives the day %q: %v", text, day, err)
			}
			if again, ok := readDate(day, today); !ok || again != (span{day, day}) {
				t.Fatalf("%q gives %q, which reads as %v", text, day, again)
			}
		}
		if s.first > s.last {
			t.Fatalf("%q ends before it begins: %v", text, s)
		}
	})
}

func TestPeriod(t *testing.T) {
	const none = "-"
	for name, c := range map[string]struct {
		from, to      string
		needed, loose bool
		want          client.Dates
		defaulted     bool
		wantErr       string
	}{
		"none, needed":        {from: none, to: none, needed: true, want: client.Dates{From: "2026-01-30", To: "2026-03-01"}, defaulted: true},
		"none, not needed":    {from: none, to: none},
		"from alone":          {from: "2026-02-01", to: none, want: client.Dates{From: "2026-02-01", To: "2026-03-01"}},
		"a month until today": {from: "2026-02", to: none, want: client.Dates{From: "2026-02-01", To: "2026-03-01"}},
		"a month to a month":  {from: "2026-01", to: "2026-02", want: client.Dates{From: "2026-01-01", To: "2026-02-28"}},
		"one month":           {from: "2026-02", to: "2026-02", want: client.Dates{From: "2026-02-01", To: "2026-02-28"}},
		"one day":             {from: "today", to: "today", want: client.Dates{From: "2026-03-01", To: "2026-03-01"}},
		"into the future":     {from: "today", to: "2026-03", want: client.Dates{From: "2026-03-01", To: "2026-03-31"}},
		"to alone":            {from: none, to: "today", wantErr: "--to without --from"},
		"to alone, needed":    {from: none, to: "today", needed: true, wantErr: "--to without --from"},
		"to alone, loose":     {from: none, to: "today", needed: true, loose: true, wantErr: "--to without --from"},
		"upside down":         {from: "2026-02-02", to: "2026-02-01", wantErr: "--from 2026-02-02 is after --to 2026-02-01"},
		"upside down, loose":  {from: "2026-02-02", to: "2026-02-01", loose: true, want: client.Dates{From: "2026-02-02", To: "2026-02-01"}},
		"from the future":     {from: "2026-04-01", to: none, wantErr: "after today, 2026-03-01"},
		"no date":             {from: "soon", to: none, wantErr: `--from: "soon" is not a date`},
		"no date, to":         {from: "today", to: "2026-02-30", wantErr: `--to: "2026-02-30" is not a date`},
		"no date, loose":      {from: "2026-02-30", to: "today", loose: true, want: client.Dates{From: "2026-02-30", To: "2026-03-01"}},
		"empty":               {from: "", to: none, wantErr: `--from: ""`},
		"empty, loose":        {from: "", to: none, loose: true, wantErr: `--from: ""`},
		"another path, loose": {from: "..", to: none, loose: true, wantErr: `--from: ".."`},
	} {
		t.Run(name, func(t *testing.T) {
			p := period{today: today, needed: c.needed, check: !c.loose}
			if c.from != none {
				p.from, p.fromGiven = c.from, true
			}
			if c.to != none {
				p.to, p.toGiven = c.to, true
			}
			got, defaulted, err := p.dates()
			if c.wantErr != "" {
				var usage *cli.UsageError
				if !errors.As(err, &usage) || !strings.Contains(err.Error(), c.wantErr) {
					t.Fatalf("%v, want a usage error with %q", err, c.wantErr)
				}
				return
			}
			if err != nil || got != c.want || defaulted != c.defaulted {
				t.Fatalf("%v, %v, %v; want %v, %v", got, defaulted, err, c.want, c.defaulted)
			}
		})
	}
}

func TestDayOfIsWhereTheClockStands(t *testing.T) {
	late := time.Date(2026, 2, 28, 23, 30, 0, 0, time.FixedZone("west", -8*3600))
	if got := dayOf(late).Format(time.DateOnly); got != "2026-02-28" {
		t.Fatal(got)
	}
}
