package doctor

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"reseller/client"
	"reseller/client/crash"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/config"
)

const maxClockSkew = 2 * time.Minute

type probe struct {
	err         error // what is wrong with the address
	tokenErr    error // what is wrong with the token
	accepted    bool  // whether the service accepted the token
	serviceTime time.Time
	localTime   time.Time
}

// probe requests the list of campaigns. Without a token the request is refused, which also shows that the service can be reached.
func (d *diagnosis) probe(ctx context.Context) probe {
	c, err := d.session.Client()
	if err != nil {
		return probe{err: err}
	}
	op := schema.OpCampaignsList
	op.Public = !d.hasToken
	ctx, cancel := cli.ProbeContext(ctx, &op)
	defer cancel()
	read, written := io.Pipe()
	go func() {
		defer crash.Recover()
		_, _ = io.CopyN(io.Discard, read, 1<<20)
		_ = read.Close() // the first part of a long list is enough
	}()
	header, err := c.Raw(ctx, client.Call{Op: &op}, written)
	_ = written.Close()
	p := probe{localTime: time.Now()}
	if at, dateErr := http.ParseTime(header.Get("Date")); dateErr == nil {
		p.serviceTime = at
	}
	if errors.Is(err, io.ErrClosedPipe) {
		err = nil
	}
	switch {
	case err == nil:
		p.accepted = d.hasToken
	case errors.Is(err, client.ErrUnauthorized):
		if d.hasToken {
			p.tokenErr = err
		}
	case header == nil && cli.ExitCode(err) == cli.ExitAuth:
		p.tokenErr = err // there was no token, so no call was made
	default:
		p.err = err
	}
	return p
}

func (d *diagnosis) addressFinding(p probe) finding {
	where := d.address.URL + " (" + d.address.Origin.String() + ")"
	if d.address.BuiltInMock {
		where = "the built-in mock (" + d.address.Origin.String() + ")"
	}
	if p.err == nil {
		return finding{Check: "address", Result: resultOK, Detail: where}
	}
	found := failure("address", p.err, d.advice(p.err))
	found.Detail = where + ": " + found.Detail
	if network, ok := errors.AsType[*client.NetworkError](p.err); ok {
		if _, why := network.Unreached(); why != "" {
			found.Detail = where + " can't be reached: " + why
		}
	}
	return found
}

func (d *diagnosis) advice(err error) string {
	refusal, isRefusal := errors.AsType[*client.Error](err)
	another := "to use another address, change " + d.address.Origin.Name
	if kind := d.address.Origin.Kind; kind != config.FromFlag && kind != config.FromEnvironment {
		another = "to use another address, run `reseller config set " + d.address.Key + " URL`"
	}
	switch {
	case cli.IsUntrusted(err):
		return "the service's certificate is not trusted: check the host name; if a proxy of your company replaces certificates, give its root certificate by --ca-file or RESELLER_CA_FILE"
	case errors.As(err, new(tls.RecordHeaderError)):
		return "the server does not use TLS: check scheme and port; " + another
	case errors.As(err, new(*client.NetworkError)):
		return "check the address, the network and the proxy (HTTPS_PROXY); " + another
	case errors.As(err, new(*client.RedirectError)):
		return "if you trust the address it redirects to, use that address; " + another
	case errors.As(err, new(*client.UnreadableError)):
		return "the server at this address is not the service; " + another
	case isRefusal && refusal.HTTPStatus >= 500:
		return "the service reports an internal error: try again later"
	case isRefusal:
		return "the service may have another address or path; " + another
	}
	return ""
}

func clockFinding(p probe) finding {
	const check = "clock"
	if p.serviceTime.IsZero() {
		return finding{Check: check, Result: resultSkipped, Detail: "the service did not send its time"}
	}
	skew, side := p.localTime.Sub(p.serviceTime).Round(time.Second), "ahead of"
	if skew < 0 {
		skew, side = -skew, "behind"
	}
	if skew <= maxClockSkew {
		return finding{Check: check, Result: resultOK, Detail: "within 2 minutes of the service's"}
	}
	return finding{check, resultFailed, fmt.Sprintf("this machine's clock is %v %s the service's", skew, side), "set this machine's clock: it decides when a token counts as expired", cli.ExitFailed}
}
