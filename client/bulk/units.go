package bulk

import (
	"errors"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/dedupe"
)

// each walks the rows of a source that can be sent.
func each(src *Source, visit func(Row) error) error {
	for row, err := range src.Rows() {
		if wrong := decode.AsError(err); wrong != nil && !wrong.Fatal {
			continue
		}
		if err == nil {
			err = visit(*row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// units is a source of what a step writes for the rows of s, n things in all.
// The units of rows that stay are numbered and left out.
func (s *Source) units(step *Step, n int, stays func(row int) bool) (*Source, error) {
	out := &Source{spec: s.spec, rows: dedupe.NewIndex(), all: n}
	out.made = func(yield func(*Row, error) bool) {
		n := 0
		enough := errors.New("enough")
		err := each(s, func(row Row) error {
			for _, values := range step.Units(row) {
				unit := Row{Line: row.Line, Values: values, ordinal: n}
				if n++; !stays(row.ordinal) && !yield(&unit, nil) {
					return enough
				}
			}
			return nil
		})
		if err != nil && err != enough {
			yield(&Row{ordinal: -1}, err)
		}
	}
	var id, same []byte
	for row, err := range out.made {
		if err != nil {
			return nil, err
		}
		id, same = step.Identity(row.Values, id[:0], same[:0])
		out.rows.Add(row.ordinal, out.rows.Fingerprint(id, same))
	}
	return out, nil
}
