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

// Login calls POST /api/v1/authentication/login, which needs no token, and
// returns the token and when the service says that it expires: the zero time
// where it does not say. There is no refresh; an expired token is followed by
// another login.
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
		return "", time.Time{}, &UnreadableError{call.Op.Name(), call.Action(), answer.HTTPStatus, "", errors.New("data is no token")}
	}
	return token, tokenExpiry(answer.TokenExp), nil
}

// tokenExpiry reads token_exp: epoch seconds, or a text such as
// "April, 22 2025 16:28:55" whose zone is not told and taken as UTC.
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
