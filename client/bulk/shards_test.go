package bulk

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/rows"
	"reseller/client/record"
)

// TestShardsCoverTheFile checks that every row is in exactly one shard, whatever their
// number, and that the first shard with an invalid row reports it.
func TestShardsCoverTheFile(t *testing.T) {
	const total = 200
	path := writeFile(t, "k.csv", keywordRows(total)+"0,1,WORD 0,target\nx,1,y,target\n")
	for n := 1; n <= 9; n++ {
		t.Run(fmt.Sprint(n, " shards"), func(t *testing.T) {
			shardsOfLine := map[int]int{}
			all, invalid := 0, 0
			for i := 1; i <= n; i++ {
				sch := createSchema()
				sch.Shard = rows.Shard{I: i, N: n}
				s, err := rows.Open(decode.Options{Path: path}, sch)
				noError(t, err)
				report, err := s.Validate(t.Context())
				if err == nil {
					t.Fatalf("shard %d got no error, want every shard to report the invalid row", i)
				}
				all, invalid = all+report.Rows, invalid+report.Invalid
				for row, err := range s.All() {
					if err == nil {
						shardsOfLine[row.Line]++
					}
				}
				_ = s.Close()
			}
			if len(shardsOfLine) != total || all != total+2 || invalid != 1 {
				t.Errorf("got %d valid rows of %d, %d invalid; want %d of %d, 1", len(shardsOfLine), all, invalid, total, total+2)
			}
			for line, shards := range shardsOfLine {
				if shards != 1 {
					t.Errorf("line %d is in %d shards, want 1", line, shards)
				}
			}
		})
	}
}

// TestShardDependsOnTheRowOnly checks that a row is in the same shard in every format
// and at every place in the file.
func TestShardDependsOnTheRowOnly(t *testing.T) {
	keywords := []string{"red shoes", "Café", "a;b", `say "so"`, "x\ty", "ß", "7", "-", "löß", "two\nlines"}
	texts := map[string]string{"csv": keywordHead, "tsv": "account_id\tcampaign_id\tkeyword\ttype\n", "json": "["}
	for i, keyword := range keywords {
		quoted := string(record.Quote(keyword))
		texts["csv"] += fmt.Sprintf("1,1,\"%s\",target\r\n", strings.ReplaceAll(keyword, `"`, `""`))
		texts["tsv"] += fmt.Sprintf("1\t1\t%s\ttarget\n", strings.NewReplacer("\t", `\t`, "\n", `\n`).Replace(keyword))
		object := fmt.Sprintf(`{"type":"target","account_id":"1","campaign_id":1,"keyword":%s}`, quoted)
		texts["ndjson"] = object + "\n" + texts["ndjson"] // in reverse order
		texts["yaml"] += "- keyword: " + quoted + "\n  account_id: 1\n  campaign_id: 1\n  keyword_type: target\n"
		if i > 0 {
			texts["json"] += ","
		}
		texts["json"] += object
	}
	texts["json"] += "]"
	for n := 1; n <= 5; n++ {
		var inCSV []string
		for _, format := range []string{"csv", "tsv", "json", "ndjson", "yaml"} {
			t.Run(fmt.Sprintf("%s in %d shards", format, n), func(t *testing.T) {
				var got, all []string // the keywords with their shards, and the keywords only
				for i := 1; i <= n; i++ {
					sch := createSchema()
					sch.Validate = false // control characters are damage
					sch.Shard = rows.Shard{I: i, N: n}
					for _, row := range validRows(t, format, texts[format], sch) {
						keyword := row.Values.Get("keyword").Text()
						got, all = append(got, fmt.Sprint(i, keyword)), append(all, keyword)
					}
				}
				slices.Sort(got)
				slices.Sort(all)
				if len(slices.Compact(all)) != len(keywords) || len(got) != len(keywords) {
					t.Errorf("got %q, want each of %d keywords once", got, len(keywords))
				}
				if inCSV == nil {
					inCSV = got
				}
				if !slices.Equal(inCSV, got) {
					t.Errorf("got %q, want %q as in csv", got, inCSV)
				}
			})
		}
	}
}

// TestShardsAreEven checks for several kinds of files, even those of the shortest keywords and of ids
// that count, that each shard has about as many rows as the others: within five standard deviations
// of what chance gives.
func TestShardsAreEven(t *testing.T) {
	count := func(n int, row string) (text string) {
		for i := range n {
			text += fmt.Sprintf(row, i)
		}
		return text
	}
	letters := ""
	for c := 'a'; c <= 'z'; c++ {
		letters += "1,2," + string(c) + ",target\n"
	}
	for _, tt := range []struct {
		name, text string
		schema     rows.Schema
	}{
		{"single letters", keywordHead + letters, createSchema()},
		{"keywords that count", keywordHead + count(1000, "1,2,word %d,target\n"), createSchema()},
		{"campaigns that count", keywordHead + count(1000, "1,%d,word,target\n"), createSchema()},
		{"ids that count", "rank_id,status\n" + count(1000, "%d1,activate\n"), updateSchema()},
	} {
		for _, n := range []int{2, 3, 4, 8, 16} {
			t.Run(fmt.Sprint(tt.name, " in ", n), func(t *testing.T) {
				sizes, total := make([]int, n), 0
				for i := range n {
					sch := tt.schema
					sch.Shard = rows.Shard{I: i + 1, N: n}
					sizes[i] = len(validRows(t, "csv", tt.text, sch))
					total += sizes[i]
				}
				mean := float64(total) / float64(n)
				limit := 5 * math.Sqrt(mean*(1-1/float64(n)))
				for i, size := range sizes {
					if math.Abs(float64(size)-mean) > limit {
						t.Errorf("shard %d of %v: got %d rows, want %.0f, give or take %.0f", i+1, sizes, size, mean, limit)
					}
				}
			})
		}
	}
}
