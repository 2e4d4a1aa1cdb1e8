package output

import (
	"iter"
	"strings"

	"reseller/client/record"
	"reseller/output/encode"
)

// A selection says which records of a list are printed: those that meet all conditions and
// contain the text that the user searches for.
type selection struct {
	conditions []*condition
	search     string // in lower case; empty if there is none
	searched   []encode.Column
	rest       encode.Fields // further fields that are searched; may be nil
}

// newSelection returns the selection of the options, nil if they select every record. l is the
// layout of the records.
func newSelection(o Options, s Shape, l *layout) (*selection, error) {
	if len(o.Where) == 0 && o.Search == "" {
		return nil, nil
	}
	sel := &selection{search: strings.ToLower(o.Search), searched: l.Columns}
	for _, text := range o.Where {
		c, err := newCondition(s, text)
		if err != nil {
			return nil, err
		}
		sel.conditions = append(sel.conditions, c)
	}
	if l.all || !l.Picked && o.Format.WholeRecords() { // every field is shown
		sel.searched, sel.rest = s.Columns, s.undocumented
	}
	return sel, nil
}

// of returns the records of seq that are selected. At the end of seq, a condition on a field that no record has is
// an error.
func (sel *selection) of(seq iter.Seq2[record.Record, error]) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		isEmpty := true
		for rec, err := range seq {
			if (err != nil || sel.has(&rec)) && !yield(rec, err) || err != nil {
				return
			}
			isEmpty = false
		}
		for _, c := range sel.conditions {
			if err := c.unmet(); err != nil && !isEmpty {
				yield(record.Record{}, err)
				return
			}
		}
	}
}

func (sel *selection) has(rec *record.Record) bool {
	holds := true
	for _, c := range sel.conditions {
		holds = (holds || !c.met) && c.holds(rec) && holds // a condition that was never met looks at each record
	}
	if sel.search == "" || !holds {
		return holds
	}
	for i := range sel.searched {
		if v, _ := sel.searched[i].Get(rec); containsFold(v, sel.search) {
			return true
		}
	}
	if sel.rest != nil {
		for _, v := range sel.rest(*rec) {
			if containsFold(v, sel.search) {
				return true
			}
		}
	}
	return false
}

func containsFold(v record.Value, lower string) bool {
	return strings.Contains(strings.ToLower(v.Text()), lower)
}

// limited ends seq after n records, without reading another one.
func limited(seq iter.Seq2[record.Record, error], n int) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		left := n
		for rec, err := range seq {
			if !yield(rec, err) {
				return
			}
			if left--; left == 0 {
				return
			}
		}
	}
}

func (l *layout) arranged(seq iter.Seq2[record.Record, error]) iter.Seq2[record.Record, error] {
	if l.declared != nil {
		seq = mapped(seq, l.declared.of)
	}
	if l.Single {
		return limited(seq, 1)
	}
	if l.selection != nil {
		seq = l.selection.of(seq)
	}
	if l.arrange != nil {
		seq = l.arrange(seq)
	}
	if len(l.sort) > 0 {
		seq = sorted(seq, l.sort, sortMemory)
	}
	if l.limit > 0 {
		seq = limited(seq, l.limit)
	}
	return seq
}

func newSortColumns(s Shape, names []string) ([]sortColumn, error) {
	var columns []sortColumn
	for _, name := range names {
		name, descending := strings.CutPrefix(strings.TrimSpace(name), "-")
		c, err := s.find(name, "sort column")
		if err != nil {
			return nil, err
		}
		columns = append(columns, sortColumn{wantedColumn{Column: c, mayLack: s.documents(c.Name)}, descending})
	}
	return columns, nil
}
