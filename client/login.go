package client

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"reseller/client/record"
	"reseller/client/schema"
)

// Login exchanges a user name and a password for a token: POST /api/v1/authentication/login (the contract does not describe
// it). The call needs no token. The data of the response is the token, or an object with the token as its member token or
// data. Login returns the token and the time at which it expires, the zero time if the service does not say. A token can't
// be refreshed: when it has expired, log in again. Since a login creates nothing, it is retried after 502, 503 and 504 too.
// If the user name or the password is wrong, the error is an *Error with status 401.
func (c *Client) Login(ctx context.Context, username, password string) (token string, expires time.Time, err error) {
	call, response, err := c.send(ctx, &schema.OpLogin, map[string]string{"username": username, "password": password})
	if err != nil {
		return "", time.Time{}, err
	}
	for _, v := range []record.Value{response.Data, response.Data.Get("token"), response.Data.Get("data")} {
		if token = strings.TrimSpace(v.Text()); v.Kind() == record.String && token != "" {
			return token, tokenExpiry(response.TokenExp), nil
		}
	}
	return "", time.Time{}, call.unreadable(response.HTTPStatus, errors.New("data is not a token"))
}

// tokenExpiry parses token_exp: seconds since 1970, or a text such as
// "April, 22 2025 16:28:55" in UTC. It returns the zero time for any other text.
func tokenExpiry(text string) time.Time {
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil && seconds > 0 {
		return time.Unix(seconds, 0)
	}
	at, err := time.Parse("January, 2 2006 15:04:05", text)
	if err != nil {
		return time.Time{}
	}
	return at
}
