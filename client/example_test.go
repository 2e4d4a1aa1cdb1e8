package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"reseller/client"
	"reseller/client/mock"
	"reseller/client/schema"
)

// connect returns a client of a mock service and a function that ends both.
func connect() (*client.Client, func()) {
	service, err := mock.Start(mock.Options{})
	if err != nil {
		log.Fatal(err)
	}
	c, err := client.New(client.Options{BaseURL: service.URL, Tokens: client.StaticToken(service.Token)})
	if err != nil {
		log.Fatal(err)
	}
	return c, func() {
		c.Close()
		service.Close()
	}
}

func Example() {
	service, err := mock.Start(mock.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()

	c, err := client.New(client.Options{BaseURL: service.URL, Tokens: client.StaticToken(service.Token), Retries: 3})
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

func ExampleClient_Keywords() {
	c, stop := connect()
	defer stop()

	// The keywords arrive one at a time, however many there are.
	types := map[client.String]int{}
	for keyword, err := range c.Keywords(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		types[keyword.Type]++
	}
	fmt.Println(types)
	// Output: map[interest:10 target:20]
}

func ExampleError_Is() {
	c, stop := connect()
	defer stop()

	_, err := c.Account(context.Background(), 999)
	fmt.Println(errors.Is(err, client.ErrNotFound))

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
		WebsiteURL: "https://bikes.example.com", ExternalAccountIdentifier: "crm-3001",
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

// A field that is nil keeps its value.
func ExampleClient_UpdateAccount() {
	c, stop := connect()
	defer stop()

	ctx, phone := context.Background(), "555-0199"
	if _, err := c.UpdateAccount(ctx, client.AccountUpdate{AccountID: 1, Phone: &phone}); err != nil {
		log.Fatal(err)
	}
	account, err := c.Account(ctx, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(account.AccountName, account.Phone)
	// Output: Harbor Dental 555-0199
}

func ExampleClient_SetAccountStatus() {
	c, stop := connect()
	defer stop()

	if _, err := c.SetAccountStatus(context.Background(), 2, "deactivate"); err != nil {
		log.Fatal(err)
	}
	account, err := c.Account(context.Background(), 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(account.Status)
	// Output: deactivated
}

// A few keywords are one call. For many, package loads makes sure that each is added once.
func ExampleClient_AddKeywords() {
	c, stop := connect()
	defer stop()

	added, err := c.AddKeywords(context.Background(), 1, 101, []client.NewKeyword{
		{Keyword: "cargo bikes", KeywordType: "target"},
		{Keyword: "folding bikes", KeywordType: "interest"},
	})
	if client.OutcomeUnknown(err) {
		log.Fatal("look in c.Keywords before adding them again: ", err)
	} else if err != nil {
		log.Fatal(err)
	}
	fmt.Println(added.CampaignID)
	// Output: 101
}

func ExampleClient_UpdateNotes() {
	c, stop := connect()
	defer stop()

	ctx := context.Background()
	notes, err := c.Notes(ctx, 101)
	if err != nil {
		log.Fatal(err)
	}
	notes.WriterInstructions = "friendly, no slang"
	if err := c.UpdateNotes(ctx, notes); err != nil {
		log.Fatal(err)
	}
	notes, err = c.Notes(ctx, 101)
	fmt.Println(notes.WriterInstructions, err)
	// Output: friendly, no slang <nil>
}

func ExampleClient_EstimateBudget() {
	c, stop := connect()
	defer stop()

	estimate, err := c.EstimateBudget(context.Background(), client.EstimateRequest{URL: "https://bikes.example.com", Seeds: []string{"city bikes"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(estimate.Keywords) > 0, estimate.EstimatedBudget.EstimatedMonthlyBudget != "")
	// Output: true true
}

// A login needs no token, and returns one.
func ExampleClient_Login() {
	service, err := mock.Start(mock.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()

	anonymous, err := client.New(client.Options{BaseURL: service.URL})
	if err != nil {
		log.Fatal(err)
	}
	defer anonymous.Close()
	token, expires, err := anonymous.Login(context.Background(), "reseller1", "mock")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(token != "", expires.After(time.Now()))
	// Output: true true
}
