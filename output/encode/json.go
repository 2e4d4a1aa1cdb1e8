package encode

import "reseller/client/record"

// JSON is an array of objects, or one object if the layout is Single.
const JSON Format = "json"

type jsonEncoder struct{ records }

func newJSON(l Layout) Encoder { return &jsonEncoder{records{layout: l}} }

func (e *jsonEncoder) Record(dst []byte, rec record.Record) ([]byte, error) {
	if e.layout.Single {
		return append(appendJSON(dst, e.text(&rec), 0, e.layout.Flush), '\n'), nil
	}
	if e.began {
		dst = append(dst, ",\n  "...)
	} else {
		dst = append(dst, "[\n  "...)
	}
	e.began = true
	if e.layout.Picked {
		return appendJSON(dst, e.text(&rec), 1, e.layout.Flush), nil
	}
	return appendElement(dst, &rec, e.layout.Flush), nil
}

func (e *jsonEncoder) End(dst []byte) ([]byte, error) {
	switch {
	case e.layout.Single:
		return dst, nil
	case e.began:
		return append(dst, "\n]\n"...), nil
	}
	return append(dst, "[]\n"...), nil
}

// appendElement appends a record as an element of the array, as AppendJSON would.
// It copies names and values that have nothing to escape, as their marks show.
func appendElement(dst []byte, rec *record.Record, flush Flush) []byte {
	n := rec.Len()
	if n == 0 {
		return append(dst, "{}"...)
	}
	dst = append(dst, '{')
	for i := range n {
		dst = flush.drain(dst)
		name, v, marks := rec.At(i)
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, "\n    "...)
		if marks&record.MarkNonASCII != 0 {
			dst, _ = appendString(dst, name, 0, flush)
		} else {
			dst = append(dst, name...)
		}
		dst = append(dst, ": "...)
		if k := v.Kind(); marks&record.MarkNonASCII != 0 || k == record.Array || k == record.Object {
			dst = appendJSON(dst, v, 2, flush)
		} else {
			dst = append(dst, v...)
		}
	}
	return append(dst, "\n  }"...)
}
