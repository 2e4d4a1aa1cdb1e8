package rows

import (
	"fmt"
	"slices"

	"reseller/client/record"
	"reseller/client/safetext"
)

// maxNesting is how deep objects may be nested. No field needs more than 2.
const maxNesting = 8

// isEmptyObject reports whether v stands for a missing object. Exported lists contain
// {}, [] or "" for one.
func isEmptyObject(v record.Value) bool {
	switch v.Kind() {
	case record.Object, record.Array:
		return len(v.AppendCompact(nil)) == 2
	}
	return v.Kind() == record.String && v.Text() == ""
}

// object sets the values of a row from a JSON object. The name of a nested member is
// the names on its path, joined by dots.
func (b *builder) object(v record.Value, names *binder) {
	seen := map[string]bool{}
	b.members(v, "", 0, seen, names)
}

// members sets the values of an object whose path, with a dot at its end, is prefix.
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
		switch {
		case to != nil:
			b.setMember(to, name, member)
		case len(names.schema.membersOf(name)) > 0 && (member.Kind() == record.Null || isEmptyObject(member)):
			// an object without members sets nothing
		case slices.ContainsFunc(names.schema.membersOf(name), names.schema.isSecret):
			b.addIssue(name, "", fmt.Sprintf("is %s, not an object", member.Kind()))
		case len(names.schema.membersOf(name)) > 0:
			b.addIssue(name, member.Text(), fmt.Sprintf("%s is %s, not an object", safetext.Quote(member.Text()), member.Kind()))
		default:
			b.addIssue(name, "", reason)
		}
	}
}
