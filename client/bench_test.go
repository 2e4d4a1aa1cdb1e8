package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"reseller/client/schema"
)

// BenchmarkCalls is a hundred keywords a call to a service in the same process:
// by the network layer alone, as a load makes its calls, and through resty.
func BenchmarkCalls(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, envelopeOf(`{"account_id":1,"campaign_id":101,"keyword":"","keyword_type":"target"}`))
	}))
	defer server.Close()
	var items []string
	for i := range 100 {
		items = append(items, fmt.Sprintf(`{"keyword":"red running shoes %d","keyword_type":"target"}`, 400_000+i))
	}
	body := json.RawMessage(`{"account_id":1,"campaign_id":101,"keywords":[` + strings.Join(items, ",") + `]}`)
	c, err := New(Options{BaseURL: server.URL, Tokens: &tokens{present: "t"}, Timeout: time.Minute})
	noError(b, err)
	defer c.Close()
	network := &http.Transport{MaxIdleConnsPerHost: 8}
	defer network.CloseIdleConnections()
	do := func(onSend func() error) error {
		_, err := c.Do(context.Background(), Call{Op: &schema.OpKeywordsCreate, Body: body, OnSend: onSend})
		return err
	}
	for _, way := range []struct {
		name string
		call func() error
	}{
		{"network", func() error {
			req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, server.URL+schema.OpKeywordsCreate.Path, bytes.NewReader(body))
			if err != nil {
				return err
			}
			resp, err := network.RoundTrip(req)
			if err != nil {
				return err
			}
			_, err = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			return err
		}},
		{"load", func() error { return do(func() error { return nil }) }},
		{"resty", func() error { return do(nil) }},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetParallelism(4) // times the cores
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := way.call(); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}
