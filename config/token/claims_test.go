package token

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestParseClaims(t *testing.T) {
	at := time.Unix(1800000000, 0).UTC()
	for payload, want := range map[string]Claims{
		`{"sub":12,"exp":"1800000000","iat":"1800000000"}`: {"12", at, true},
		`{"sub":"12","exp":1800000000}`:                    {"12", at, true},
		`{"sub":9007199254740993,"exp":1.8e9}`:             {"9007199254740993", at, true},
		`{"exp":"soon","sub":null}`:                        {OK: true},
		`{"exp":-1}`:                                       {OK: true},
		`{"exp":1e300,"sub":{}}`:                           {OK: true},
		`{"exp":"NaN"}`:                                    {OK: true},
		`[]`:                                               {},
		`"x"`:                                              {},
		``:                                                 {},
	} {
		t.Run(payload, func(t *testing.T) {
			wantValue(t, ParseClaims(jwt(payload)), nil, want)
		})
	}
	for _, token := range []string{"", "opaque", "a.b.c", "..", "a.!.c"} {
		t.Run(token, func(t *testing.T) { wantValue(t, ParseClaims(token), nil, Claims{}) })
	}
}

func TestExpiry(t *testing.T) {
	now := time.Unix(1700000000, 0).UTC()
	reported, claimed := now.Add(2*time.Hour), now.Add(3*time.Hour)
	for name, c := range map[string]struct {
		token    string
		reported time.Time
		want     time.Time
	}{
		"claim":    {jwtUntil(1, claimed), reported, claimed},
		"reported": {"opaque", reported, reported},
		"neither":  {"opaque", time.Time{}, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) { wantValue(t, Expiry(c.token, c.reported), nil, c.want) })
	}
}

func TestClean(t *testing.T) {
	for raw, want := range map[string]string{"a": "a", "a\n": "a", "a\r\n": "a", "a b": "a b"} {
		t.Run(raw, func(t *testing.T) {
			got, err := Clean(raw)
			wantValue(t, got, err, want)
		})
	}
	for _, raw := range []string{"", "\n", "\r\n", "hunter2\n\n", "hun\nter2", "hunter2\x00", "\x7fhunter2", "hunter2\u0085"} {
		t.Run("invalid "+raw, func(t *testing.T) {
			if _, err := Clean(raw); err == nil || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("got error %v, want one without the token", err)
			}
		})
	}
}

func TestSecretsDoNotPrint(t *testing.T) {
	o := newOptions(t, nil, nil)
	o.Token, o.Password = "hunter2", "hunter2"
	source := NewSource(o)
	wantToken(t, source, "hunter2")
	for _, value := range []any{o, source} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			if text := fmt.Sprintf(verb, value); strings.Contains(text, "hunter2") || strings.Contains(text, "68756e74657232") {
				t.Errorf("%T with %s: got %s, want no secret in it", value, verb, text)
			}
		}
	}
}

func FuzzParseClaims(f *testing.F) {
	f.Add(jwt(`{"sub":1,"exp":"1800000000"}`))
	f.Add("a.e30.c")
	f.Fuzz(func(t *testing.T, token string) {
		claims := ParseClaims(token)
		if claims.Expires.Year() > 9999 || (!claims.OK && claims != Claims{}) {
			t.Fatalf("%q: %+v", token, claims)
		}
	})
}
