package reports

import (
	"testing"

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
