package client

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"reseller/client/record"
	"reseller/client/safetext"
)

// maxDebugBody is how much of a body is shown.
const maxDebugBody = 64 << 10

// A debugLog writes the exchange to out with what is secret hidden: tokens,
// passwords, cookies, and what a login answers.
type debugLog struct {
	next http.RoundTripper
	mu   sync.Mutex
	out  io.Writer
}

func (d *debugLog) RoundTrip(req *http.Request) (*http.Response, error) {
	login := req.Context().Value(publicKey{}) != nil
	secrets := []string{strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer ")}
	var b strings.Builder
	fmt.Fprintf(&b, "> %s %s\n", req.Method, redactURL(req.URL))
	headers(&b, ">", req.Header, nil)
	if req.GetBody != nil {
		if body, err := req.GetBody(); err == nil {
			text, _ := io.ReadAll(body)
			secrets = append(secrets, record.Value(text).Get("password").Text())
			fmt.Fprintf(&b, ">\n> %s\n", Redact(string(text[:min(len(text), maxDebugBody)])))
		}
	}
	d.write(b.String())
	start := time.Now()
	resp, err := d.next.RoundTrip(req)
	if err != nil {
		why := err
		if network := (*NetworkError)(nil); errors.As(err, &network) {
			why = network.Err
		}
		d.write(fmt.Sprintf("< no answer after %s: %s\n", time.Since(start).Round(time.Millisecond), redactError(why, secrets)))
		return nil, err
	}
	b.Reset()
	fmt.Fprintf(&b, "< %s %s after %s\n", resp.Proto, resp.Status, time.Since(start).Round(time.Millisecond))
	headers(&b, "<", resp.Header, secrets)
	d.write(redactSecrets(b.String(), secrets))
	resp.Body = &debugBody{ReadCloser: resp.Body, d: d, login: login, secrets: secrets}
	return resp, nil
}

// write puts a text out whole, with control characters made visible.
func (d *debugLog) write(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, _ = io.WriteString(d.out, strings.Map(func(r rune) rune {
		if r != '\n' && safetext.IsControl(r) {
			return '\ufffd'
		}
		return r
	}, text))
}

func headers(b *strings.Builder, mark string, h http.Header, secrets []string) {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		value := Redact(strings.Join(h[name], ", "))
		switch {
		case secretName().MatchString(name):
			value = Redacted
		case name == "Location":
			value = redactTarget(value, secrets)
		}
		fmt.Fprintf(b, "%s %s: %s\n", mark, name, value)
	}
}

// RedactURL hides secrets in the query of an address.
func RedactURL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return Redacted
	}
	return redactURL(u)
}

func redactURL(u *url.URL) string {
	clean := *u
	query := clean.Query()
	for name := range query {
		if secretName().MatchString(name) {
			query.Set(name, Redacted)
			clean.RawQuery = query.Encode()
		}
	}
	return Redact(clean.Redacted())
}

// A debugBody shows the start of an answer once it has been read.
type debugBody struct {
	io.ReadCloser
	d        *debugLog
	login    bool
	secrets  []string
	seen     bytes.Buffer
	size     int
	reported bool
}

func (b *debugBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.size += n
	if room := maxDebugBody - b.seen.Len(); room > 0 {
		b.seen.Write(p[:min(n, room)])
	}
	if err != nil {
		b.report()
	}
	return n, err
}

func (b *debugBody) Close() error {
	b.report()
	return b.ReadCloser.Close()
}

func (b *debugBody) report() {
	if b.reported {
		return
	}
	b.reported = true
	text := b.seen.String()
	if b.login {
		text = redactLogin(text)
	}
	text = redactSecrets(Redact(text), b.secrets)
	if b.size > maxDebugBody {
		text += fmt.Sprintf(" … (%d bytes in all)", b.size)
	}
	b.d.write(fmt.Sprintf("<\n< %s\n", text))
}
