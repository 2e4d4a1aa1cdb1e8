package rows

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"reseller/client/bulk/decode"
	"reseller/client/record"
	"reseller/client/schema"
)

// FuzzPlain compares rows that are made at once with those that a draft makes.
func FuzzPlain(f *testing.F) {
	for _, text := range []string{
		"account_id,campaign_id,keyword,type\n1,2, red  shoes ,target\n1,2,red,target\n1,3,\"a,b\",interest\n01,2,x,none\n1,2,,target\n,,,\n1,2,y\n",
		"keyword,error,http_status,\nx,bad,422,\ny,,,z\n", "keyword\tkeyword_type\ncaf\u00e9\ttarget\nx\\ty\t\n",
		"campaign_id,writer_instructions,additional_instructions\n7,a,\n7,,b\n8,\"x\ny\",c\n",
		"account_name,email,phone,country,zip,attributes\nA,a@example.com,1,us,1,[]\nA,bad,1,usa,1,\n", "rank_id,status\n1,activate\n2,0\n3,off\n",
	} {
		for n := range 8 {
			f.Add([]byte(text), byte(n))
		}
	}
	constant := creating()
	constant.Constants = map[string]string{"account_id": "1", "keyword_type": "target"}
	preset := creating()
	preset.Defaults = schema.Values{"account_id": record.Value("1"), "campaign_id": record.Value("2"), "keyword_type": record.Value(`"target"`)}
	clearing := updating()
	clearing.EmptyClears = true
	unchecked := creating()
	unchecked.Validate = false
	specs := []Schema{creating(), constant, preset, updating(), clearing, unchecked, accounts(schema.Create), accounts(schema.Update)}
	f.Fuzz(func(t *testing.T, data []byte, n byte) {
		for _, format := range []string{"csv", "tsv"} {
			s, err := Open(decode.Options{Path: "-", Stdin: bytes.NewReader(data), Format: format}, specs[int(n)%len(specs)])
			if err != nil {
				continue
			}
			plain, drafted := s.makers()
			r, err := s.file.Decoder()
			var in decode.Record
			for row := 0; err == nil; row++ {
				if err = r.Next(&in); err != nil {
					break
				}
				got, want := plain.build(&in, row), drafted.build(&in, row)
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("row %d: %v, drafted %v", row, got, want)
				}
				if a, b := show(plain.row), show(drafted.row); got == nil && (a != b || !slices.Equal(plain.row.Cells, drafted.row.Cells)) {
					t.Fatalf("row %d: %s, drafted %s", row, a, b)
				}
			}
			_ = s.Close()
		}
	})
}

// makers are one that makes rows at once where it can, and one that never does.
func (s *Source) makers() (plain, drafted *scanner) {
	of := func(p *fastBuilder) *scanner {
		return &scanner{Source: s, binder: newBinder(&s.schema), builder: builder{schema: &s.schema}, fast: p}
	}
	return of(newFastBuilder(&s.schema, s.bindings, s.constants)), of(nil)
}
