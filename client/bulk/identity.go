package bulk

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"reseller/client/record"
)

// An Identity tells what a row is about, and what must agree in all rows about
// the same thing, by appending them to id and same. Rows that agree in both
// repeat each other.
type Identity func(v Values, id, same []byte) ([]byte, []byte)

// Whole takes all values for the identity.
func Whole(v Values, id, same []byte) ([]byte, []byte) { return appendAll(id, v), same }

// KeywordIdentity is account, campaign and text as FoldKeyword has it; the
// keyword_type must agree.
func KeywordIdentity(v Values, id, same []byte) ([]byte, []byte) {
	id = AppendKeywordID(id, v.Get("account_id"), v.Get("campaign_id"), v.Get("keyword"))
	return id, v.Get("keyword_type").AppendText(same)
}

// AppendKeywordID appends the identity of a keyword.
func AppendKeywordID(id []byte, account, campaign, text record.Value) []byte {
	start := len(id)
	id = account.AppendText(id)
	first := len(id)
	id = campaign.AppendText(id)
	second := len(id)
	if folded, ok := text.AppendLower(id); ok {
		id = folded
	} else {
		id = appendFolded(text.AppendText(id), second)
	}
	return appendEnds(id, first-start, second-start, len(id)-start)
}

// AccountIdentity is the external_account_identifier, else name, e-mail, phone
// and postal code together; everything must agree.
func AccountIdentity(v Values, id, same []byte) ([]byte, []byte) {
	same = appendAll(same, v)
	external := v.Get("external_account_identifier")
	if external.Kind() == record.Object {
		external = external.Get("field_value")
	}
	if len(external) > 0 && external.Text() != "" {
		return append(id, ExternalID(external.Text())...), same
	}
	contact := ContactID(v.Get("account_name").Text(), v.Get("email").Text(), v.Get("phone").Text(), v.Get("postal").Text())
	return append(id, contact...), same
}

// ExternalID is the identity of an account by its external_account_identifier.
func ExternalID(identifier string) []byte { return key("external", identifier) }

// ContactID is the identity of an account without one.
func ContactID(name, email, phone, postal string) []byte {
	return key("contact", name, email, phone, postal)
}

// CredentialsIdentity is everything but the password, which must agree.
func CredentialsIdentity(v Values, id, same []byte) ([]byte, []byte) {
	var rest Values
	for _, value := range v {
		if value.name != "password" {
			rest = append(rest, value)
		}
	}
	return appendAll(id, rest), v.Get("password").AppendText(same)
}

// UpdateIdentity is one field, the key of the record; everything must agree.
func UpdateIdentity(name string) Identity {
	return func(v Values, id, same []byte) ([]byte, []byte) {
		return v.Get(name).AppendText(id), appendAll(same, v)
	}
}

// FoldKeyword is what remains of a keyword where spelling is ignored: NFC, case
// folded, white space collapsed.
func FoldKeyword(text string) string { return string(appendFolded([]byte(text), 0)) }

// appendFolded folds what stands in b from start on.
func appendFolded(b []byte, start int) []byte {
	out := start
	for i := start; i < len(b); i++ {
		c := b[i]
		switch {
		case c >= utf8.RuneSelf: // what was folded so far is as good as it was
			rest := append(b[:out], b[i:]...)[start:]
			folded := norm.NFC.Bytes(cases.Fold().Bytes(norm.NFC.Bytes(rest)))
			return append(b[:start], bytes.Join(bytes.Fields(folded), blank)...)
		case c == ' ' || '\t' <= c && c <= '\r':
			if out == start || b[out-1] == ' ' {
				continue
			}
			c = ' '
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		b[out] = c
		out++
	}
	if out > start && b[out-1] == ' ' {
		out--
	}
	return b[:out]
}

var blank = []byte{' '}

// key joins parts so that no two lists of parts give the same text.
func key(parts ...string) []byte {
	var b []byte
	ends := make([]int, len(parts))
	for i, p := range parts {
		b = append(b, p...)
		ends[i] = len(b)
	}
	return appendEnds(b, ends...)
}

// appendEnds says behind parts where each of them ends.
func appendEnds(b []byte, ends ...int) []byte {
	for _, end := range ends {
		b = binary.LittleEndian.AppendUint32(b, uint32(end))
	}
	return b
}

// appendAll appends the values as one text, whatever their order was.
func appendAll(b []byte, v Values) []byte {
	for _, value := range v.sorted() {
		b = append(b, value.name...)
		b = append(b, '=')
		b = append(b, value.json...)
		b = append(b, '\n')
	}
	return b
}
