package decode

import (
	"bytes"
	"encoding/csv"
	"io"
	"slices"
	"testing"
)

// FuzzCSV compares the decoder with encoding/csv. Both must read the same cells, and a
// row that encoding/csv refuses must be an error or an issue.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "\"a\nb\",c\r\n\n,\n", "a\"b,c\n", "\"a\"b\n", "\"a", "\r\n\"\"\"\",\r\n", "a\r", "\r"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		std := csv.NewReader(bytes.NewReader(data))
		std.FieldsPerRecord = -1
		own := &csvDecoder{lines: newLineReader(bytes.NewReader(data)), comma: ','}
		for {
			want, wantErr := std.Read()
			var got RawRow
			err := own.Next(&got)
			if wantErr == io.EOF && err == io.EOF {
				return
			}
			invalid := err != nil || got.Issues != nil
			if wantErr == nil && invalid && invalidText(string(data)) != "" {
				return
			}
			if (wantErr != nil) != invalid {
				t.Fatalf("%q: got error %v, issues %v; want error %v", data, err, got.Issues, wantErr)
			}
			if wantErr != nil {
				return
			}
			line, _ := std.FieldPos(0)
			if !slices.Equal(got.Cells, want) || got.Line != line {
				t.Fatalf("%q: got %q on line %d, want %q on line %d", data, got.Cells, got.Line, want, line)
			}
		}
	})
}
