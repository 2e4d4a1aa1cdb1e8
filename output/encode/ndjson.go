package encode

import "reseller/client/record"

const NDJSON Format = "ndjson"

type ndjsonEncoder struct{ records }

func newNDJSON(l Layout) Encoder { return &ndjsonEncoder{records{layout: l}} }

// Record appends one line. It copies a record that has nothing to escape and no
// white space.
func (e *ndjsonEncoder) Record(dst []byte, rec record.Record) ([]byte, error) {
	raw := rec.Raw()
	switch {
	case e.layout.Picked:
		raw = e.text(&rec)
	case rec.Marks()&(record.MarkNonASCII|record.MarkSpace) == 0:
		return append(append(dst, raw...), '\n'), nil
	}
	return append(appendJSON(dst, raw, Compact, e.layout.Flush), '\n'), nil
}
