package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"reseller/client"
	"reseller/client/schema"
)

// probeTimeout is how long the service may take to respond to a call that only checks
// whether it does.
const probeTimeout = 20 * time.Second

// ProbeContext returns a context for a call that only checks whether the service responds.
func ProbeContext(ctx context.Context, op *schema.Operation) (context.Context, context.CancelFunc) {
	timedOut := &client.NetworkError{Operation: op.Name(), Action: op.Title, Err: fmt.Errorf("%w after %v", client.ErrTimeout, probeTimeout)}
	return context.WithTimeoutCause(ctx, probeTimeout, timedOut)
}

// Probe checks whether the service at an address accepts a token: it
// requests the list of campaigns and reads as much of it as shows that it is one. With an
// empty token, it checks the address alone, for which a refusal is as good as a list.
func (f *Factory) Probe(ctx context.Context, url, token string) error {
	settings, err := f.Settings()
	if err != nil {
		return err
	}
	options, err := f.clientOptions(settings)
	if err != nil {
		return err
	}
	options.BaseURL, options.Tokens = url, client.StaticToken(token)
	c, err := client.New(options)
	if err != nil {
		return err
	}
	defer c.Close()
	f.NoteWait("trying %s", url)
	op := schema.OpCampaignsList
	op.Public = token == ""
	ctx, cancel := ProbeContext(ctx, &op)
	defer cancel()
	for _, err = range c.List(ctx, client.Call{Op: &op}) {
		break // one record is enough
	}
	var refusal *client.Error
	if op.Public && errors.As(err, &refusal) && (refusal.HTTPStatus == http.StatusUnauthorized || refusal.HTTPStatus == http.StatusForbidden) {
		return nil
	}
	return err
}
