package record_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"reseller/client/record"
)

func ExampleRecord_Get() {
	rec, err := record.Parse([]byte(`{"account_id":"7","manager":{"name":"Kim"},"attributes":[{"field_name":"Industry","field_value":"Retail"}]}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rec.Get("manager.name").Text())
	fmt.Println(string(rec.Get("attributes.Industry")))
	fmt.Println(rec.Get("phone").Kind())
	id, ok := rec.Get("account_id").Int64() // a number may come as a string
	fmt.Println(id, ok)
	fmt.Printf("%+v\n", struct{ Record record.Record }{rec.Only("account_id")})
	// Output:
	// Kim
	// "Retail"
	// nothing
	// 7 true
	// {Record:{"account_id":"7"}}
}

func ExampleReader() {
	r := record.NewReader(strings.NewReader(`{"id":1} {"id":2,"name":"Harbour"}`), 1<<20)
	var rec record.Record // reused: valid until the next one is read
	for _, err := r.Peek(); err != io.EOF; _, err = r.Peek() {
		if err := r.Record(&rec); err != nil {
			log.Fatal(err)
		}
		for name, value := range rec.Fields() {
			fmt.Print(name, "=", value.Text(), " ")
		}
	}
	// Output: id=1 id=2 name=Harbour
}

func ExampleRecord_Prepend() {
	rec, err := record.Parse([]byte(`{"name":"Harbour"}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(rec.Prepend(record.Pair{Name: "city", Value: record.Quote("Portland")}).Raw()))
	// Output: {"city":"Portland","name":"Harbour"}
}
