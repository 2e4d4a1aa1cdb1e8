package transport

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"reseller/client/redact"
	"reseller/client/safetext"
)

const (
	maxLogged = 64 << 10 // bytes of a body that are logged
	margin    = 8 << 10  // bytes that are looked through behind them: a secret may begin before the cut
)

// A debugLog logs requests and responses to out. It hides tokens, passwords, cookies,
// all strings in the response to a login, and the queries of redirects.
type debugLog struct {
	next    http.RoundTripper
	secrets func() redact.Secrets // the secrets of all requests so far
	mu      sync.Mutex
	out     io.Writer
}

func (d *debugLog) RoundTrip(req *http.Request) (*http.Response, error) {
	secrets := append(d.secrets(), strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer "))
	for name, values := range req.URL.Query() {
		if redact.IsSecretName(name) {
			secrets = append(secrets, values...)
		}
	}
	address := redact.URL(req.URL.String())
	if req.Response != nil { // a redirect led here
		address = redact.Queries(address)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "> %s %s\n", req.Method, address)
	writeHeader(&b, ">", req.Header, nil)
	if req.GetBody != nil {
		if body, err := req.GetBody(); err == nil {
			text, _ := io.ReadAll(body)
			secrets = append(secrets, redact.SecretsIn(text)...)
			shown := redact.Text(string(text))
			fmt.Fprintf(&b, ">\n> %s\n", shown[:min(len(shown), maxLogged)])
		}
	}
	d.write(b.String())
	start := time.Now()
	resp, err := d.next.RoundTrip(req)
	if err != nil {
		reason := err
		if network := (*NetworkError)(nil); errors.As(err, &network) {
			reason = network.Err
		}
		d.write(fmt.Sprintf("< no response after %s: %s\n", time.Since(start).Round(time.Millisecond), secrets.Error(reason)))
		return nil, err
	}
	b.Reset()
	fmt.Fprintf(&b, "< %s %s after %s\n", resp.Proto, resp.Status, time.Since(start).Round(time.Millisecond))
	writeHeader(&b, "<", resp.Header, secrets)
	d.write(secrets.Text(b.String()))
	resp.Body = &loggedBody{
		ReadCloser: resp.Body, log: d, public: optionsOf(req).Public, redirect: resp.StatusCode/100 == 3, secrets: secrets,
	}
	return resp, nil
}

// write writes a text, escaped except for line feeds and tabs, by one call of out.Write.
func (d *debugLog) write(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, _ = io.WriteString(d.out, safetext.Escape(text, '\n', '\t'))
}

func writeHeader(b *strings.Builder, prefix string, header http.Header, secrets redact.Secrets) {
	for _, name := range slices.Sorted(maps.Keys(header)) {
		value := redact.Text(strings.Join(header[name], ", "))
		switch {
		case redact.IsSecretName(name):
			value = redact.Placeholder
		case name == "Location":
			value = redact.Queries(secrets.Location(value))
		case name == "Content-Location", name == "Referer", name == "Refresh", name == "Link":
			value = redact.Queries(value)
		}
		fmt.Fprintf(b, "%s %s: %s\n", prefix, name, value)
	}
}

// A loggedBody is the body of a response. Its first bytes are logged once it has been read to its end or closed.
type loggedBody struct {
	io.ReadCloser
	log      *debugLog
	public   bool // the response is that of a login and may hold a token anywhere
	redirect bool // the response is a redirect and may hold a token in any address
	secrets  redact.Secrets
	first    bytes.Buffer // the first bytes, maxLogged and margin
	size     int          // bytes read so far
	logged   bool
}

func (b *loggedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.size += n
	if room := maxLogged + margin - b.first.Len(); room > 0 {
		b.first.Write(p[:min(n, room)])
	}
	if err != nil {
		b.write()
	}
	return n, err
}

func (b *loggedBody) Close() error {
	b.write()
	return b.ReadCloser.Close()
}

func (b *loggedBody) write() {
	if b.logged {
		return
	}
	b.logged = true
	text := b.first.String()
	if b.public {
		text = redact.AllStrings(text)
	}
	if b.redirect {
		text = redact.Queries(text)
	}
	text = b.secrets.Text(redact.Text(text))
	if b.size > maxLogged {
		text = text[:min(maxLogged, max(len(text)-margin, 0))]
		text += fmt.Sprintf(" … (%d bytes in all)", b.size)
	}
	b.log.write(fmt.Sprintf("<\n< %s\n", text))
}
