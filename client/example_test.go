package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"

	"reseller/client"
	"reseller/client/mock"
	"reseller/client/schema"
)

// startMock starts the mock service in this process. It returns its address, a
// token of its first reseller and a function that ends it.
func startMock() (address, token string, stop func()) {
	dir, err := os.MkdirTemp("", "reseller-example-*")
	if err != nil {
		log.Fatal(err)
	}
	service, err := mock.New(mock.Options{Path: filepath.Join(dir, "mock.db")})
	if err != nil {
		log.Fatal(err)
	}
	if token, err = service.Token(1); err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(service)
	return server.URL, token, func() {
		server.Close()
		_ = os.RemoveAll(dir)
	}
}

// connect returns a client of a mock service and a function that ends both.
func connect() (*client.Client, func()) {
	address, token, stop := startMock()
	c, err := client.New(client.Options{BaseURL: address, Tokens: client.StaticToken(token)})
	if err != nil {
		log.Fatal(err)
	}
	return c, func() {
		c.Close()
		stop()
	}
}

func Example() {
	address, token, stop := startMock()
	defer stop()

	c, err := client.New(client.Options{BaseURL: address, Tokens: client.StaticToken(token), Retries: 3})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()

	account, err := c.Account(context.Background(), 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(account.AccountID, account.AccountName, account.Status)
	// Fields that the struct does not have are in the record.
	fmt.Println(account.Record.Get("external_account_manager.name").Text())
	// Output:
	// 1 Harbor Dental active
	// Dana Reed
}

func ExampleEach() {
	c, stop := connect()
	defer stop()

	// The keywords arrive one at a time, however many there are.
	types := map[client.String]int{}
	for keyword, err := range client.Each[client.Keyword](c.Keywords(context.Background())) {
		if err != nil {
			log.Fatal(err)
		}
		types[keyword.Type]++
	}
	fmt.Println(types)
	// Output: map[interest:10 target:20]
}

func ExampleIsNotFound() {
	c, stop := connect()
	defer stop()

	_, err := c.Account(context.Background(), 999)
	fmt.Println(client.IsNotFound(err))

	var refusal *client.Error
	if errors.As(err, &refusal) {
		fmt.Println(refusal.Operation, refusal.HTTPStatus)
	}
	// Output:
	// true
	// GET /api/v2/accounts/{account_id} 404
}

func ExampleClient_CreateAccount() {
	c, stop := connect()
	defer stop()

	created, err := c.CreateAccount(context.Background(), client.AccountCreate{
		AccountName: "Harbour Bikes", FirstName: "Ada", LastName: "Quist", Email: "ada@example.com", Phone: "555-0100",
		Address1: "1 Quay Street", City: "Portland", State: "OR", Postal: "97201", CountryCode: "US",
		WebsiteURL: "https://bikes.example.com", ExternalAccountIdentifier: "crm-1001",
	})
	switch {
	case client.OutcomeUnknown(err):
		log.Fatal("look in c.Accounts before creating the account again: ", err)
	case err != nil:
		log.Fatal(err)
	}
	fmt.Println(created.AccountID > 0, created.CampaignID > 0)
	// Output: true true
}

func ExampleTypedReport_Rows() {
	c, stop := connect()
	defer stop()

	period := client.Dates{From: "2026-01-01", To: "2026-01-31"}
	days := 0
	for row, err := range client.ReportTraffic.Rows(context.Background(), c, 1, 101, period) {
		if err != nil {
			log.Fatal(err)
		}
		if row.Total == row.Organic+row.NonOrganic {
			days++
		}
	}
	fmt.Println(days, "days")
	// Output: 31 days
}

// A Call is any operation, with a body made of text as a file or a form has it.
func ExampleClient_Do() {
	c, stop := connect()
	defer stop()

	values := schema.Values{}
	for name, text := range map[string]string{"account_id": "1", "status": "deactivate"} {
		value, err := schema.StatusChange.Field(name).FromText(text, true)
		if err != nil {
			log.Fatal(err)
		}
		values[name] = value
	}
	response, err := c.Do(context.Background(), client.Call{Op: &schema.OpAccountsStatus, Body: schema.StatusChange.Body(values)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Data.Get("account_id").Text(), response.Data.Get("status").Text())
	// Output: 1 deactivated
}
