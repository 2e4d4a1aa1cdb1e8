package reports

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"reseller/client"
	"reseller/cmd/cli"
)

// flags runs a report's command up to its options.
func flags(t *testing.T, k kind, raw bool, args ...string) (*options, error) {
	t.Helper()
	f := &cli.Factory{}
	f.Flags.Raw = raw
	var got *options
	c := newReportCmd(f, func() time.Time { return today.Add(13 * time.Hour) }, k, func(o *options) error { got = o; return nil })
	c.SetGlobalNormalizationFunc(cli.Normalize)
	c.SetArgs(args)
	c.SetOut(io.Discard)
	c.SetErr(io.Discard)
	c.SilenceErrors, c.SilenceUsage = true, true
	err := c.Execute()
	return got, err
}

func TestChoice(t *testing.T) {
	k := kind{report: client.ReportKeywords, path: "keywords"}
	for _, c := range []struct {
		args      string
		raw       bool
		accounts  []int64
		campaigns []int64
		all       bool
		named     bool
		wantErr   string
	}{
		{args: "--account 1 --campaign 101", accounts: []int64{1}, campaigns: []int64{101}, named: true},
		{args: "--account-id 1 --campaign-id 101", accounts: []int64{1}, campaigns: []int64{101}, named: true},
		{args: "--account 1 --account 1 --campaign 101", accounts: []int64{1}, campaigns: []int64{101}, named: true},
		{args: "--account 2 --account 010", accounts: []int64{2, 10}},
		{args: "--campaign 101", campaigns: []int64{101}},
		{args: "--campaign 101", raw: true, campaigns: []int64{101}},
		{args: "--all", all: true},
		{args: "", wantErr: "missing: --account or --campaign, --all, or --file"},
		{args: "--all --account 1", wantErr: "--all is every campaign"},
		{args: "--all", raw: true, wantErr: "--raw prints one answer"},
		{args: "--account 1", raw: true, wantErr: "--raw prints one answer"},
		{args: "--campaign 1 --campaign 2", raw: true, wantErr: "--raw prints one answer"},
		{args: "--account one", wantErr: `--account: "one" is not a whole number`},
		{args: "--campaign 1,2", wantErr: `--campaign: "1,2" is not a whole number`},
		{args: "--account 1 more", wantErr: `"more"`},
		{args: "--account 1 --from today", wantErr: "--from"},
	} {
		got, err := flags(t, k, c.raw, strings.Fields(c.args)...)
		if c.wantErr != "" {
			if err == nil || !strings.Contains(err.Error(), c.wantErr) {
				t.Errorf("%s: %v, want %q", c.args, err, c.wantErr)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.args, err)
			continue
		}
		if !reflect.DeepEqual(got.accounts, c.accounts) || !reflect.DeepEqual(got.campaigns, c.campaigns) || got.all != c.all || got.named() != c.named {
			t.Errorf("%s: %+v", c.args, got)
		}
	}
}

func TestDateFlags(t *testing.T) {
	k := kind{report: client.ReportTraffic, path: "traffic"}
	got, err := flags(t, k, false, "--all", "--from", "-30d", "--to", "2026-03")
	if err != nil || got.dates != (client.Dates{From: "2026-01-30", To: "2026-03-31"}) || got.defaulted {
		t.Fatalf("%+v, %v", got, err)
	}
	if got, err = flags(t, k, false, "--all"); err != nil || !got.defaulted {
		t.Fatalf("%+v, %v", got, err)
	}
	k = kind{report: client.ReportBacklinksLost, path: "backlinks lost"}
	if got, err = flags(t, k, false, "--all"); err != nil || got.defaulted || got.dates != (client.Dates{}) {
		t.Fatalf("%+v, %v", got, err)
	}
	var usage *cli.UsageError
	if _, err = flags(t, k, false, "--all", "--to", "today"); !errors.As(err, &usage) {
		t.Fatal(err)
	}
}

// Every report asks for the path of the contract, whatever was given.
func TestTargets(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"keywords", "/api/v1/reports/keywords/accounts/1/campaigns/101"},
		{"traffic --from 2026-01 --to 2026-02", "/api/v1/reports/google/analytics/traffic/accounts/1/campaigns/101/date_from/2026-01-01/date_to/2026-02-28"},
		{"workflows", "/api/v1/reports/workflows/accounts/1/campaigns/101/date_from/2026-01-30/date_to/2026-03-01"},
		{"backlinks", "/api/v1/reports/backlinks/accounts/1/campaigns/101"},
		{"backlinks lost", "/api/v1/reports/backlinks/lost/accounts/1/campaigns/101"},
		{"backlinks lost --from -1d", "/api/v1/reports/backlinks/lost/accounts/1/campaigns/101/date_from/2026-02-28/date_to/2026-03-01"},
		{"backlinks referring --from today", "/api/v1/reports/backlinks/referring/accounts/1/campaigns/101/date_from/2026-03-01/date_to/2026-03-01"},
		{"backlinks provisioned --from yesterday --to today", "/api/v1/reports/backlinks/provisioned/accounts/1/campaigns/101/date_from/2026-02-28/date_to/2026-03-01"},
	} {
		args := strings.Fields(c.args)
		group := newGroup(&cli.Factory{}, func() time.Time { return today })
		cmd, rest, err := group.Find(args)
		if err != nil {
			t.Fatal(err)
		}
		var k kind
		for _, each := range kinds() {
			if "reports "+each.path == cmd.CommandPath() {
				k = each
			}
		}
		got, err := flags(t, k, false, append(rest, "--account", "1", "--campaign", "101")...)
		if err != nil {
			t.Errorf("%s: %v", c.args, err)
		} else if target := got.call(pair{account: 1, campaign: 101}).Target(); target != c.want {
			t.Errorf("%s: %s, want %s", c.args, target, c.want)
		}
	}
}
