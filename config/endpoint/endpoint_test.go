package endpoint

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"reseller/config/errdefs"
)

func TestNormalize(t *testing.T) {
	for raw, want := range map[string]string{
		"https://api.example.com":          "https://api.example.com",
		"HTTPS://API.Example.COM/":         "https://api.example.com",
		"https://api.example.com:443//":    "https://api.example.com",
		"https://api.example.com:8443/v1/": "https://api.example.com:8443/v1",
		"https://api.example.com/A/b%20c/": "https://api.example.com/A/b%20c",
		"https://api.example.com/a@b":      "https://api.example.com/a@b",
		"http://localhost:8080":            "http://localhost:8080",
		"http://LOCALHOST":                 "http://localhost",
		"http://127.0.0.1:80":              "http://127.0.0.1",
		"http://127.200.0.1:8080":          "http://127.200.0.1:8080",
		"http://[::1]:8080/":               "http://[::1]:8080",
		"http://[::1]":                     "http://[::1]",
		"https://[2001:DB8::1]":            "https://[2001:db8::1]",
	} {
		t.Run(raw, func(t *testing.T) {
			got, err := Normalize(raw, false)
			wantValue(t, got, err, want)
		})
	}
	for _, raw := range []string{
		"", " ", "api.example.com", "localhost:8080", "//api.example.com", "/v1", "https:", "https://", "https:///v1",
		"https://:8080", "ftp://api.example.com", "file:///etc/passwd", "https:api.example.com",
		"https://me@api.example.com", "https://me:hunter2@api.example.com", "https://@api.example.com", "https://me:hun%zzter2@api.example.com",
		"https://me:hunter2@", "me:hunter2@api.example.com", "https://me:hunter2@api.example.com:x",
		"https://api.example.com?a=b", "https://api.example.com?", "https://api.example.com/#f", "https://api.example.com#",
		"https://api.example.com:0", "https://api.example.com:65536", "https://api.example.com:x",
		"https://api.example.com\n", "https://api\t.example.com", " https://api.example.com", "https://api example.com",
		"https://api%E2%80%AE.example.com", "http://api.example.com", "http://127.0.0.1.example.com", "http://localhost.example.com",
		"http://0.0.0.0", "http://10.0.0.1", "http://[::2]", "http://[fe80::1%25eth0]", "http://[::1%25lo]:1", "http://2130706433", "http://127.1",
	} {
		t.Run(raw, func(t *testing.T) {
			got, err := Normalize(raw, false)
			wantError[*errdefs.InvalidError](t, err)
			if strings.Contains(err.Error()+hintOf(err), "hunter2") {
				t.Errorf("got error %q, want no password in it", err)
			}
			wantText(t, got, "")
		})
	}
	for _, raw := range []string{"http://api.example.com", "http://10.0.0.1:8080"} {
		got, err := Normalize(raw, true)
		wantValue(t, got, err, raw)
	}
}

// sameOrigin reports whether two addresses are valid and have the same origin.
func sameOrigin(a, b string) bool {
	first, err := Origin(a)
	second, otherErr := Origin(b)
	return err == nil && otherErr == nil && first == second
}

func TestOrigins(t *testing.T) {
	same := [][2]string{
		{"https://api.example.com", "https://API.example.com:443/v1/"},
		{"http://localhost:80", "http://localhost"},
		{"https://[::1]", "https://[::1]:443"},
	}
	for _, pair := range same {
		if !sameOrigin(pair[0], pair[1]) {
			t.Errorf("got false for %q, want true", pair)
		}
	}
	other := [][2]string{
		{"https://api.example.com", "http://api.example.com:443"},
		{"https://api.example.com", "https://api.example.com:8443"},
		{"https://api.example.com", "https://api.example.com.evil.example"},
		{"https://localhost", "https://127.0.0.1"},
		{"", ""}, {"nonsense", "nonsense"},
	}
	for _, pair := range other {
		if sameOrigin(pair[0], pair[1]) {
			t.Errorf("got true for %q, want false", pair)
		}
	}
	got, err := Origin("https://api.example.com/v1")
	wantValue(t, got, err, "https://api.example.com:443")
}

