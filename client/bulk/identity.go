package bulk

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"reseller/client"
	"reseller/client/record"
)

// An Identity tells what a row is about, and what must agree in all rows about
// the same thing. Rows that agree in both repeat each other.
type Identity func(client.Values) (id, same string)

// Whole takes all values for the identity.
func Whole(v client.Values) (id, same string) { return canon(v), "" }

// KeywordIdentity is account, campaign and text as FoldKeyword has it; the
// keyword_type must agree.
func KeywordIdentity(v client.Values) (id, same string) {
	return KeywordID(v["account_id"].Text(), v["campaign_id"].Text(), v["keyword"].Text()), v["keyword_type"].Text()
}

// KeywordID is the identity of a keyword.
func KeywordID(account, campaign, text string) string {
	return key(account, campaign, FoldKeyword(text))
}

// AccountIdentity is the external_account_identifier, else name, e-mail, phone
// and postal code together; everything must agree.
func AccountIdentity(v client.Values) (id, same string) {
	external := v["external_account_identifier"]
	if external.Kind() == record.Object {
		external = external.Get("field_value")
	}
	if len(external) > 0 && external.Text() != "" {
		return ExternalID(external.Text()), canon(v)
	}
	return ContactID(v["account_name"].Text(), v["email"].Text(), v["phone"].Text(), v["postal"].Text()), canon(v)
}

// ExternalID is the identity of an account by its external_account_identifier.
func ExternalID(identifier string) string { return key("external", identifier) }

// ContactID is the identity of an account without one.
func ContactID(name, email, phone, postal string) string {
	return key("contact", name, email, phone, postal)
}

// CredentialsIdentity is everything but the password, which must agree.
func CredentialsIdentity(v client.Values) (id, same string) {
	rest := maps.Clone(v)
	delete(rest, "password")
	return canon(rest), v["password"].Text()
}

// UpdateIdentity is one field, the key of the record; everything must agree.
func UpdateIdentity(name string) Identity {
	return func(v client.Values) (id, same string) { return v[name].Text(), canon(v) }
}

// FoldKeyword is what remains of a keyword where spelling is ignored: NFC, case
// folded, white space collapsed.
func FoldKeyword(text string) string {
	ascii := true
	for i := 0; i < len(text) && ascii; i++ {
		ascii = text[i] < 0x80
	}
	if ascii {
		text = strings.ToLower(text)
	} else {
		text = norm.NFC.String(cases.Fold().String(norm.NFC.String(text)))
	}
	return strings.Join(strings.Fields(text), " ")
}

// key joins parts so that no two lists of parts give the same text.
func key(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(strconv.Itoa(len(p)))
		b.WriteByte(':')
		b.WriteString(p)
	}
	return b.String()
}

// canon is the values as one text, whatever their order was.
func canon(v client.Values) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(v)) {
		b.WriteString(name)
		b.WriteByte('=')
		b.Write(v[name])
		b.WriteByte('\n')
	}
	return b.String()
}
