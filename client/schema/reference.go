package schema

import (
	"strings"
	"unicode"
)

// The words in front of a text that say how it names an account or a campaign.
const (
	PrefixID         = "id:"
	PrefixName       = "name:"
	PrefixIdentifier = "ext:" // the external identifier of an account
)

// IsReference reports whether the field names an account or a campaign: instead of its id, a text may have its name or the
// external identifier of the account.
func (f *Field) IsReference() bool {
	return f.Type == Int && (f.Name == "account_id" || f.Name == "campaign_id")
}

// kind returns the kind of record whose id the field is, such as account.
func (f *Field) kind() string {
	return strings.TrimSuffix(strings.Replace(f.Name, "rank", "keyword", 1), "_id")
}

// IsLine reports whether a line is clearly a value of the field: a reference or an id, which -o name prints behind its kind, or a
// text with letters that is no such id.
func (f *Field) IsLine(line string) bool {
	if f.Type == Int {
		_, err := f.FromText(line, true)
		return err == nil || f.IsReference() && IsReferenceCell(line)
	}
	_, id, isNamed := strings.Cut(line, "/")
	return f.Type == Text && !(isNamed && isDigits(id)) && strings.ContainsFunc(line, unicode.IsLetter)
}

// ReferencePrefix returns the prefix of a text that names an account or a campaign, an empty text if it has none.
func ReferencePrefix(text string) string {
	for _, prefix := range []string{PrefixID, PrefixName, PrefixIdentifier} {
		if strings.HasPrefix(text, prefix) {
			return prefix
		}
	}
	return ""
}

// IsReferenceCell reports whether a cell of a field that names an account or a campaign does so in other words than by a
// number: with one of the prefixes, or by a number with zeros in front. Any other word stands there by mistake, most
// often because a column is shifted, so that it is not looked up.
func IsReferenceCell(text string) bool {
	return ReferencePrefix(text) != "" || hasZeros(text) && isDigits(text)
}

// IsID reports whether a text that names an account or a campaign is meant as an id: a number, even one that no id can be,
// or several. A number with zeros in front is none: it is a name or an external identifier.
func IsID(text string) bool {
	digits := strings.TrimLeft(strings.TrimSpace(text), "+-")
	return strings.ContainsAny(digits, "0123456789") && strings.Trim(digits, "0123456789.,") == "" && !hasZeros(digits)
}

func hasZeros(number string) bool {
	return len(number) > 1 && number[0] == '0' && '0' <= number[1] && number[1] <= '9'
}
