package customers

import (
	"fmt"

	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/safetext"
)

// check validates a new customer as a whole. A keyword that is deactivated is refused, since onboard deactivates none.
func check(m *portfolio.Model, row rows.Values, keywordType string) (field, reason string) {
	w, field, reason := m.Wanted(row.Map(), keywordType)
	if reason != "" {
		return field, reason
	}
	for _, k := range w.Keywords {
		if !k.Active {
			return portfolio.FieldKeywords, fmt.Sprintf("%q: status is %q, and a new keyword is active", safetext.Shorten(k.Text), portfolio.StatusDeactivated)
		}
	}
	return "", ""
}
