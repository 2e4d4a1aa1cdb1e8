package mock_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"testing"

	"reseller/client"
	"reseller/client/mock"
	"reseller/client/mock/fault"
)

// start starts a mock and returns a client of its first reseller.
func start(o mock.Options) (c *client.Client, stop func()) {
	service, err := mock.Start(o)
	if err != nil {
		log.Fatal(err)
	}
	c, err = client.New(client.Options{BaseURL: service.URL, Tokens: client.StaticToken(service.Token)})
	if err != nil {
		log.Fatal(err)
	}
	return c, func() {
		c.Close()
		service.Close()
	}
}

// printNewKeywords prints the keywords that the mock does not come with.
func printNewKeywords(ctx context.Context, c *client.Client) {
	for k, err := range c.Keywords(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		if k.RankID > 1042 {
			fmt.Println(k.RankID, k.Keyword)
		}
	}
}

// Serve the mock in the process of a test and call it with the client.
func Example() {
	c, stop := start(mock.Options{})
	defer stop()
	ctx := context.Background()

	_, err := c.AddKeywords(ctx, 1, 101, []client.NewKeyword{
		{Keyword: "bike repair", KeywordType: "target"},
		{Keyword: "bike rental", KeywordType: "interest"},
	})
	if err != nil {
		log.Fatal(err)
	}
	printNewKeywords(ctx, c)
	// Output:
	// 1043 bike repair
	// 1044 bike rental
}

// Let the connection break after a write was carried out: the client receives an error,
// and the keyword is there all the same.
func ExampleService_faults() {
	c, stop := start(mock.Options{Faults: func(_ int, method, _ string) fault.Fault {
		return fault.Fault{Reset: method == http.MethodPost}
	}})
	defer stop()
	ctx := context.Background()

	_, err := c.AddKeywords(ctx, 1, 101, []client.NewKeyword{{Keyword: "bike repair", KeywordType: "target"}})
	fmt.Println("failed:", err != nil)
	printNewKeywords(ctx, c)
	// Output:
	// failed: true
	// 1043 bike repair
}

// Let one request in two fail, without being carried out: a seed makes a run repeatable.
func ExampleService_schedule() {
	schedule := fault.NewSchedule(1, 0.5, fault.Fault{Status: 500, Execute: fault.ExecuteNone}, fault.Fault{Status: 502, Execute: fault.ExecuteNone})
	c, stop := start(mock.Options{Faults: schedule})
	defer stop()

	failed := 0
	for range 20 {
		if _, err := c.Account(context.Background(), 1); err != nil {
			failed++
		}
	}
	fmt.Println("failed:", failed, "of 20")
	// Output: failed: 13 of 20
}

// TestNew starts a failing service for a test by one line.
func TestNew(t *testing.T) {
	service := mock.New(t, mock.Options{Faults: func(int, string, string) fault.Fault { return fault.Fault{Status: http.StatusTeapot} }})
	c, err := client.New(client.Options{BaseURL: service.URL, Tokens: client.StaticToken(service.Token)})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Account(t.Context(), 1); !errors.Is(err, client.ErrRefused) {
		t.Errorf("got %v, want the fault", err)
	}
}
