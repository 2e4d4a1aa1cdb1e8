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

// FuzzFastBuilder compares the rows of the fast builder with those of the general one.
func FuzzFastBuilder(f *testing.F) {
	for _, text := range []string{
		"account_id,campaign_id,keyword,type\n1,2, red  shoes ,target\n1,2,red,target\n1,3,\"a,b\",interest\n01,2,x,none\n1,2,,target\n,,,\n1,2,y\n",
		"keyword,error,http_status,\nx,bad,422,\ny,,,z\n", "keyword\tkeyword_type\ncaf\u00e9\ttarget\nx\\ty\t\n",
		"campaign_id,writer_instructions,additional_instructions\n7,a,\n7,,b\n8,\"x\ny\",c\n",
		"account_name,email,phone,country,zip,attributes\nA,a@example.com,1,us,1,[]\nA,bad,1,usa,1,\n", "rank_id,status\n1,activate\n2,0\n3,off\n",
		"keyword,account_id,campaign_id,type\nTRUE,1,1,target\nred\u00a0,1.0,2, target\n####,1,1,target\n5.03556E+09,1,1,target\n#N/A,1,1,target\n\"a\nb\",1,1,target\n",
		"account_name,phone,country_code,postal,website_url\nA,5E+09,UK,2134,a.example.com\nErr:502,1,United States,2134,x\nB,1,US,2134,https://a.example.com\nC,1,CH,2134,\n",
	} {
		for n := range 9 {
			f.Add([]byte(text), byte(n))
		}
	}
	constant := createSchema()
	constant.Constants = map[string]string{"account_id": "1", "keyword_type": "target"}
	preset := createSchema()
	preset.Defaults = schema.Values{"account_id": record.Value("1"), "campaign_id": record.Value("2"), "keyword_type": record.Value(`"target"`)}
	clearing := updateSchema()
	clearing.EmptyClears = true
	unchecked := createSchema()
	unchecked.Validate = false
	strict := accountSchema(schema.Create)
	strict.Strict = true
	schemas := []Schema{createSchema(), constant, preset, updateSchema(), clearing, unchecked, accountSchema(schema.Create), accountSchema(schema.Update), strict}
	f.Fuzz(func(t *testing.T, data []byte, n byte) {
		for _, format := range []string{"csv", "tsv"} {
			s, err := Open(decode.Options{Path: "-", Stdin: bytes.NewReader(data), Format: format}, schemas[int(n)%len(schemas)])
			if err != nil {
				continue
			}
			fast, general := s.passes()
			for range 2 { // the second pass knows what the first one has seen
				row := 0
				for in, err := range s.File.Rows() {
					if err != nil {
						break
					}
					got, want := fast.build(in, row), general.build(in, row)
					row++
					if fmt.Sprint(got) != fmt.Sprint(want) {
						t.Fatalf("row %d: the fast builder gave the error %v, the general one %v", row, got, want)
					}
					if a, b := fast.row.Repaired, general.row.Repaired; !slices.Equal(a, b) {
						t.Fatalf("row %d: the fast builder repaired %+v, the general one %+v", row, a, b)
					}
					if a, b := describe(fast.row), describe(general.row); got == nil && (a != b || !slices.Equal(fast.row.Cells, general.row.Cells)) {
						t.Fatalf("row %d: the fast builder gave %s, the general one %s", row, a, b)
					}
				}
				if fast.isMixed {
					break
				}
				fast.fast = newFastBuilder(s.Layout.schema, s.Layout.bindings, fast.fast)
			}
			_ = s.Close()
		}
	})
}

// TestPlainRowsAreBuiltFast checks that the fast builder builds the rows of an ordinary file, without which a load takes twice
// as long.
func TestPlainRowsAreBuiltFast(t *testing.T) {
	s, err := Open(decode.Options{Path: "-", Stdin: bytes.NewReader([]byte("account_id,campaign_id,keyword,type\n1,2,red,target\n")), Format: "csv"}, createSchema())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if fast, _ := s.passes(); fast.fast == nil {
		t.Error("got no fast builder, want one")
	}
}

// passes returns a pass with the fast builder and one without it.
func (s *Source) passes() (fast, general *pass) {
	l := s.Layout
	with := func(p *fastBuilder) *pass {
		return &pass{layout: l, file: s.File, binder: newBinder(l.schema), builder: builder{schema: l.schema}, fast: p}
	}
	return with(newFastBuilder(l.schema, l.bindings, nil)), with(nil)
}
