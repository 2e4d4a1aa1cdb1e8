package customers

import (
	"strings"
	"testing"

	"reseller/client/portfolio"
)

// TestPrunedNamesAreShort names an account and a keyword with long texts: a question must not be pushed out of sight.
func TestPrunedNamesAreShort(t *testing.T) {
	long := strings.Repeat("x", 500)
	l := &customerLoad{decisions: &decisions{Keywords: map[int][]deactivation{0: {{Text: long}}}}, comparison: &comparison{rows: []int{0, 1}, plans: []portfolio.Plan{
		{Line: 1, ChangeKeywords: []portfolio.PlannedKeyword{{Text: long}}}, {Account: 3, Customer: long, Status: portfolio.ActionDeactivate},
	}}}
	if got := l.prunedWords(); len(got) < 2*30 || len(got) > 300 {
		t.Errorf("got %d bytes, want at most 300 about both: %s", len(got), got)
	}
}
