package names

import (
	"errors"
	"fmt"
	"strconv"

	"reseller/client/schema"
)

// A Reference is how a user names an account or a campaign.
type Reference struct {
	Prefix string // schema.PrefixID, schema.PrefixName or schema.PrefixIdentifier; empty for a text without one, which is a name or an identifier
	Text   string // without the prefix
	ID     int64  // of schema.PrefixID
	// Bare says that the text is a number without a prefix. It is an id, unless nothing has this id.
	Bare bool
}

// Parse returns the reference that a text is: id:12, name:Harbour Bikes or ext:crm-3001, a number, which is an id, or
// another text. The error completes a sentence that begins with the text.
func Parse(text string) (Reference, error) {
	trimmed := schema.TrimSpace(text)
	if prefix := schema.ReferencePrefix(trimmed); prefix != "" {
		ref := Reference{Prefix: prefix, Text: schema.TrimSpace(trimmed[len(prefix):])}
		switch {
		case ref.Text == "":
			return ref, fmt.Errorf("has nothing behind %s", prefix)
		case prefix == schema.PrefixID:
			return ref.withID()
		}
		return ref, nil
	}
	switch ref := (Reference{Text: trimmed}); {
	case trimmed == "":
		return ref, errors.New("is neither an id nor a name")
	case schema.IsID(trimmed):
		ref.Prefix, ref.Bare = schema.PrefixID, true
		return ref.withID()
	default:
		return ref, nil
	}
}

func (r Reference) withID() (Reference, error) {
	var err error
	if r.ID, err = strconv.ParseInt(r.Text, 10, 64); err != nil || !schema.IsID(r.Text) {
		return r, errors.New("is not a whole number")
	}
	return r, nil
}

// Meant returns the entries that a reference may stand for.
func (l List) Meant(r Reference) List {
	want := schema.FoldText(r.Text)
	is := func(prefix, text string) bool {
		return (r.Prefix == "" || r.Prefix == prefix) && schema.FoldText(text) == want
	}
	return l.filter(func(e *Entry) bool {
		if r.Prefix == schema.PrefixID {
			return e.ID == r.ID
		}
		return want != "" && (is(schema.PrefixName, e.Name) || is(schema.PrefixIdentifier, e.Identifier))
	})
}

// Reference returns how an entry that is called by a text, itself or by its account, is named without doubt.
func (e Entry) Reference(text string) string {
	switch folded := schema.FoldText(text); folded {
	case schema.FoldText(e.Identifier):
		return schema.PrefixIdentifier + text
	case schema.FoldText(e.Name):
		return schema.PrefixName + text
	}
	return schema.PrefixID + strconv.FormatInt(e.ID, 10)
}

// An Index finds the entries of a list that are called by many texts, one after the other.
type Index map[string]List

// Index returns the index of a list.
func (l List) Index() Index {
	x := Index{}
	for _, e := range l.Distinct() {
		name, identifier := schema.FoldText(e.Name), schema.FoldText(e.Identifier)
		x[name] = append(x[name], e)
		if identifier != name {
			x[identifier] = append(x[identifier], e)
		}
	}
	return x
}

// Meant is List.Meant for a reference that is no id.
func (x Index) Meant(r Reference) List { return x[schema.FoldText(r.Text)].Meant(r) }
