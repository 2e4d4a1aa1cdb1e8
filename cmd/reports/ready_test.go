package reports

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reseller/client/summary"
	"reseller/output/page"
)

// TestMails checks that the list for mails has the names of customers as their pages have them, whatever they begin with.
func TestMails(t *testing.T) {
	for name, want := range map[string]string{
		"Harbour": "Harbour", "=SUMME Fitness": "=SUMME Fitness", "-20 % Shop": "-20 % Shop", "@home": "@home",
		"\u062e\u0627\u0646\u0647\u200c\u0647\u0627": "\u062e\u0627\u0646\u0647\u200c\u0647\u0627", "a\u202eb": `a\u202eb`, "a\x1bb": `a\u001bb`,
	} {
		t.Run(name, func(t *testing.T) {
			got := string(mailsOf([]page.Entry{{Called: name, Email: "+a@example.com", Subject: name + ": October", Sentence: "s", File: "x.html", IsReady: true}}, false))
			if want := "account_name,email,file,subject,first_sentence\n" + want + ",+a@example.com,ready/x.html," + want + ": October,s\n"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestEarlierPage keeps all files but those with the name of a page of the campaign, whatever the index says.
func TestEarlierPage(t *testing.T) {
	for earlier, isRemoved := range map[string]bool{
		"Old-Name-101.html": true, "campaign-101.html": true, "Harbour-102.html": false, "Harbour-1101.html": false, "101.html": false,
		"Old Name-101.html": false, "Old-Name-101.pdf": false, "2-Harbour-101.html": false, "index.html": false,
	} {
		t.Run(earlier, func(t *testing.T) {
			m := &pageMaker{summaryOptions: &summaryOptions{dir: t.TempDir(), format: page.HTML}, files: []string{"Harbour-101.html", "2-Harbour-101.html"}}
			path := filepath.Join(m.dir, earlier)
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := m.write(earlier, "Harbour-101.html", &summary.Page{}, campaignRef{account: 1, campaign: 101}, false); err != nil {
				t.Fatal(err)
			}
			if isFile(path) == isRemoved {
				t.Errorf("removed: %v, want %v", !isRemoved, isRemoved)
			}
		})
	}
}

// TestEarlierIndex reads indexes of this period, in English, and of others.
func TestEarlierIndex(t *testing.T) {
	scope := summary.NewScope(summary.Month(2026, 10), summary.None, summary.Month(2026, 11).From)
	for days, want := range map[string]string{"": "it has the reports of another period, and not of October 2026", "November 2026": "it has the reports of November 2026, and not of", "October 2026": ""} {
		t.Run(days, func(t *testing.T) {
			m := &pageMaker{summaryOptions: &summaryOptions{dir: t.TempDir(), scope: scope}}
			text := page.Index{Period: "Oktober 2026", Days: days, Entries: []page.Entry{{CampaignID: 101, File: "A-101.html"}}}.Render(nil, nil)
			for name, text := range map[string][]byte{"A-101.html": nil, indexFile: text} {
				if err := os.WriteFile(filepath.Join(m.dir, name), text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := m.readIndex(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
}
