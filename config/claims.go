package config

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// Claims are what a JSON Web Token says of itself, unverified.
type Claims struct {
	Subject string
	Issued  time.Time
	Expires time.Time
	// OK is false for a token that is no JWT; such a token is sent all the same.
	OK bool
}

// ReadClaims reads the claims of a token. Numbers may come as strings.
func ReadClaims(token string) Claims {
	parts := strings.Split(token, ".")
	if len(parts) < 2 {
		return Claims{}
	}
	payload, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[1], "="))
	if err != nil {
		return Claims{}
	}
	var claims struct {
		Subject any `json:"sub"`
		Issued  any `json:"iat"`
		Expires any `json:"exp"`
	}
	decoder := json.NewDecoder(bytes.NewReader(payload))
	decoder.UseNumber()
	if err := decoder.Decode(&claims); err != nil {
		return Claims{}
	}
	return Claims{
		Subject: claimText(claims.Subject),
		Issued:  claimTime(claims.Issued),
		Expires: claimTime(claims.Expires),
		OK:      true,
	}
}

func claimText(claim any) string {
	switch v := claim.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

func claimTime(claim any) time.Time {
	const year9999 = 253402300799
	seconds, err := strconv.ParseFloat(claimText(claim), 64)
	if err != nil || !(seconds > 0 && seconds <= year9999) {
		return time.Time{}
	}
	return time.Unix(int64(seconds), 0).UTC()
}

// TokenExpiry is when a token that a login gave at the time now expires: by
// its own claim, else as the login told, else after 60 minutes.
func TokenExpiry(token string, told, now time.Time) time.Time {
	if claims := ReadClaims(token); !claims.Expires.IsZero() {
		return claims.Expires
	}
	if !told.IsZero() {
		return told
	}
	return now.Add(time.Hour)
}
