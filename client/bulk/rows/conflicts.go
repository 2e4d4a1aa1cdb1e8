package rows

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"reseller/client/schema"
)

// maxCompared is the number of rows in conflict that are compared with each other, so
// that their issues name the columns in which they differ.
const maxCompared = 20_000

// compareConflicts reads the file again to find out in which columns the rows in conflict
// differ, and adds an issue for each of them.
func (v *validation) compareConflicts() error {
	if v.conflicts == nil {
		return nil
	}
	slices.SortFunc(v.conflicts, func(a, b conflictingRow) int { return cmp.Compare(a.row, b.row) })
	compared := v.conflicts[:min(len(v.conflicts), maxCompared)]
	seed, byLine := maphash.MakeSeed(), map[uint32]map[string]uint64{} // the hashes of the values, whose spelling may differ
	next := 0
	for row, err := range v.scan(newBinder(v.schema)) {
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
	groups := map[uint32][]uint32{} // the lines of the rows of each conflict, by the first of them
	for _, c := range v.conflicts {
		first := min(c.line, c.otherLine)
		groups[first] = append(groups[first], c.line)
	}
	for i := range v.conflicts {
		c := &v.conflicts[i]
		c.lines = groups[min(c.line, c.otherLine)]
		if len(c.lines) <= maxCompared/1000 && byLine[c.line] != nil { // some of them may agree with the row
			others := slices.DeleteFunc(slices.Clone(c.lines), func(line uint32) bool { return maps.Equal(byLine[line], byLine[c.line]) })
			if len(others) > 0 {
				c.lines = others
			}
		}
		c.columns = v.differing(c, byLine)
		issue := v.conflict(int(c.row))
		issue.IsElsewhere = v.otherShard.Has(int(c.row))
		v.issues.Add(issue)
	}
	return nil
}

// differing returns the columns of the fields in which a row differs from one of those that it contradicts. Of a conflict
// of very many rows it compares the first two.
func (l *layout) differing(c *conflictingRow, byLine map[uint32]map[string]uint64) string {
	others := c.lines
	if len(others) > maxCompared/1000 {
		others = []uint32{c.otherLine}
	}
	var columns []string
	for i := range l.schema.Resource.Fields {
		field := l.schema.Resource.Fields[i].Name
		one, inOne := byLine[c.line][field]
		if slices.ContainsFunc(others, func(line uint32) bool {
			other, inOther := byLine[line][field]
			return byLine[c.line] != nil && byLine[line] != nil && (one != other || inOne != inOther)
		}) {
			columns = append(columns, l.column(field))
		}
	}
	return strings.Join(columns, ", ")
}
