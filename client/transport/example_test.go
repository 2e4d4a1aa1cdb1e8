package transport_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"

	"reseller/client/transport"
)

// The service refuses the first request with 429; the chain retries it.
func Example() {
	refuse := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if refuse {
			refuse = false
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}))
	defer server.Close()
	base, err := url.Parse(server.URL)
	if err != nil {
		log.Fatal(err)
	}

	chain := transport.New(base, transport.Options{Retries: 3})
	defer chain.Close()
	c := &http.Client{Transport: chain, CheckRedirect: transport.CheckRedirect}
	resp, err := c.Get(server.URL)
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	requests, retries := chain.Counts()
	fmt.Println(resp.Status, requests, retries)
	// Output: 200 OK 2 1
}

// OnSend notes a write before it is sent. From then on the write runs to its end.
func ExampleWithCallOptions() {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { fmt.Println("carried out") }))
	defer server.Close()
	base, err := url.Parse(server.URL)
	if err != nil {
		log.Fatal(err)
	}
	chain := transport.New(base, transport.Options{})
	defer chain.Close()

	ctx, cancel := context.WithCancel(context.Background())
	sent := transport.WithCallOptions(ctx, transport.CallOptions{OnSend: func() error {
		fmt.Println("noted")
		cancel() // too late for this request
		return nil
	}})
	req, err := http.NewRequestWithContext(sent, http.MethodPut, server.URL, nil)
	if err != nil {
		log.Fatal(err)
	}
	resp, err := chain.RoundTrip(req)
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	fmt.Println(resp.Status)
	// Output:
	// noted
	// carried out
	// 200 OK
}
