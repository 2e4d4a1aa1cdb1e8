package rows

import (
	"slices"

	"reseller/client/record"
	"reseller/client/schema"
)

// A plainColumn reads the cells of a column that need no repair, which are most cells of most files. It remembers its last cell
// and the value of that, since the cells of a column often repeat. Without it, validation takes twice as long.
type plainColumn struct {
	field     *schema.Field // nil if the builder has to set each cell
	validates bool
	clears    bool            // an empty cell makes the field empty
	refers    bool            // a cell may name an account or a campaign in other words than by its id
	numbers   map[string]bool // References.Numbers of such a column
	text      []byte          // the last cell
	json      record.Value    // the value of text
}

// plainColumns returns a plainColumn for each of some bindings.
func (s *Schema) plainColumns(bindings []*binding) []plainColumn {
	columns := make([]plainColumn, len(bindings))
	for i, to := range bindings {
		isPlain := to.kind == kindField && !slices.Contains([]schema.Type{schema.List, schema.Attributes, schema.Pair, schema.Country}, to.field.Type)
		if !isPlain || to.field.Content == schema.PostalCode || s.values[to.key] != nil {
			continue
		}
		columns[i] = plainColumn{field: to.field, validates: s.validates(to.field), clears: s.EmptyClears && s.mayClear(to)}
		if s.References != nil && to.field.IsReference() {
			columns[i].refers, columns[i].numbers = true, s.References.Numbers
		}
	}
	return columns
}

// set adds the value of a cell to values, and reports whether it could: an empty cell has none.
func (c *plainColumn) set(values *Values, cell string) bool {
	if c.field == nil || cell == "" {
		return c.field != nil && !c.clears
	}
	if string(c.text) != cell && !c.encode(cell) {
		return false
	}
	*values = append(*values, Value{c.field.Name, c.json})
	return true
}

// encode sets the last cell and its value. It reports whether the cell is valid, neither damaged nor to be repaired.
func (c *plainColumn) encode(cell string) bool {
	isOrdinary := c.field.IsOrdinary(cell)
	switch {
	case c.numbers != nil && c.numbers[cell]:
		return false
	case isOrdinary && c.field.Type == schema.Text:
		c.json = append(append(append(c.json[:0], '"'), cell...), '"')
		c.text = append(c.text[:0], cell...)
		return true
	case isOrdinary && c.field.Type == schema.Int && c.field.Max == 0:
		c.json = append(c.json[:0], cell...)
		c.text = append(c.text[:0], cell...)
		return true
	}
	c.text = c.text[:0]
	if !isOrdinary {
		if c.refers && schema.IsReferenceCell(cell) {
			return false
		}
		if _, repairs := c.field.RepairCell(cell, ""); repairs != 0 {
			return false
		}
	}
	json, err := c.field.AppendText(c.json[:0], cell, c.validates)
	if err != nil {
		return false
	}
	c.text, c.json = append(c.text, cell...), json
	return true
}
