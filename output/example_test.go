package output_test

import (
	"context"
	"fmt"
	"iter"
	"os"

	"reseller/client/record"
	"reseller/output"
	"reseller/output/encode"
)

// texts returns the records of JSON texts, as the client returns those of an
// answer.
func texts(objects ...string) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		for _, object := range objects {
			if !yield(record.Parse([]byte(object))) {
				return
			}
		}
	}
}

// A list as csv: the documented columns, in their order, with nested objects
// taken apart.
func ExamplePrinter_Print() {
	accounts := output.Shape{Columns: []output.Column{
		{Name: "account_id"}, {Name: "account_name"}, {Name: "external_account_manager.name"},
	}}
	printer, err := output.New(os.Stdout, output.Options{Format: encode.CSV})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = printer.Print(context.Background(), accounts, texts(
		`{"account_id":1,"account_name":"Acme, Inc","external_account_manager":{"name":"Ann"},"city":"Portland"}`,
		`{"account_id":2,"account_name":"Bikes","external_account_manager":null}`,
	))
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// account_id,account_name,external_account_manager.name
	// 1,"Acme, Inc",Ann
	// 2,Bikes,
}

// One record as JSON: the fields that the service sent, whether or not they
// are documented.
func ExamplePrinter_Print_single() {
	printer, err := output.New(os.Stdout, output.Options{Format: encode.JSON})
	if err != nil {
		fmt.Println(err)
		return
	}
	account := output.Shape{Columns: []output.Column{{Name: "account_id"}}, Single: true}
	if err := printer.Print(context.Background(), account, texts(`{"account_id":1,"added_later":{"amount":1.00}}`)); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {
	//   "account_id": 1,
	//   "added_later": {
	//     "amount": 1.00
	//   }
	// }
}

// A jq expression takes the place of the format. One that begins with .[]
// takes the records one by one.
func ExampleOptions_jq() {
	printer, err := output.New(os.Stdout, output.Options{JQ: ".[] | select(.status == 1) | .keyword"})
	if err != nil {
		fmt.Println(err)
		return
	}
	keywords := output.Shape{Columns: []output.Column{{Name: "keyword"}, {Name: "status"}}}
	if err := printer.Print(context.Background(), keywords, texts(`{"keyword":"red shoes","status":1}`, `{"keyword":"hats","status":0}`)); err != nil {
		fmt.Println(err)
	}
	// Output:
	// red shoes
}
