package rows

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"reseller/client/schema"
)

// maxCompared is the number of rows in conflict that are compared with each other, so
// that their issues name the columns in which they differ.
const maxCompared = 20_000

// compareConflicts reads the file again to find out in which columns the rows in conflict
// differ, and adds an issue for each row that contradicts an earlier one.
func (v *validation) compareConflicts() error {
	if v.conflicts == nil {
		return nil
	}
	slices.SortFunc(v.conflicts, func(a, b conflictingRow) int { return cmp.Compare(a.row, b.row) })
	compared := v.conflicts[:min(len(v.conflicts), maxCompared)]
	seed, byLine := maphash.MakeSeed(), map[uint32]map[string]uint64{} // the hashes of the values, whose spelling may differ
	next := 0
	for row, err := range v.scan(newBinder(&v.schema)) {
		if row.Ordinal < 0 {
			return err
		}
		if next == len(compared) {
			break
		}
		if row.Ordinal != int(compared[next].row) {
			continue
		}
		hashes := map[string]uint64{}
		for _, value := range row.Given() {
			hashes[value.Name] = maphash.String(seed, schema.FoldText(value.JSON.Text()))
		}
		byLine[compared[next].line], compared[next].number = hashes, row.number
		next++
	}
	for i := range v.conflicts {
		c := &v.conflicts[i]
		if one, other := byLine[c.line], byLine[c.otherLine]; one != nil && other != nil {
			c.columns = strings.Join(v.differing(one, other), ", ")
		}
		if c.otherLine < c.line {
			issue := v.conflictIssue(c)
			issue.IsElsewhere = v.otherShard.Has(int(c.row))
			v.issues.Add(issue)
		}
	}
	return nil
}

// differing returns the columns of the fields in which two rows differ.
func (s *Source) differing(one, other map[string]uint64) []string {
	var columns []string
	for i := range s.schema.Resource.Fields {
		field := s.schema.Resource.Fields[i].Name
		a, inOne := one[field]
		b, inOther := other[field]
		if a != b || inOne != inOther {
			columns = append(columns, s.column(field))
		}
	}
	return columns
}
