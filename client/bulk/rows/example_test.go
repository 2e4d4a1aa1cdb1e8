package rows_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/rows"
	"reseller/client/schema"
)

// Validate the rows of a file, and walk the rows that can be sent.
func Example() {
	dir, err := os.MkdirTemp("", "rows")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "keywords.csv")
	file := "account_id,campaign_id,keyword,type\n1,101,red shoes,target\n1,101,blue shoes,other\n1,101,red shoes,target\n"
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		log.Fatal(err)
	}
	source, err := rows.Open(decode.Options{Path: path}, rows.Schema{Resource: &schema.Keywords, Use: schema.Create, Validate: true})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = source.Close() }()

	report, err := source.Validate(context.Background())
	fmt.Printf("%d rows, %d invalid, %d repeated\n", report.Rows, report.Invalid, report.Duplicates)
	fmt.Println(err)
	for row, err := range source.Valid() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("line %d: %s\n", row.Line, row.Values.Get("keyword").Text())
	}
	// Output:
	// 3 rows, 1 invalid, 1 repeated
	// line 3, type: "other" is not one of target, interest (keyword "blue shoes")
	// line 2: red shoes
}
