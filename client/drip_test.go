package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"reseller/client/schema"
)

// A drip is a network whose responses begin with start, and then have one byte of
// rest each second, again and again.
type drip struct {
	status      int
	start, rest string
}

func (d drip) RoundTrip(req *http.Request) (*http.Response, error) {
	body := io.MultiReader(strings.NewReader(d.start), &dripReader{req.Context(), d.rest, 0})
	return &http.Response{StatusCode: d.status, Header: http.Header{}, Body: io.NopCloser(body), Request: req}, nil
}

type dripReader struct {
	ctx  context.Context
	text string
	n    int
}

func (r *dripReader) Read(p []byte) (int, error) {
	select {
	case <-time.After(time.Second):
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	}
	p[0] = r.text[r.n%len(r.text)]
	r.n++
	return 1, nil
}

// TestDrippingResponsesTimeOut checks that a response without an end ends with the
// timeout, although it never stops sending.
func TestDrippingResponsesTimeOut(t *testing.T) {
	const timeout = 30 * time.Second
	list := func(ctx context.Context, c *Client) error {
		for _, err := range c.Keywords(ctx) {
			if err != nil {
				return err
			}
		}
		return nil
	}
	record := func(ctx context.Context, c *Client) error { _, err := c.Keyword(ctx, 1); return err }
	raw := func(ctx context.Context, c *Client) error {
		_, err := c.Raw(ctx, Call{Op: &schema.OpKeywordsList}, io.Discard)
		return err
	}
	for _, tt := range []struct {
		name   string
		answer drip
		call   func(context.Context, *Client) error
	}{
		{"a record", drip{200, `{"data":{"keyword":"`, "x"}, record},
		{"an error", drip{422, `{"messages":["`, "x"}, record},
		{"an error without JSON", drip{503, "<html>", "x"}, record},
		{"a list before its first record", drip{200, `{"data":[`, " "}, list},
		{"a list inside a record", drip{200, `{"data":[{"rank_id":1},{"keyword":"`, "x"}, list},
		{"a list after its last record", drip{200, `{"data":[{"rank_id":1}]`, " "}, list},
		{"an error in place of a list", drip{422, `{"messages":["`, "x"}, list},
		{"an error in place of a list, without JSON", drip{502, "<html>", "x"}, list},
		{"any response", drip{200, `{"keyword":"`, "x"}, raw},
		{"any response without JSON", drip{200, "<html>", "x"}, raw},
		{"any error", drip{422, `{"messages":["`, "x"}, raw},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, err := New(Options{BaseURL: "https://api.example.com", Timeout: timeout, Transport: tt.answer})
				noError(t, err)
				ended := make(chan error, 1)
				start := time.Now()
				go func() { ended <- tt.call(t.Context(), c) }()
				select {
				case err = <-ended:
				case <-time.After(time.Hour):
					t.Fatalf("got no end within an hour, want a timeout after %v", timeout)
				}
				if err == nil || strings.Contains(err.Error(), "no response") {
					t.Errorf("got %v, want an error of a response that has begun", err)
				}
				if took := time.Since(start); took > 2*timeout {
					t.Errorf("got an end after %v, want one after %v", took, timeout)
				}
			})
		})
	}
}

// TestSlowListsDoNotTimeOut checks that a list may take any time if its records keep
// coming.
func TestSlowListsDoNotTimeOut(t *testing.T) {
	for _, name := range []string{"list", "raw"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, err := New(Options{
					BaseURL: "https://api.example.com", Timeout: 30 * time.Second,
					Transport: drip{200, `{"data":[{"rank_id":1}`, `,{"rank_id":7}`},
				})
				noError(t, err)
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Hour)
				defer cancel()
				if name == "raw" {
					_, err = c.Raw(ctx, Call{Op: &schema.OpKeywordsList}, io.Discard)
				} else {
					for _, err = range c.Keywords(ctx) {
						if err != nil {
							break
						}
					}
				}
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v, want the list to go on until the test ends it", err)
				}
			})
		})
	}
}
