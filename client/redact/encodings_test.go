package redact

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"reseller/client/record"
)

// encode returns a text that contains a secret in each encoding, and what must not be
// left of it.
func encode(before, secret, behind string) map[string][2]string {
	quoted := string(record.Quote(secret))
	inner := quoted[1 : len(quoted)-1]
	all := map[string][2]string{
		"plain": {before + secret + behind, secret},
		"JSON":  {before + inner + behind, inner},
		"query": {before + url.QueryEscape(secret) + behind, url.QueryEscape(secret)},
		"path":  {before + url.PathEscape(secret) + behind, url.PathEscape(secret)},
	}
	for name, e := range map[string]*base64.Encoding{
		"base64": base64.StdEncoding, "base64 without padding": base64.RawStdEncoding, "base64 for URLs": base64.URLEncoding, "base64 for URLs without padding": base64.RawURLEncoding,
	} {
		for offset, prefix := range []string{"", "u", "u:"} {
			for _, suffix := range []string{"", "\n", "xy"} {
				text := e.EncodeToString([]byte(prefix + secret + suffix))
				part := base64Part(secret, offset)
				if strings.HasPrefix(name, "base64 for") {
					part = strings.NewReplacer("+", "-", "/", "_").Replace(part)
				}
				if !strings.Contains(text, part) {
					panic(text + " does not contain " + part)
				}
				all[name+" behind "+prefix+" before "+suffix] = [2]string{before + " " + text + " " + behind, part}
			}
		}
	}
	return all
}

// TestSecretsInEveryEncoding hides random secrets in random texts.
func TestSecretsInEveryEncoding(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		secret := rapid.StringN(4, 40, -1).Filter(func(s string) bool {
			return len(strings.TrimSpace(s)) >= minSecret && strings.TrimSpace(s) == s
		}).Draw(rt, "secret")
		before, behind := rapid.SampledFrom([]string{"", "is ", `{"a":"`, "?x="}).Draw(rt, "before"), rapid.SampledFrom([]string{"", ".", `"}`, "&y"}).Draw(rt, "behind")
		for name, text := range encode(before, secret, behind) {
			got := Secrets{secret}.Text(text[0])
			if strings.Contains(strings.ReplaceAll(got, Placeholder, ""), text[1]) {
				rt.Errorf("%s: Text(%q) = %q, which contains %q", name, text[0], got, text[1])
			}
		}
	})
}

func TestBase64IsHiddenWhole(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"basic authentication", "Authorization is Basic " + base64.StdEncoding.EncodeToString([]byte("harbour:correct horse")) + ".", "Authorization is Basic [hidden]."},
		{"several", "a " + base64.URLEncoding.EncodeToString([]byte("correct horse")) + ", b " + base64.StdEncoding.EncodeToString([]byte("x correct horse y")) + "\n", "a [hidden], b [hidden]\n"},
		{"another text", "a " + base64.StdEncoding.EncodeToString([]byte("correct house")), "a " + base64.StdEncoding.EncodeToString([]byte("correct house"))},
		{"escaped", strings.ReplaceAll(base64.StdEncoding.EncodeToString([]byte("?>>correct horse")), "/", `\/`) + "!", "[hidden]!"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := (Secrets{"correct horse"}).Text(tt.in); got != tt.want {
				t.Errorf("Text(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestQueries(t *testing.T) {
	for in, want := range map[string]string{
		"https://x.example.com/a":                           "https://x.example.com/a",
		"https://x.example.com/a?code=b3BhcXVl==&x=1#token": "https://x.example.com/a?[hidden]",
		"/a#access": "/a#[hidden]",
		`<a href="/a?code=opaque&amp;y=1">Found</a>. Really? Yes.`: `<a href="/a?[hidden]">Found</a>. Really? Yes.`,
		"5; url=/a?opaque": "5; url=/a?[hidden]",
	} {
		if got := Queries(in); got != want {
			t.Errorf("Queries(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzText checks that a secret is hidden in whatever text it stands, in each encoding, and
// that nothing that looks like a JWT is left.
func FuzzText(f *testing.F) {
	f.Add("correct horse", "{\"a\":\"", "\"}")
	f.Add("hunter22", "?x=%2", "&amp;\\u00")
	f.Fuzz(func(t *testing.T, secret, before, behind string) {
		if secret != strings.TrimSpace(secret) || len(secret) < minSecret || !utf8.ValidString(secret) || strings.Contains(Placeholder, secret) {
			t.Skip("no secret that is hidden")
		}
		if got := (Secrets{secret}).Text(before + secret + behind); strings.Contains(strings.ReplaceAll(got, Placeholder, "\n"), secret) {
			t.Errorf("Text(%q) = %q, which contains %q", before+secret+behind, got, secret)
		}
		text := before + "eyJhbGciOiJI.eyJzdWIiOiIx." + secret + behind
		if got := Text(text); jwtLike().MatchString(got) {
			t.Errorf("Text(%q) = %q, which contains a JWT", text, got)
		}
		_ = URL(text)
		_ = AllStrings(text)
	})
}
