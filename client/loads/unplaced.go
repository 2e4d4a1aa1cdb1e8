package loads

import (
	"reseller/client/bulk/rows"
	"reseller/client/schema"
)

// unplacedKeywords are keywords of which the service does not show the account, the campaign or the text.
type unplacedKeywords map[unplacedKeyword]bool

// An unplacedKeyword has what the service shows of a keyword, its text folded. What it does not show is 0 or empty.
type unplacedKeyword struct {
	account, campaign int64
	text              string
}

// doubt returns why a row may be one of the keywords, empty if none may be it.
func (u unplacedKeywords) doubt(row *rows.Row) string {
	account, campaign := IDsOf(row.Values)
	text := schema.FoldText(row.Values.Get("keyword").Text())
	switch {
	case u[unplacedKeyword{account, 0, text}], u[unplacedKeyword{0, 0, text}]:
		return "the service shows this keyword without its campaign"
	case u[unplacedKeyword{0, campaign, text}]:
		return "the service shows this keyword without its account"
	case u[unplacedKeyword{account, campaign, ""}], u[unplacedKeyword{account, 0, ""}], u[unplacedKeyword{0, campaign, ""}], u[unplacedKeyword{}]:
		return "the service shows a keyword without its text, which may be this one"
	}
	return ""
}
