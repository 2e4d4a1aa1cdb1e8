package bulk

import (
	"fmt"
	"slices"

	"reseller/client/bulk/decode"
	"reseller/client/record"
)

// maxNesting is far beyond what any field of the contract nests.
const maxNesting = 8

// hollow tells whether a list has v for an object that is not there.
func hollow(v record.Value) bool {
	switch v.Kind() {
	case record.Object, record.Array:
		return len(v.AppendCompact(nil)) == 2
	}
	return v.Kind() == record.String && v.Text() == ""
}

// object takes the members of a row that is an object, nested ones by their
// dotted names.
func (d *draft) object(v record.Value, cols *columns) {
	seen := map[string]bool{}
	d.members(v, "", 0, seen, cols)
}

func (d *draft) members(v record.Value, prefix string, depth int, seen map[string]bool, cols *columns) {
	for name, member := range v.Members() {
		name = prefix + name
		if seen[name] {
			d.addIssue(name, "", "stands twice in one object")
			continue
		}
		seen[name] = true
		if member.Kind() == record.Object && len(member) > 2 {
			if depth >= maxNesting {
				d.addIssue(name, "", "is nested too deep")
				continue
			}
			d.members(member, name+".", depth+1, seen, cols)
			continue
		}
		t, why := cols.find(name)
		switch {
		case t != nil:
			d.member(t, name, member)
		case len(cols.spec.within(name)) > 0 && (member.Kind() == record.Null || hollow(member)):
			// an object without members
		case slices.ContainsFunc(cols.spec.within(name), cols.spec.hides):
			d.addIssue(name, "", fmt.Sprintf("is %s, not an object", member.Kind()))
		case len(cols.spec.within(name)) > 0:
			d.addIssue(name, member.Text(), fmt.Sprintf("%s is %s, not an object", decode.Quote(member.Text()), member.Kind()))
		default:
			d.addIssue(name, "", why)
		}
	}
}
