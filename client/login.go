package client

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"reseller/client/record"
	"reseller/client/schema"
)

// Login calls POST /api/v1/authentication/login (a group that the contract names
// without showing it), which needs no token. It returns the token and when it expires, the zero time where the
// service does not say. There is no refresh: when the token has expired, log in
// again. Wrong credentials are an *Error with status 401.
func (c *Client) Login(ctx context.Context, username, password string) (token string, expires time.Time, err error) {
	body, err := json.Marshal(map[string]string{"username": username, "password": password})
	if err != nil {
		return "", time.Time{}, err
	}
	call := Call{Op: &schema.OpLogin, Body: body}
	answer, err := c.Do(ctx, call)
	if err != nil {
		return "", time.Time{}, err
	}
	if token = strings.TrimSpace(answer.Data.Text()); answer.Data.Kind() != record.String || token == "" {
		return "", time.Time{}, call.unreadable(answer.HTTPStatus, errors.New("data is not a token"))
	}
	return token, tokenExpiry(answer.TokenExp), nil
}

// tokenExpiry parses token_exp: seconds since 1970, or a text such as
// "April, 22 2025 16:28:55", which is taken as UTC.
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
