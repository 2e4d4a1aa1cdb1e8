package transport

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A TokenSource gives the JWT of every request. Its methods may be called by
// several goroutines at once.
type TokenSource interface {
	Token(ctx context.Context) (string, error)
	// Renew is called after the service refused a token with 401, and returns
	// another one. The refusal stands when Renew returns the same token, or an
	// error that has a method CannotRenew; any other error is that of the
	// request.
	Renew(ctx context.Context, refused string) (string, error)
}

// An authenticator sets the present token. A request that is answered with 401
// is repeated with a renewed one, until it was refused with a token that was
// obtained after its own refusal.
type authenticator struct {
	next   http.RoundTripper
	source TokenSource

	mu        sync.Mutex
	firstSeen map[string]time.Time // by token
}

// tokens returns the tokens so far.
func (a *authenticator) tokens() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Collect(maps.Keys(a.firstSeen))
}

// seen returns when a token was first seen: now, where it is a new one.
func (a *authenticator) seen(token string) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.firstSeen == nil {
		a.firstSeen = map[string]time.Time{}
	}
	if _, ok := a.firstSeen[token]; !ok {
		a.firstSeen[token] = time.Now()
	}
	return a.firstSeen[token]
}

func (a *authenticator) RoundTrip(req *http.Request) (*http.Response, error) {
	if a.source == nil || optionsOf(req).Public {
		return a.next.RoundTrip(req)
	}
	token, err := a.source.Token(req.Context())
	if err != nil {
		return nil, &TokenSourceError{err}
	}
	a.seen(token)
	var refused time.Time
	for attempt := cloneRequest(req); ; {
		attempt.Header.Set("Authorization", "Bearer "+token)
		resp, err := a.next.RoundTrip(attempt)
		if err != nil || resp.StatusCode != http.StatusUnauthorized {
			return resp, err
		}
		if !refused.IsZero() && a.seen(token).After(refused) {
			return resp, nil
		}
		refused = time.Now()
		renewed, err := a.source.Renew(req.Context(), token)
		var cannot interface{ CannotRenew() }
		if err != nil && !errors.As(err, &cannot) {
			drainBody(resp)
			return nil, &TokenSourceError{err}
		}
		if err != nil || renewed == token {
			return resp, nil
		}
		a.seen(renewed)
		token = renewed
		drainBody(resp)
		if attempt, err = rewind(req); err != nil {
			return nil, err
		}
	}
}
