package config

import (
	"strings"
	"testing"

	"reseller/config/errdefs"
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
		{"built-in mock", "profile=empty", "", "", "mock", "profile empty"},
		{"built-in mock by flag", "profile=sand server=mock", "RESELLER_BASE_URL=https://e.example.com", "", "mock", "flag --server"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			f.writeFile(file)
			for _, variable := range strings.Fields(c.env) {
				name, text, _ := strings.Cut(variable, "=")
				f.env[name] = text
			}
			got, err := f.load(strings.Fields(c.flags)...).Address()
			noError(t, err)
			wantText(t, got.URL, c.url)
			wantText(t, got.Server, c.server)
			wantText(t, got.Origin.String(), c.origin)
			if got.BuiltInMock != (c.url == "") {
				t.Errorf("got built-in mock %v with URL %q", got.BuiltInMock, got.URL)
			}
		})
	}
}

func TestAddressErrors(t *testing.T) {
	f := newFixture(t)
	for _, c := range []struct{ flags, want string }{
		{"", "config init"},
		{"server=production", "config init"},
		{"server=sandbox", "config set sandbox_url"},
		{"server=wrong", "--server"},
		{"base_url=", "--base-url"},
		{"base_url=http://api.example.com", "--allow-http"},
	} {
		t.Run(c.flags, func(t *testing.T) {
			got, err := f.load(strings.Fields(c.flags)...).Address()
			wantError[*errdefs.InvalidError](t, err, c.want)
			if got.BuiltInMock {
				t.Error("got the built-in mock, want no address")
			}
		})
	}
	if _, err := f.load("base_url=http://api.example.com", "allow_http=true").Address(); err != nil {
		t.Errorf("got error %v with --allow-http, want none", err)
	}
	_, err := Load(f.lookup(), flagsOf("base_url=https://a.example.com", "server=mock"))
	wantError[*errdefs.InvalidError](t, err, "--base-url", "--server")
	f.env["RESELLER_BASE_URL"] = "https://me:hunter2@api.example.com"
	_, err = f.load().Address()
	wantError[*errdefs.InvalidError](t, err, "RESELLER_BASE_URL", "user name")
	f.env["RESELLER_BASE_URL"] = ""
	f.writeFile("profiles: {default: {base_url: ftp://x}}")
	_, err = f.load().Address()
	wantError[*errdefs.InvalidError](t, err, "base_url of profile default", "ftp")
}
