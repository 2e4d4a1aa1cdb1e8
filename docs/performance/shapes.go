//go:build linux

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"strings"
)

// shapeSize is about how many bytes a response of serveShape has: a little less than
// the 32 MB that one record may have.
const shapeSize = 30 << 20

// shapes are texts of data that cost memory in different ways: each returns the value
// of a field of about size bytes, or further fields.
var shapes = map[string]func(size int) string{
	"cell":    func(size int) string { return `"keyword":"` + strings.Repeat("x", size) + `"` },
	"wide":    func(size int) string { return `"keyword":"` + strings.Repeat("日", size/len("日")) + `"` },
	"control": func(size int) string { return `"keyword":"` + strings.Repeat("\x7f", size) + `"` },
	"fields": func(size int) string {
		var b strings.Builder
		const fields = 80_000
		for i := range fields {
			fmt.Fprintf(&b, `,"field_%d":"%s"`, i, strings.Repeat("x", size/fields-16))
		}
		return b.String()[1:]
	},
	"names": func(size int) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, `,"%d":0`, i)
		}
		return b.String()[1:]
	},
	"control-names": func(size int) string {
		var b strings.Builder
		const names = 90_000
		for i := range names {
			fmt.Fprintf(&b, `,"%s%d":0`, strings.Repeat("\x7f", size/names-10), i)
		}
		return b.String()[1:]
	},
	"control-name": func(size int) string { return `"` + strings.Repeat("\x7f", size) + `":0` },
	"deep": func(size int) string {
		const depth = 500
		one := strings.Repeat("[", depth) + strings.Repeat("]", depth) + ","
		return `"keyword":[` + strings.TrimSuffix(strings.Repeat(one, size/len(one)), ",") + `]`
	},
	"numbers": func(size int) string {
		return `"keyword":[` + strings.TrimSuffix(strings.Repeat("0,", size/2), ",") + `]`
	},
	"objects": func(size int) string {
		return `"keyword":[` + strings.TrimSuffix(strings.Repeat(`{"":0},`, size/7), ",") + `]`
	},
}

// serveShape answers with a list of one record of a shape, or with that record itself.
// The shape rows is a list of many records. With gzip, the response is compressed.
func serveShape(w http.ResponseWriter, r *http.Request, single bool) {
	name, packed := strings.CutSuffix(r.PathValue("shape"), "-gzip")
	var text bytes.Buffer
	out := bytes.NewBuffer(make([]byte, 0, shapeSize+shapeSize/16))
	switch shape := shapes[name]; {
	case name == "rows":
		for i := 0; out.Len() < shapeSize; i++ {
			out.WriteString(",{" + keyword(i)[1:])
		}
		out.Next(1)
	case shape != nil:
		fmt.Fprintf(out, `{"rank_id":1,%s}`, shape(shapeSize))
	default:
		http.NotFound(w, r)
		return
	}
	if single {
		fmt.Fprintf(&text, `{"data":%s%s`, out.Bytes(), end)
	} else {
		fmt.Fprintf(&text, `{"data":[%s]%s`, out.Bytes(), end)
	}
	w.Header().Set("Content-Type", "application/json")
	if !packed {
		_, _ = w.Write(text.Bytes())
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	z := gzip.NewWriter(w)
	_, _ = z.Write(text.Bytes())
	_ = z.Close()
}

// serveBomb answers with a list of one cell of 4 GB, which are 4 MB as gzip.
func serveBomb(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Encoding", "gzip")
	z := gzip.NewWriter(w)
	_, _ = fmt.Fprint(z, `{"data":["`)
	block := bytes.Repeat([]byte("x"), 1<<20)
	for range 4 << 10 {
		if _, err := z.Write(block); err != nil {
			return
		}
	}
	_, _ = fmt.Fprint(z, `"]`+end)
	_ = z.Close()
}
