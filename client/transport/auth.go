package transport

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A TokenSource supplies the JWT of every request. Its methods may be called by several goroutines at once.
type TokenSource interface {
	// Token returns the token for a request. If it fails, the request is not sent and fails with a *TokenSourceError.
	Token(ctx context.Context) (string, error)
	// Renew returns another token after the service refused a token with 401. Several requests may call it at once for one
	// token, and a source that logs in lets them share the login. If it returns the same token, or an error that has a method
	// CannotRenew, the request fails with the 401. With any other error, it fails with a *TokenSourceError.
	Renew(ctx context.Context, refused string) (string, error)
}

// A TokenSource may also tell which token has replaced one that the service refused, "" if none has.
type replacer interface {
	Replaced(ctx context.Context, refused string) string
}

// maxReplaced is how often a request is sent again with a token that another program has put in place of a refused one.
const maxReplaced = 3

// An authenticator adds the token to requests. If the service refuses a request with 401, the authenticator renews the token
// and sends the request again. It gives up when the service refuses a token that was obtained after the request was first
// refused, and nothing has replaced it meanwhile: such a token can't have expired.
type authenticator struct {
	next   http.RoundTripper
	source TokenSource

	mu        sync.Mutex
	firstSeen map[string]time.Time // by token
	used      []string             // the tokens
}

func (a *authenticator) tokens() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clip(a.used)
}

func (a *authenticator) seen(token string) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.firstSeen == nil {
		a.firstSeen = map[string]time.Time{}
	}
	if _, ok := a.firstSeen[token]; !ok {
		a.firstSeen[token] = time.Now()
		a.used = append(a.used, token)
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
	for attempt, replaced := cloneRequest(req), 0; ; {
		attempt.Header.Set("Authorization", "Bearer "+token)
		resp, err := a.next.RoundTrip(attempt)
		if err != nil || resp.StatusCode != http.StatusUnauthorized {
			return resp, err
		}
		renewed := ""
		if refused.IsZero() || !a.seen(token).After(refused) {
			refused = time.Now()
			renewed, err = a.source.Renew(req.Context(), token)
		} else if source, ok := a.source.(replacer); ok && replaced < maxReplaced {
			replaced++
			renewed = source.Replaced(req.Context(), token)
		}
		var cannot interface{ CannotRenew() }
		if err != nil && !errors.As(err, &cannot) {
			drainBody(resp)
			return nil, &TokenSourceError{err}
		}
		if err != nil || renewed == token || renewed == "" {
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
