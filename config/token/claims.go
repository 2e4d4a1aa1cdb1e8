package token

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"reseller/client/record"
	"reseller/client/safetext"
)

// Clean removes one line end and the blanks around a token. A token that can't
// stand in an HTTP header is an error, which does not quote it.
func Clean(raw string) (string, error) {
	token := strings.Trim(strings.TrimSuffix(strings.TrimSuffix(raw, "\n"), "\r"), " \t")
	if token == "" {
		return "", errors.New("contains no token")
	}
	if strings.IndexFunc(token, safetext.IsControl) >= 0 {
		return "", errors.New("contains a control character or a line break inside the token")
	}
	return token, nil
}

// Check returns what is wrong with a text that a user gives as a token, nil if nothing is.
func Check(text string) error {
	if _, err := Clean(text); err != nil {
		return fmt.Errorf("the text %w", err)
	}
	return nil
}

// Claims are the facts that a JSON Web Token states about itself. They are not verified.
type Claims struct {
	Subject string
	Expires time.Time
	// OK is false for a token that is not a JWT. Such a token is sent as well.
	OK bool
}

// ParseClaims reads the claims of a token. Numbers may be written as strings.
func ParseClaims(token string) Claims {
	parts := strings.Split(token, ".")
	if len(parts) < 2 {
		return Claims{}
	}
	payload, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[1], "="))
	if err != nil {
		return Claims{}
	}
	claims, err := record.Parse(payload)
	if err != nil {
		return Claims{}
	}
	return Claims{
		Subject: claimText(claims, "sub"),
		Expires: claimTime(claims, "exp"),
		OK:      true,
	}
}

func claimText(claims record.Record, name string) string {
	v := claims.Get(name)
	if k := v.Kind(); k != record.String && k != record.Number {
		return ""
	}
	return v.Text()
}

// claimTime returns the time of a claim in seconds since 1970, or the zero time if that is not before the year 10,000.
func claimTime(claims record.Record, name string) time.Time {
	const year9999 = 253402300799
	seconds, err := strconv.ParseFloat(claimText(claims, name), 64)
	if err != nil || !(seconds > 0 && seconds <= year9999) {
		return time.Time{}
	}
	return time.Unix(int64(seconds), 0).UTC()
}

// Expiry returns when a token expires: by its own claim, else as its login has reported; the zero time if neither says so.
func Expiry(token string, reported time.Time) time.Time {
	return cmp.Or(ParseClaims(token).Expires, reported)
}
