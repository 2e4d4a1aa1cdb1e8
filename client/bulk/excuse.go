package bulk

import (
	"context"
	"slices"

	"reseller/client/bulk/decode"
	"reseller/client/schema"
)

// Excuse lets pass, in the checks to come, rows in which what is wrong says no
// more than what the service holds: it is not sent. The file was checked. Where
// rows stay that no look at the service can help, and are not to be skipped, it
// is not asked.
func (s *Source) Excuse(ctx context.Context, op Op, skip bool) (err error) {
	s.lenient = slices.Clone(s.invalid)
	defer func() {
		if err != nil {
			s.lenient = nil
		}
	}()
	if _, err := s.Check(ctx); err != nil {
		if decode.AsError(err) == nil {
			return err
		}
		if !skip || slices.Equal(s.invalid, s.lenient) {
			s.lenient = nil
			return nil
		}
	}
	view, err := op.Look(ctx, Reading{Holdings: s.holdings()})
	if err != nil {
		return err
	}
	for row, err := range s.walk(newColumns(&s.spec)) { // rows that repeat others too
		wrong := decode.AsError(err)
		if err != nil && (wrong == nil || wrong.Fatal) {
			return err
		}
		if wrong != nil || !s.lenient.Has(row.ordinal) {
			continue
		}
		row.Extra = nil // the load itself tells of read-only columns
		out, err := view.Find(ctx, row)
		if err != nil {
			return err
		}
		if out.State != Present && !(out.State == Absent && s.spec.sound(row.Values)) {
			s.lenient.Clear(row.ordinal)
		}
	}
	return nil
}

// sound tells whether nothing is wrong with values.
func (s *Spec) sound(values Values) bool {
	return !slices.ContainsFunc(values, func(v value) bool {
		f := s.Resource.Field(v.name)
		if f == nil {
			return false
		}
		_, err := f.FromJSON(v.json, s.checks(f))
		return err != nil
	})
}

// checks tells whether values of f are checked in this row.
func (d *draft) checks(f *schema.Field) bool {
	return d.spec.checks(f) && (!d.lenient || f.Has(schema.Key))
}

// checks tells whether values of f are checked. An id that names the record is
// always one: nothing is sent for a record that can't be.
func (s *Spec) checks(f *schema.Field) bool {
	return s.Check || f.Type == schema.Int && f.Has(schema.Key)
}
