package reports

import (
	"context"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"reseller/client"
	"reseller/client/summary"
	"reseller/cmd/cli"
)

// parseReport runs the command of a report as far as its options.
func parseReport(t *testing.T, r *report, raw bool, args ...string) (*options, error) {
	t.Helper()
	f := cli.NewFrame(cli.Streams{}, "")
	f.Flags.Raw = raw
	var got *options
	c := newReportCmd(f, func() time.Time { return today.Add(13 * time.Hour) }, r, func(_ context.Context, _ *cli.Frame, o *options) error { got = o; return nil })
	c.SetGlobalNormalizationFunc(cli.Normalize)
	c.SetArgs(args)
	c.SetOut(io.Discard)
	c.SetErr(io.Discard)
	c.SilenceErrors, c.SilenceUsage = true, true
	err := c.Execute()
	return got, err
}

// reportNamed returns the report with the command path after `reports`.
func reportNamed(t *testing.T, path string) *report {
	t.Helper()
	for i := range reports {
		if reports[i].path() == path {
			return &reports[i]
		}
	}
	t.Fatalf("there is no report %q", path)
	return nil
}

// TestDatesWithoutComparison checks that a report takes dates even if its periods can't be compared.
func TestDatesWithoutComparison(t *testing.T) {
	r := *reportNamed(t, "traffic")
	r.summary = summary.ReportBacklinks
	if o, err := parseReport(t, &r, false, "--campaign", "101", "--from", "2026-10", "--to", "2026-10"); err != nil || o.dates.To != "2026-10-31" {
		t.Errorf("got %+v, %v, want the dates of October", o, err)
	}
}

func TestSelectionFlags(t *testing.T) {
	for _, c := range []struct {
		args        string
		raw         bool
		accountIDs  []int64
		campaignIDs []int64
		all         bool
		single      bool
		wantErr     string
	}{
		{args: "--account 1 --campaign 101", accountIDs: []int64{1}, campaignIDs: []int64{101}, single: true},
		{args: "--account-id 1 --campaign-id 101", accountIDs: []int64{1}, campaignIDs: []int64{101}, single: true},
		{args: "--account 1 --account 1 --campaign 101", accountIDs: []int64{1}, campaignIDs: []int64{101}, single: true},
		{args: "--account 2 --account id:10", accountIDs: []int64{2, 10}},
		{args: "--campaign 101", campaignIDs: []int64{101}},
		{args: "--campaign 101", raw: true, campaignIDs: []int64{101}},
		{args: "--all", all: true},
		{args: "", wantErr: "missing: --account or --campaign, --all, or --file"},
		{args: "--all --account 1", wantErr: "--all selects every campaign"},
		{args: "--all", raw: true, wantErr: "--raw prints one response"},
		{args: "--account 1", raw: true, wantErr: "--raw prints one response"},
		{args: "--campaign 1 --campaign 2", raw: true, wantErr: "--raw prints one response"},
		{args: "--account 1.0", wantErr: `--account: "1.0" is not a whole number`},
		{args: "--campaign 1,2", wantErr: `--campaign: "1,2" is not a whole number`},
		{args: "--account 1 more", wantErr: "takes no arguments"},
		{args: "--account 1 --from today", wantErr: "--from"},
	} {
		name := c.args
		if c.raw {
			name += " --raw"
		}
		t.Run(name, func(t *testing.T) {
			got, err := parseReport(t, reportNamed(t, "keywords"), c.raw, strings.Fields(c.args)...)
			if c.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), c.wantErr) {
					t.Errorf("got the error %v, want %q", err, c.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.accountIDs, c.accountIDs) || !reflect.DeepEqual(got.campaignIDs, c.campaignIDs) || got.all != c.all || got.single() != c.single {
				t.Errorf("got accounts %v, campaigns %v, all %v, single %v, want %v, %v, %v, %v",
					got.accountIDs, got.campaignIDs, got.all, got.single(), c.accountIDs, c.campaignIDs, c.all, c.single)
			}
		})
	}
}

func TestDatesOfReports(t *testing.T) {
	for _, c := range []struct {
		report, args  string
		want          client.Dates
		wantDefaulted bool
	}{
		{"traffic", "--all --from -30d --to 2026-03", client.Dates{From: "2026-01-31", To: "2026-03-31"}, false},
		{"traffic", "--all", client.Dates{From: "2026-01-31", To: "2026-03-01"}, true},
		{"backlinks lost", "--all", client.Dates{}, true}, // the request has no dates
	} {
		t.Run(c.report+" "+c.args, func(t *testing.T) {
			got, err := parseReport(t, reportNamed(t, c.report), false, strings.Fields(c.args)...)
			if err != nil || got.dates != c.want || got.defaulted != c.wantDefaulted {
				t.Fatalf("got %+v, %v, want %v, %v", got, err, c.want, c.wantDefaulted)
			}
		})
	}
	var usage *cli.UsageError
	if _, err := parseReport(t, reportNamed(t, "backlinks lost"), false, "--all", "--to", "today"); !errors.As(err, &usage) {
		t.Fatalf("got %v, want a usage error", err)
	}
}
