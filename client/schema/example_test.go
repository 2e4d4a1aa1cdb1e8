package schema_test

import (
	"fmt"
	"log"

	"reseller/client/schema"
)

func ExampleField_FromText() {
	country := schema.AccountsV2.Field("country_code")
	value, err := country.FromText("us", true)
	fmt.Println(string(value), err)
	_, err = country.FromText("USA", true)
	fmt.Println(err)
	// Output:
	// "US" <nil>
	// "USA" is not a two-letter country code
}

func ExampleResource_Body() {
	values := schema.Values{}
	for name, text := range map[string]string{"rank_id": "1001", "status": "active", "keyword_type": "target"} {
		value, err := schema.Keywords.Field(name).FromText(text, false)
		if err != nil {
			log.Fatal(err)
		}
		values[name] = value
	}
	fmt.Println(string(schema.Keywords.Body(values)))
	// Output: {"rank_id":1001,"keyword_type":"target","status":"active"}
}

func ExampleResource_Having() {
	for _, field := range schema.Credentials.Having(schema.Required) {
		fmt.Print(field.Name, " ")
	}
	// Output: reseller_account_id account_id campaign_id credentials_types_id username password note
}
