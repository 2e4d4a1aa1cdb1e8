package decode

import (
	"bytes"
	"fmt"

	"reseller/client/record"
)

// QuoteYAML returns s as a JSON string that is valid YAML too: characters that YAML
// forbids are escaped.
func QuoteYAML(s string) record.Value {
	out := record.Quote(s)
	if !bytes.ContainsFunc(out, isForbiddenInYAML) {
		return out
	}
	var safe []byte
	for _, r := range string(out) {
		if isForbiddenInYAML(r) {
			safe = fmt.Appendf(safe, `\u%04x`, r)
		} else {
			safe = append(safe, string(r)...)
		}
	}
	return safe
}
