package customers

import (
	"fmt"
	"slices"
	"strings"

	"reseller/client"
	"reseller/client/bulk/rows"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// check validates a customer as a whole.
func check(row rows.Values, kind string) (field, reason string) {
	values := row.Map()
	if _, reason := parseKeywords(values, kind); reason != "" {
		return "keywords", reason
	}
	given := rowCredentials(values)
	for _, f := range schema.Credentials.Having(schema.Required) {
		if given != nil && given[f.Name] == nil && f.Name != "account_id" && f.Name != "campaign_id" {
			return CredentialsColumn(f.Name), "missing: other credentials of the customer are given"
		}
	}
	return "", ""
}

// rowCredentials returns the credentials of a row, nil if it has none. A row with only
// a reseller_account_id has none, since that value is a default of all rows.
func rowCredentials(values schema.Values) schema.Values {
	given := credentialValues(values)
	if _, account := given["reseller_account_id"]; len(given) == 0 || account && len(given) == 1 {
		return nil
	}
	if given["note"] == nil {
		given["note"] = record.Value(`""`)
	}
	return given
}

// parseKeywords returns the keywords of a row, each once. kind is the type of those
// without one.
func parseKeywords(values schema.Values, kind string) (list []client.NewKeyword, reason string) {
	seen := map[string]string{}
	for item := range values["keywords"].Elements() {
		k := client.NewKeyword{Keyword: schema.TrimSpace(item.Text()), KeywordType: kind}
		switch itemKind := item.Kind(); {
		case itemKind == record.Object:
			if k, reason = parseKeywordObject(item, kind); reason != "" {
				return nil, reason
			}
		case itemKind != record.String && itemKind != record.Number:
			return nil, fmt.Sprintf("contains %s, not a string or an object", itemKind)
		default:
			at := strings.LastIndexByte(k.Keyword, '|')
			if at < 0 {
				break
			}
			k.Keyword, k.KeywordType = schema.TrimSpace(k.Keyword[:at]), schema.TrimSpace(k.Keyword[at+1:])
			if !slices.Contains(keywordTypes(), k.KeywordType) {
				return nil, fmt.Sprintf("%q: the type after the last | is %q, not one of %s", safetext.Shorten(item.Text()), safetext.Shorten(k.KeywordType), strings.Join(keywordTypes(), ", "))
			}
		}
		if k.Keyword == "" {
			return nil, fmt.Sprintf("%q has no text", safetext.Shorten(item.Text()))
		}
		folded := schema.FoldText(k.Keyword)
		switch before, twice := seen[folded]; {
		case twice && before != k.KeywordType:
			return nil, fmt.Sprintf("%q is given twice, with different types", safetext.Shorten(k.Keyword))
		case !twice:
			list = append(list, k)
		}
		seen[folded] = k.KeywordType
	}
	return list, ""
}

// parseKeywordObject returns a keyword that an object gives by its keyword, type and status. A
// keyword whose status is not that of an active one is refused, since onboard can't deactivate
// it. kind is the type of an object without one.
func parseKeywordObject(object record.Value, kind string) (k client.NewKeyword, reason string) {
	k.KeywordType = kind
	text := safetext.Shorten(object.Get("keyword").Text()) // quoted in each reason, so that it can be hidden
	for name, v := range object.Members() {
		f := schema.Keywords.Field(name)
		if f == nil || !slices.Contains([]string{"keyword", "keyword_type", "status"}, f.Name) {
			return k, fmt.Sprintf("%q has %q, which is none of keyword, type, status", text, safetext.Shorten(name))
		}
		v, err := f.FromJSON(v, true)
		if err != nil {
			return k, fmt.Sprintf("%q: %s %v", text, name, err)
		}
		switch value := v.Text(); {
		case f.Name == "keyword":
			k.Keyword = schema.TrimSpace(value)
		case f.Name == "keyword_type":
			k.KeywordType = value
		case value != f.Enum[0]:
			return k, fmt.Sprintf("%q: status is %q, and a new keyword is active", text, value)
		}
	}
	return k, ""
}
