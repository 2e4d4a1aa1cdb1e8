package reports

import (
	"cmp"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/cmd/cli"
)

var today = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func TestParseDate(t *testing.T) {
	for text, want := range map[string]client.Dates{
		"2026-02-28": {From: "2026-02-28", To: "2026-02-28"},
		"2024-02-29": {From: "2024-02-29", To: "2024-02-29"},
		"today":      {From: "2026-03-01", To: "2026-03-01"},
		"yesterday":  {From: "2026-02-28", To: "2026-02-28"},
		"-0d":        {From: "2026-03-01", To: "2026-03-01"},
		"-1d":        {From: "2026-03-01", To: "2026-03-01"},
		"-7d":        {From: "2026-02-23", To: "2026-02-23"},
		"-30d":       {From: "2026-01-31", To: "2026-01-31"},
		"-365d":      {From: "2025-03-02", To: "2025-03-02"},
		"2026-10":    {From: "2026-10-01", To: "2026-10-31"},
		"2024-02":    {From: "2024-02-01", To: "2024-02-29"},
		"2025-12":    {From: "2025-12-01", To: "2025-12-31"},
	} {
		t.Run(text, func(t *testing.T) {
			if got, ok := parseDate(text, today); !ok || got != want {
				t.Errorf("got %v, %v, want %v", got, ok, want)
			}
		})
	}
	for _, text := range []string{
		"", " ", "2026-02-29", "2026-13", "2026-00", "2026-1-1", "2026-01-1", "26-01-01", "2026", "2026-01-01T00:00:00",
		"2026-01-01 ", "0206-01-01", "0206-01", " today", "Today", "30d", "+30d", "--30d", "-d", "-1", "-1w", "-99999999999999999999d", "-70000d", "tomorrow",
	} {
		t.Run("invalid "+text, func(t *testing.T) {
			if got, ok := parseDate(text, today); ok {
				t.Errorf("got %v, want an invalid date", got)
			}
		})
	}
}

func FuzzParseDate(f *testing.F) {
	for _, text := range []string{"2026-02-28", "today", "yesterday", "-30d", "2026-10", "-65535d", "9999-12", "0000-01", "--1d", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, ok := parseDate(text, today)
		if !ok {
			return
		}
		for _, day := range []string{s.From, s.To} {
			if got, err := time.Parse(time.DateOnly, day); err != nil || got.Format(time.DateOnly) != day {
				t.Fatalf("%q gives the day %q: %v", text, day, err)
			}
			if again, ok := parseDate(day, today); !ok || again != (client.Dates{From: day, To: day}) {
				t.Fatalf("%q gives %q, which reads as %v", text, day, again)
			}
		}
		if s.From > s.To {
			t.Fatalf("%q ends before it begins: %v", text, s)
		}
	})
}

func TestDateFlags(t *testing.T) {
	const unset = "-"
	for name, c := range map[string]struct {
		month    string // empty for none
		from, to string
		free     bool // leaves validation to the service
		want     client.Dates
		wantErr  string
	}{
		"none":                   {from: unset, to: unset},
		"from alone":             {from: "2026-02-01", to: unset, want: client.Dates{From: "2026-02-01", To: "2026-03-01"}},
		"a month until today":    {from: "2026-02", to: unset, want: client.Dates{From: "2026-02-01", To: "2026-03-01"}},
		"a month to a month":     {from: "2026-01", to: "2026-02", want: client.Dates{From: "2026-01-01", To: "2026-02-28"}},
		"one month":              {from: "2026-02", to: "2026-02", want: client.Dates{From: "2026-02-01", To: "2026-02-28"}},
		"one day":                {from: "today", to: "today", want: client.Dates{From: "2026-03-01", To: "2026-03-01"}},
		"into the future":        {from: "today", to: "2026-03", want: client.Dates{From: "2026-03-01", To: "2026-03-31"}},
		"to alone":               {from: unset, to: "today", wantErr: "--to requires --from"},
		"to alone, free":         {from: unset, to: "today", free: true, wantErr: "--to requires --from"},
		"upside down":            {from: "2026-02-02", to: "2026-02-01", wantErr: "--from 2026-02-02 is after --to 2026-02-01"},
		"upside down, free":      {from: "2026-02-02", to: "2026-02-01", free: true, want: client.Dates{From: "2026-02-02", To: "2026-02-01"}},
		"from the future":        {from: "2026-04-01", to: unset, wantErr: "after today, 2026-03-01"},
		"invalid from":           {from: "soon", to: unset, wantErr: `--from: invalid date "soon"`},
		"invalid to":             {from: "today", to: "2026-02-30", wantErr: `--to: invalid date "2026-02-30"`},
		"invalid from, free":     {from: "2026-02-30", to: "today", free: true, want: client.Dates{From: "2026-02-30", To: "2026-03-01"}},
		"empty":                  {from: "", to: unset, wantErr: `--from: invalid date ""`},
		"empty, free":            {from: "", to: unset, free: true, wantErr: `--from: invalid date ""`},
		"month":                  {month: "2026-02", from: unset, to: unset, want: client.Dates{From: "2026-02-01", To: "2026-02-28"}},
		"month of a leap year":   {month: "2024-02", from: unset, to: unset, want: client.Dates{From: "2024-02-01", To: "2024-02-29"}},
		"month that is not over": {month: "2026-03", from: unset, to: unset, want: client.Dates{From: "2026-03-01", To: "2026-03-31"}},
		"month of the future":    {month: "2026-04", from: unset, to: unset, wantErr: "--month 2026-04 is after today, 2026-03-01"},
		"month and from":         {month: "2026-02", from: "2026-02-01", to: unset, wantErr: "--month can't be used with --from or --to"},
		"month and to":           {month: "2026-02", from: unset, to: "today", wantErr: "--month can't be used with --from or --to"},
		"day for a month":        {month: "2026-02-01", from: unset, to: unset, wantErr: `--month: invalid month "2026-02-01"`},
		"thirteenth month, free": {month: "2026-13", from: unset, to: unset, free: true, wantErr: `--month: invalid month "2026-13"`},
		"path traversal, free":   {from: "..", to: unset, free: true, wantErr: `--from: invalid date ".."`},
	} {
		t.Run(name, func(t *testing.T) {
			var d dateFlags
			cmd := &cobra.Command{}
			d.addTo(cmd, cli.NewFrame(cli.Streams{}, "").Session, true)
			for flag, text := range map[string]string{"month": cmp.Or(c.month, unset), "from": c.from, "to": c.to} {
				if text != unset {
					if err := cmd.Flags().Set(flag, text); err != nil {
						t.Fatal(err)
					}
				}
			}
			got, err := d.parse(cmd, today, !c.free)
			if c.wantErr != "" {
				var usage *cli.UsageError
				if !errors.As(err, &usage) || !strings.Contains(err.Error(), c.wantErr) {
					t.Fatalf("got %v, want a usage error with %q", err, c.wantErr)
				}
				return
			}
			if err != nil || got != c.want {
				t.Fatalf("got %v, %v, want %v", got, err, c.want)
			}
		})
	}
}
