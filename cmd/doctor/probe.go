package doctor

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"time"

	"reseller/client"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

const (
	// patience is the longest that the service is waited for.
	patience = 20 * time.Second
	// drift is how far the clocks may be apart.
	drift = 2 * time.Minute
)

// A probe is what one call of the service shows.
type probe struct {
	err          error // why the address is no good
	tokenRefused error
	accepted     bool // the service took the token
	serviceTime  time.Time
	localTime    time.Time
}

// errEnough ends an answer of which the beginning is enough.
var errEnough = errors.New("enough")

// enough takes the beginning of an answer.
type enough struct{ room int }

func (e *enough) Write(p []byte) (int, error) {
	if e.room -= len(p); e.room < 0 {
		return 0, errEnough
	}
	return len(p), nil
}

// probe asks for the list of campaigns; without a token the refusal is answer
// enough.
func (d *diagnosis) probe(ctx context.Context) probe {
	c, err := d.f.Client()
	if err != nil {
		return probe{err: err}
	}
	op := schema.OpCampaignsList
	op.Public = !d.hasToken
	late := &client.NetworkError{Operation: op.Name(), Action: op.Title, Err: fmt.Errorf("%w after %v", client.ErrTimeout, patience)}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, late)
	defer cancel()
	header, err := c.Raw(ctx, client.Call{Op: &op}, &enough{1 << 20})
	p := probe{localTime: time.Now()}
	if at, dateErr := http.ParseTime(header.Get("Date")); dateErr == nil {
		p.serviceTime = at
	}
	if errors.Is(err, errEnough) {
		err = nil
	}
	var refusal *client.Error
	switch known := errors.As(err, &refusal); {
	case err == nil:
		p.accepted = d.hasToken
	case known && (refusal.HTTPStatus == http.StatusUnauthorized || refusal.HTTPStatus == http.StatusForbidden):
		if d.hasToken {
			p.tokenRefused = err
		}
	case header == nil && cli.ExitCode(err) == cli.ExitAuth:
		p.tokenRefused = err // no call was made for want of a token
	default:
		p.err = err
	}
	return p
}

func (d *diagnosis) judgeAddress(p probe) finding {
	where := d.address.URL + " (" + d.address.Origin.String() + ")"
	if d.address.Embedded {
		where = "the mock inside the command (" + d.address.Origin.String() + ")"
	}
	if p.err == nil {
		return finding{Check: "address", Result: ok, Detail: where}
	}
	found := fails("address", p.err, advice(p.err))
	found.Detail = where + ": " + found.Detail
	return found
}

// advice is what to do about an address that is no good.
func advice(err error) string {
	var certificate *tls.CertificateVerificationError
	var plain tls.RecordHeaderError
	var network *client.NetworkError
	var refusal *client.Error
	var redirect *client.RedirectError
	var unreadable *client.UnreadableError
	const another = "`reseller config set base_url URL` or --base-url gives another"
	switch {
	case errors.As(err, &certificate):
		return "the service's certificate is not trusted: check the host name and this machine's certificates (SSL_CERT_FILE names a file of others)"
	case errors.As(err, &plain):
		return "no TLS is spoken there: check scheme and port; " + another
	case errors.As(err, &network):
		return "check the address, the network and the proxy (HTTPS_PROXY); " + another
	case errors.As(err, &redirect):
		return "use the address that it leads to, if you trust it; " + another
	case errors.As(err, &unreadable):
		return "something answers there, but not the service; " + another
	case errors.As(err, &refusal) && refusal.HTTPStatus >= 500:
		return "the service is in trouble: try again later"
	case errors.As(err, &refusal):
		return "the service may be at another address or path; " + another
	}
	return ""
}

func judgeClock(p probe) finding {
	const check = "clock"
	if p.serviceTime.IsZero() {
		return finding{Check: check, Result: skipped, Detail: "the service did not tell its time"}
	}
	off := p.localTime.Sub(p.serviceTime).Round(time.Second)
	switch {
	case off > drift:
		return finding{check, failed, fmt.Sprintf("this machine's clock is %v ahead of the service's", off), "set this machine's clock: expiry of tokens is told by it", cli.ExitFailed}
	case off < -drift:
		return finding{check, failed, fmt.Sprintf("this machine's clock is %v behind the service's", -off), "set this machine's clock: expiry of tokens is told by it", cli.ExitFailed}
	}
	return finding{Check: check, Result: ok, Detail: "within 2 minutes of the service's"}
}
