package config

import (
	"net/url"
	"strings"
	"testing"
)

func TestAddress(t *testing.T) {
	const file = "profiles: {default: {base_url: 'https://p.example.com/', sandbox_url: https://s.example.com, mock_url: http://localhost:8080/}," +
		" sand: {server: sandbox, sandbox_url: https://s.example.com}, empty: {server: mock}}"
	for _, c := range []struct {
		name   string
		flags  string
		env    string
		url    string
		server string
		origin string
	}{
		{"profile", "", "", "https://p.example.com", "production", "profile default"},
		{"flag address", "base_url=https://f.example.com/v/", "RESELLER_BASE_URL=https://e.example.com", "https://f.example.com/v", "", "flag --base-url"},
		{"flag address beats server variable", "base_url=https://f.example.com", "RESELLER_SERVER=mock", "https://f.example.com", "", "flag --base-url"},
		{"variable", "", "RESELLER_BASE_URL=https://e.example.com", "https://e.example.com", "", "environment RESELLER_BASE_URL"},
		{"variable beats server variable", "", "RESELLER_BASE_URL=https://e.example.com RESELLER_SERVER=sandbox", "https://e.example.com", "", "environment RESELLER_BASE_URL"},
		{"variable beats the profile's server", "profile=sand", "RESELLER_BASE_URL=https://e.example.com", "https://e.example.com", "", "environment RESELLER_BASE_URL"},
		{"server flag passes the variable over", "server=production", "RESELLER_BASE_URL=https://e.example.com", "https://p.example.com", "production", "profile default"},
		{"server flag sandbox", "server=sandbox", "RESELLER_BASE_URL=https://e.example.com", "https://s.example.com", "sandbox", "profile default"},
		{"server flag beats server variable", "server=sandbox", "RESELLER_SERVER=mock", "https://s.example.com", "sandbox", "profile default"},
		{"server variable", "", "RESELLER_SERVER=sandbox", "https://s.example.com", "sandbox", "profile default"},
		{"sandbox variable", "server=sandbox", "RESELLER_SANDBOX_URL=https://es.example.com", "https://es.example.com", "sandbox", "environment RESELLER_SANDBOX_URL"},
		{"mock of the profile", "server=mock", "", "http://localhost:8080", "mock", "profile default"},
		{"mock variable", "server=mock", "RESELLER_MOCK_URL=http://127.0.0.1:9", "http://127.0.0.1:9", "mock", "environment RESELLER_MOCK_URL"},
		{"profile's server", "profile=sand", "", "https://s.example.com", "sandbox", "profile sand"},
		{"embedded", "profile=empty", "", "", "mock", "profile empty"},
		{"embedded by flag", "profile=sand server=mock", "RESELLER_BASE_URL=https://e.example.com", "", "mock", "flag --server"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.file(file)
			for name, text := range flagMap(strings.Fields(c.env)) {
				w.env[name] = text
			}
			got, err := w.load(strings.Fields(c.flags)...).Address()
			if err != nil {
				t.Fatal(err)
			}
			wantText(t, got.URL, c.url)
			wantText(t, got.Server, c.server)
			wantText(t, got.Origin.String(), c.origin)
			if got.Embedded != (c.url == "") {
				t.Error("embedded", got.Embedded)
			}
		})
	}
}

func TestAddressErrors(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ flags, want string }{
		{"", "config init"},
		{"server=production", "config init"},
		{"server=sandbox", "config set sandbox_url"},
		{"server=wrong", "--server"},
		{"base_url=", "--base-url"},
		{"base_url=http://api.example.com", "--allow-http"},
	} {
		got, err := w.load(strings.Fields(c.flags)...).Address()
		wantError[*Error](t, err, c.want)
		if got.Embedded {
			t.Error(c.flags, "became the mock")
		}
	}
	if _, err := w.load("base_url=http://api.example.com", "allow_http=true").Address(); err != nil {
		t.Error(err)
	}
	_, err := Load(w.lookup(), flagMap([]string{"base_url=https://a.example.com", "server=mock"}))
	wantError[*Error](t, err, "--base-url", "--server")
	w.env["RESELLER_BASE_URL"] = "https://me:hunter2@api.example.com"
	_, err = w.load().Address()
	wantError[*Error](t, err, "RESELLER_BASE_URL", "user name")
	w.env["RESELLER_BASE_URL"] = ""
	w.file("profiles: {default: {base_url: ftp://x}}")
	_, err = w.load().Address()
	wantError[*Error](t, err, "base_url of profile default", "ftp")
}

func TestCheckURL(t *testing.T) {
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
		got, err := CheckURL(raw, false)
		if err != nil {
			t.Errorf("%s: %v", raw, err)
		}
		wantText(t, got, want)
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
		got, err := CheckURL(raw, false)
		wantError[*Error](t, err)
		if err != nil && strings.Contains(err.Error()+Hint(err), "hunter2") {
			t.Errorf("%q is told: %v", raw, err)
		}
		wantText(t, got, "")
	}
	for _, raw := range []string{"http://api.example.com", "http://10.0.0.1:8080"} {
		if _, err := CheckURL(raw, true); err != nil {
			t.Error(err)
		}
	}
}

func TestOrigins(t *testing.T) {
	same := [][2]string{
		{"https://api.example.com", "https://API.example.com:443/v1/"},
		{"http://localhost:80", "http://localhost"},
		{"https://[::1]", "https://[::1]:443"},
	}
	for _, pair := range same {
		if !SameOrigin(pair[0], pair[1]) {
			t.Error(pair)
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
		if SameOrigin(pair[0], pair[1]) {
			t.Error(pair)
		}
	}
	if got, err := OriginOf("https://api.example.com/v1"); err != nil || got != "https://api.example.com:443" {
		t.Error(got, err)
	}
}

func FuzzCheckURL(f *testing.F) {
	for _, seed := range []string{
		"https://api.example.com/v1/", "http://[::1]:8080", "https://a:b@c", "https://[fe80::1%25en0]/", "HTTP://127.0.0.1:080//x%2f/",
		"https://h/a//", "https://ÄÖ.example", "https://h?#", "https://h:",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, raw string, allow bool) {
		got, err := CheckURL(raw, allow)
		if err != nil {
			if got != "" {
				t.Fatalf("%q gave %q beside an error", raw, got)
			}
			return
		}
		if strings.HasSuffix(got, "/") {
			t.Fatalf("%q kept a slash: %q", raw, got)
		}
		again, err := CheckURL(got, allow)
		if err != nil || again != got {
			t.Fatalf("%q: %q became %q, %v", raw, got, again, err)
		}
		u, err := url.Parse(got)
		if err != nil || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Hostname() == "" {
			t.Fatalf("%q gave %q: %v", raw, got, err)
		}
		if u.Scheme != "https" && !allow && !loopback(u.Hostname()) {
			t.Fatalf("%q gave plain http: %q", raw, got)
		}
		if !SameOrigin(raw, got) {
			t.Fatalf("%q and %q are not the same origin", raw, got)
		}
	})
}
