package decode

import (
	"bytes"
	"encoding/csv"
	"io"
	"slices"
	"testing"
)

// FuzzCSV compares with encoding/csv: what that reads is read alike, and what
// it refuses is refused or marked.
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
			var got Record
			err := own.Next(&got)
			if wantErr == io.EOF && err == io.EOF {
				return
			}
			bad := err != nil || got.Issues != nil
			if wantErr == nil && bad && invalidText(string(data)) != "" {
				return
			}
			if (wantErr != nil) != bad {
				t.Fatalf("%q: %v, want %v", data, err, wantErr)
			}
			if wantErr != nil {
				return
			}
			line, _ := std.FieldPos(0)
			if !slices.Equal(got.Cells, want) || got.Line != line {
				t.Fatalf("%q: %q on line %d, want %q on line %d", data, got.Cells, got.Line, want, line)
			}
		}
	})
}