func TestRedactUserInfo(t *testing.T) {
	for raw, want := range map[string]string{
		"https://api.example.com":               "https://api.example.com",
		"https://api.example.com/a@b":           "https://api.example.com/a@b",
		"https://me:hunter2@api.example.com/v1": "https://[hidden]@api.example.com/v1",
		"https://me:hun%zzter2@api.example.com": "https://[hidden]@api.example.com",
		"me:hunter2@api.example.com":            "[hidden]@api.example.com",
	} {
		t.Run(raw, func(t *testing.T) { wantText(t, RedactUserInfo(raw), want) })
	}
}

func FuzzNormalize(f *testing.F) {
	for _, seed := range []string{
		"https://api.example.com/v1/", "http://[::1]:8080", "https://a:b@c", "https://[fe80::1%25en0]/", "HTTP://127.0.0.1:080//x%2f/",
		"https://h/a//", "https://ÄÖ.example", "https://h?#", "https://h:",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, raw string, allow bool) {
		got, err := Normalize(raw, allow)
		if err != nil {
			if got != "" {
				t.Fatalf("%q gave %q beside an error", raw, got)
			}
			return
		}
		if strings.HasSuffix(got, "/") {
			t.Fatalf("%q kept a slash: %q", raw, got)
		}
		again, err := Normalize(got, allow)
		if err != nil || again != got {
			t.Fatalf("%q: %q became %q, %v", raw, got, again, err)
		}
		u, err := url.Parse(got)
		if err != nil || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Hostname() == "" {
			t.Fatalf("%q gave %q: %v", raw, got, err)
		}
		if u.Scheme != "https" && !allow && !isLoopback(u.Hostname()) {
			t.Fatalf("%q gave plain http: %q", raw, got)
		}
		if !sameOrigin(raw, got) {
			t.Fatalf("%q and %q are not the same origin", raw, got)
		}
	})
}

// TestIsOf: with `RESELLER_TOKEN_HOST`, the token of the environment goes to that host only.
func TestIsOf(t *testing.T) {
	for _, tt := range []struct {
		origin, host  string
		want, invalid bool
	}{
		{origin: "https://api.example.com:443", host: "api.example.com", want: true},
		{origin: "https://api.example.com:8443", host: "API.example.com", want: true},
		{origin: "https://api.example.com:443", host: "api.example.com:443", want: true},
		{origin: "https://api.example.com:8443", host: "api.example.com:443"},
		{origin: "https://api.example.com.evil.example:443", host: "api.example.com"},
		{origin: "https://other.example.com:443", host: "example.com"},
		{origin: "https://[2001:db8::1]:443", host: "[2001:db8::1]", want: true},
		{origin: "https://api.example.com:443", host: "https://api.example.com", invalid: true},
		{origin: "https://api.example.com:443", host: "api.example.com/", invalid: true},
		{origin: "https://api.example.com:443", host: "me@api.example.com", invalid: true},
		{origin: "https://api.example.com:443", host: "api.example.com:", invalid: true},
		{origin: "https://api.example.com:443", host: ":443", invalid: true},
	} {
		t.Run(tt.origin+" "+tt.host, func(t *testing.T) {
			got, err := IsOf(tt.origin, tt.host)
			if got != tt.want || (err != nil) != tt.invalid {
				t.Errorf("got %v, %v, want %v, an error: %v", got, err, tt.want, tt.invalid)
			}
		})
	}
}

// wantError fails the test unless err is of type T and its message and hint contain every part.
func wantError[T error](t *testing.T, err error, parts ...string) {
	t.Helper()
	var typed T
	if !errors.As(err, &typed) {
		t.Fatalf("got error %T %v, want %T", err, err, typed)
	}
	text := err.Error() + "\n" + hintOf(err)
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("got error and hint %q, want %q in it", text, part)
		}
	}
}

func wantText(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// wantValue fails the test unless got is want and err is nil.
func wantValue[T comparable](t *testing.T, got T, err error, want T) {
	t.Helper()
	if got != want || err != nil {
		t.Errorf("got %v and error %v, want %v", got, err, want)
	}
}

func hintOf(err error) string {
	var hinted interface{ Advice() string }
	if errors.As(err, &hinted) {
		return hinted.Advice()
	}
	return ""
}
