package safetext

import "strings"

// HasCSVQuotes reports whether a cell has quotes as csv has them: around a text with
// quotes, each of which is doubled. In tsv, such a cell must be escaped.
func HasCSVQuotes[Text ~string | ~[]byte](cell Text) bool {
	if len(cell) < 4 || cell[0] != '"' || cell[len(cell)-1] != '"' {
		return false
	}
	inside := string(cell[1 : len(cell)-1])
	return strings.Contains(inside, `"`) && !strings.Contains(strings.ReplaceAll(inside, `""`, ""), `"`)
}
