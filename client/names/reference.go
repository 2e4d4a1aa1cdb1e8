package names

import (
	"fmt"
	"strconv"
	"strings"

	"reseller/client/schema"
)

// The words in front of a text that say what it is.
const (
	PrefixID         = "id:"
	PrefixName       = "name:"
	PrefixIdentifier = "ext:"
)

// A Reference is how a user names an account or a campaign.
type Reference struct {
	Prefix string // PrefixID, PrefixName or PrefixIdentifier; empty for a text without one, which is a name or an identifier
	Text   string // without the prefix
	ID     int64  // of PrefixID
	// Bare says that the text is a number without a prefix. It is an id, unless nothing has this id.
	Bare bool
}

// Parse returns the reference that a text is: id:12, name:Harbour Bikes or ext:crm-3001, a number, which is an id, or
// another text. The error completes a sentence that begins with where the text stands.
func Parse(text string) (Reference, error) {
	trimmed := schema.TrimSpace(text)
	for _, prefix := range []string{PrefixID, PrefixName, PrefixIdentifier} {
		rest, ok := strings.CutPrefix(trimmed, prefix)
		if rest = schema.TrimSpace(rest); !ok {
			continue
		}
		ref := Reference{Prefix: prefix, Text: rest}
		if rest == "" {
			return ref, fmt.Errorf("%q has nothing behind %s", text, prefix)
		}
		if prefix == PrefixID {
			return ref.withID(text)
		}
		return ref, nil
	}
	switch ref := (Reference{Text: trimmed}); {
	case trimmed == "":
		return ref, fmt.Errorf("%q is neither an id nor a name", text)
	case IsID(trimmed):
		ref.Prefix, ref.Bare = PrefixID, true
		return ref.withID(trimmed)
	default:
		return ref, nil
	}
}

func (r Reference) withID(text string) (Reference, error) {
	var err error
	if r.ID, err = strconv.ParseInt(r.Text, 10, 64); err != nil || hasZeros(r.Text) {
		return r, fmt.Errorf("%q is not a whole number", text)
	}
	return r, nil
}

// IsID reports whether a text without a prefix is meant as an id: a number, even one that no id can be, or several. A
// number with zeros in front is none: it is a name or an identifier.
func IsID(text string) bool {
	digits := strings.TrimLeft(strings.TrimSpace(text), "+-")
	return strings.ContainsAny(digits, "0123456789") && strings.Trim(digits, "0123456789.,") == "" && !hasZeros(digits)
}

// hasZeros reports whether a number has zeros in front.
func hasZeros(number string) bool {
	number = strings.TrimLeft(number, "+-")
	return len(number) > 1 && number[0] == '0' && '0' <= number[1] && number[1] <= '9'
}

// Meant returns the entries that a reference may stand for.
func (l List) Meant(r Reference) List {
	want := schema.FoldText(r.Text)
	is := func(prefix, text string) bool {
		return (r.Prefix == "" || r.Prefix == prefix) && schema.FoldText(text) == want
	}
	return l.filter(func(e *Entry) bool {
		if r.Prefix == PrefixID {
			return e.ID == r.ID
		}
		return want != "" && (is(PrefixName, e.Name) || is(PrefixIdentifier, e.Identifier))
	})
}

// Reference returns how an entry that is called by a text, itself or by its account, is named without doubt.
func (e Entry) Reference(text string) string {
	switch folded := schema.FoldText(text); folded {
	case schema.FoldText(e.Identifier):
		return PrefixIdentifier + text
	case schema.FoldText(e.Name):
		return PrefixName + text
	}
	return PrefixID + strconv.FormatInt(e.ID, 10)
}
