package encode_test

import (
	"fmt"
	"log"

	"reseller/client/record"
	"reseller/output/encode"
)

// The columns of a csv document are those of the Layout. A cell is empty if the record
// lacks the field.
func Example() {
	encoder := encode.New(encode.CSV, encode.Layout{Columns: []encode.Column{
		encode.Column{Name: "account_id"},
		encode.Column{Name: "manager", Path: "external_account_manager.name"},
	}})
	document := encoder.Begin(nil)
	for _, text := range []string{
		`{"account_id":7,"external_account_manager":{"name":"Doe, Jo"}}`,
		`{"account_id":8,"status":"active"}`,
	} {
		rec, err := record.Parse([]byte(text))
		if err != nil {
			log.Fatal(err)
		}
		if document, err = encoder.Record(document, rec); err != nil {
			log.Fatal(err)
		}
	}
	document, err := encoder.End(document)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(document))
	// Output:
	// account_id,manager
	// 7,"Doe, Jo"
	// 8,
}
