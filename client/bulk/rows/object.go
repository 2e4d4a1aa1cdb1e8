package rows

import (
	"cmp"
	"fmt"
	"slices"

	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// maxNesting is how deep objects may be nested. No field needs more than 2.
const maxNesting = 8

// members sets values from the members of a JSON object. The name of a nested member is the names on its path, joined by
// dots; prefix is the path of v, with a dot at its end. seen are the names so far.
func (b *builder) members(v record.Value, prefix string, depth int, seen map[string]bool, names *binder) {
	for name, member := range v.Members() {
		name = prefix + name
		if seen[name] {
			b.addIssue(name, "", "occurs twice in one object")
			continue
		}
		seen[name] = true
		if member.Kind() == record.Object && len(member) > 2 {
			if names.passesOver(name) {
				continue
			}
			if depth >= maxNesting {
				b.addIssue(name, "", "is nested too deeply")
				continue
			}
			b.members(member, name+".", depth+1, seen, names)
			continue
		}
		to, reason := names.bind(name)
		if to != nil {
			b.set(to, name, member.Text(), member)
			continue
		}
		switch parts := names.schema.membersOf(name); {
		case parts != nil && (member.Kind() == record.Null || isEmptyObject(member)):
			// an object without members sets nothing
		case slices.ContainsFunc(parts, func(f *schema.Field) bool { return f.Type == schema.Password }):
			b.addIssue(name, "", fmt.Sprintf("is %s, not an object", member.Kind()))
		case parts != nil:
			b.addIssue(name, member.Text(), fmt.Sprintf("%s is %s, not an object", safetext.Quote(member.Text()), member.Kind()))
		default:
			b.addIssue(name, "", reason)
		}
	}
}

// has reports whether the row has the value already, as the json of a list does where the service sent it under an
// older name.
func (b *builder) has(t *binding, text string, v record.Value) bool {
	if t.kind != kindReadOnly {
		return v != nil && string(b.row.Values.Get(t.key)) == string(v)
	}
	before := b.row.ReadOnly[t.key]
	if t.field != nil {
		before, text = cmp.Or(t.field.Synonyms[before], before), cmp.Or(t.field.Synonyms[text], text)
	}
	return before == text
}
