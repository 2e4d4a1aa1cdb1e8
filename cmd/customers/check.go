package customers

import (
	"fmt"

	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/safetext"
)

// check validates a new customer as a whole. A keyword that is deactivated is refused, since onboard deactivates none.
func check(m *portfolio.Model, row rows.Values, o portfolio.KeywordOptions) (field, reason string) {
	w, field, reason := m.Wanted(row.Map(), o)
	if reason != "" {
		return field, reason
	}
	if faults := w.InvalidFaults(); faults != nil {
		return faults[0].Field, faults[0].Reason
	}
	for _, k := range w.Keywords {
		if !k.Active {
			return portfolio.FieldKeywords, fmt.Sprintf("%q: status is %q, and a new keyword is active", safetext.Shorten(k.Text), portfolio.StatusDeactivated)
		}
	}
	return "", ""
}
