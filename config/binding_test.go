package config

import (
	"strings"
	"testing"
)

func TestStoredTokensServeTheirOriginOnly(t *testing.T) {
	w := newWorld(t)
	w.file("profiles: {default: , other: }")
	for _, insecure := range []bool{false, true} {
		w.put(w.load(), insecure, Entry{Token: "t", Username: "me", Password: "hunter2"})
		wantToken(t, w.load().Tokens(api+":443/v1/", nil, nil), "t")
		for _, address := range []string{"http://api.example.com", api + ":8443", "https://example.com", "http://api.example.com:443"} {
			_, err := w.load().Tokens(address, (&counter{}).login, nil).Token(t.Context())
			wantError[*NoTokenError](t, err)
		}
		_, err := w.load("profile=other").Tokens(api, nil, nil).Token(t.Context())
		wantError[*NoTokenError](t, err, "profile other")
	}
}

func TestTokenCommandServesItsOriginOnly(t *testing.T) {
	const other = "https://other.example.com"
	token := func(w *world, address string, flags ...string) (string, error) {
		return w.load(flags...).Tokens(address, nil, (&counter{}).run).Token(t.Context())
	}
	refused := func(w *world, address string) {
		t.Helper()
		_, err := token(w, address)
		wantError[*NoTokenError](t, err, "token_command of profile default was passed over", "config set token_command")
	}
	served := func(w *world, address string) {
		t.Helper()
		if got, err := token(w, address); err != nil || got != "command1" {
			t.Error(got, err)
		}
	}
	t.Run("by hand", func(t *testing.T) {
		w := newWorld(t)
		w.file("profiles: {default: {base_url: '" + api + "', sandbox_url: 'https://s.example.com', token_command: x}}")
		served(w, api)
		served(w, "https://s.example.com:443/v1")
		refused(w, other)
		w.env["RESELLER_SANDBOX_URL"] = other
		refused(w, other)
	})
	t.Run("set with an address", func(t *testing.T) {
		w := newWorld(t)
		w.env["RESELLER_BASE_URL"] = api + "/v1"
		if err := w.load().Set(t.Context(), "token_command", "x"); err != nil {
			t.Fatal(err)
		}
		served(w, api)
		refused(w, other)
		w.env["RESELLER_BASE_URL"] = other
		if err := w.load().Set(t.Context(), "base_url", other); err != nil {
			t.Fatal(err)
		}
		refused(w, other)
		if err := w.load().Set(t.Context(), "token_command", "x"); err != nil {
			t.Fatal(err)
		}
		served(w, other)
		refused(w, api)
		if err := w.load().Set(t.Context(), "token_command", ""); err != nil {
			t.Fatal(err)
		}
		if raw := read(t, w.path()); strings.Contains(raw, "token_command") {
			t.Error(raw)
		}
	})
	t.Run("set without an address", func(t *testing.T) {
		w := newWorld(t)
		if err := w.load().Set(t.Context(), "token_command", "x"); err != nil {
			t.Fatal(err)
		}
		refused(w, api)
		if err := w.load().Set(t.Context(), "base_url", api); err != nil {
			t.Fatal(err)
		}
		served(w, api)
	})
	t.Run("environment", func(t *testing.T) {
		w := newWorld(t)
		w.env["RESELLER_TOKEN_COMMAND"] = "x"
		served(w, api)
		served(w, other)
	})
}
