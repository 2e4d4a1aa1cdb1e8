//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"golang.org/x/sync/errgroup"
)

const (
	connections     = 8
	keywordsPerCall = 100
)

// load is a minimal bulk job, which reseller is compared with: it reads a file of
// keywords with encoding/csv, as for validation, then reads it again and sends the
// keywords with net/http. It validates nothing, logs nothing and takes every 200
// for success.
func load(ctx context.Context, name, url string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	if err := eachKeyword(file, func(string) error { return nil }); err != nil {
		return err
	}
	transport := &http.Transport{MaxIdleConnsPerHost: connections, WriteBufferSize: 16 << 10, DisableCompression: true}
	bodies := make(chan []byte, 128)
	group, ctx := errgroup.WithContext(ctx)
	for range connections {
		group.Go(func() error {
			for body := range bodies {
				if err := post(ctx, transport, url, body); err != nil {
					return err
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		defer close(bodies)
		var body []byte
		n := 0
		send := func() error {
			select {
			case bodies <- append(body, `]}`...):
				body, n = nil, 0
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		err := eachKeyword(file, func(keyword string) error {
			if n == 0 {
				body = append(make([]byte, 0, 8<<10), `{"account_id":1,"campaign_id":101,"keywords":[`...)
			} else {
				body = append(body, ',')
			}
			body = append(append(append(body, `{"keyword":"`...), keyword...), `","keyword_type":"target"}`...)
			if n++; n < keywordsPerCall {
				return nil
			}
			return send()
		})
		if err == nil && n > 0 {
			err = send()
		}
		return err
	})
	return group.Wait()
}

// eachKeyword calls use with the first cell of each row below the header.
func eachKeyword(file *os.File, use func(string) error) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	rows := csv.NewReader(bufio.NewReaderSize(file, 64<<10))
	rows.ReuseRecord = true
	if _, err := rows.Read(); err != nil {
		return err
	}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = use(row[0])
		}
		if err != nil {
			return err
		}
	}
}

func post(ctx context.Context, transport http.RoundTripper, url string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer t")
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, resp.Status)
	}
	return nil
}
