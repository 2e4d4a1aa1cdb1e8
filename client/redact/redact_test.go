package redact

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"reseller/client/record"
)

func TestText(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"password of any kind", `{"password":["a","b"],"user":"u"}`, `{"password":"[hidden]","user":"u"}`},
		{"token, but not when it expires", `{"a":{"api_token":{"x":1}},"token_exp":5}`, `{"a":{"api_token":"[hidden]"},"token_exp":5}`},
		{"host name like a JWT", `{"url":"https://subdomain.longerdomain.example.com"}`, `{"url":"https://subdomain.longerdomain.example.com"}`},
		{"cut off", `{"password":"cut of`, `{"password":"[hidden]"`},
		{"no value", `[{"password":null,"n":1.0}]`, `[{"password":null,"n":1.0}]`},
		{"JWT in a string", `["eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOjF9.abcdef"]`, `["[hidden]"]`},
		{"JWT in a text", `Bearer eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOjF9.abcdef.`, `Bearer [hidden]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Text(tt.in); got != tt.want {
				t.Errorf("Text(%s) = %s, want %s", tt.in, got, tt.want)
			}
		})
	}
}

func TestAllStrings(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"JSON", `{"data":["opaque",1],"token_exp":"soon"}`, `{"data":["[hidden]",1],"token_exp":"[hidden]"}`},
		{"text", "opaque", "[hidden]"},
		{"empty", "\n", "\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := AllStrings(tt.in); got != tt.want {
				t.Errorf("AllStrings(%s) = %s, want %s", tt.in, got, tt.want)
			}
		})
	}
}

func TestURL(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"parameter", "https://x.example.com/a?token=abc&page=2", "https://x.example.com/a?page=2&token=%5Bhidden%5D"},
		{"password", "https://user:pw@x.example.com/", "https://user:xxxxx@x.example.com/"},
		{"nothing secret", "https://x.example.com/a?b=1&a=2", "https://x.example.com/a?b=1&a=2"},
		{"not an address", "://\x7f", "[hidden]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := URL(tt.in); got != tt.want {
				t.Errorf("URL(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestSecretsText(t *testing.T) {
	secrets := Secrets{` cor"rect hörse `, "abc"}
	for _, tt := range []struct{ name, in, want string }{
		{"as it is", `got  cor"rect hörse .`, `got [hidden].`},
		{"trimmed", `got cor"rect hörse.`, `got [hidden].`},
		{"escaped in JSON", `got "cor\"rect h\u00f6rse".`, `got "[hidden]".`},
		{"escaped twice", `got cor\\\"rect h\\u00f6rse.`, `got [hidden].`},
		{"in an address", `?p=cor%22rect+h%C3%B6rse&x=1`, `?p=[hidden]&x=1`},
		{"in HTML", `cor&quot;rect h&ouml;rse`, `[hidden]`},
		{"in Latin-1", "cor\"rect h\xf6rse", `[hidden]`},
		{"cut off at the end", `got: cor"rect h`, `got:[hidden]`},
		{"too little of it", `got: cor"re`, `got: cor"re`},
		{"too short a secret", `abc`, `abc`},
		{"other escapes", `100%25 of "\u00e9"`, `100%25 of "\u00e9"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := secrets.Text(tt.in); got != tt.want {
				t.Errorf("Text(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestSecretsMessages(t *testing.T) {
	long := Secrets{"hunter22"}.Messages([]string{strings.Repeat("x", 1<<20) + "hunter22"})
	if len(long) != 1 || len(long[0]) != maxMessage || !strings.HasSuffix(long[0], "…") {
		t.Errorf("a long message: got %d bytes that end with %q, want %d with an ellipsis", len(long[0]), long[0][len(long[0])-3:], maxMessage)
	}
	cut := Secrets{"hunter22hunter22"}.Messages([]string{strings.Repeat("x", maxMessage-12) + "hunter22hunter22"})
	if strings.Contains(cut[0], "hunter") {
		t.Errorf("a secret that is cut shows: %q", cut[0][maxMessage-40:])
	}
	for name, secrets := range map[string]Secrets{
		"too many secrets": make(Secrets, maxSecrets+1),
		"too long secrets": {strings.Repeat("x", maxSecretBytes+1)},
	} {
		if got := secrets.Messages([]string{"said"}); !slices.Equal(got, []string{Placeholder}) {
			t.Errorf("%s: got %q, want %q", name, got, Placeholder)
		}
	}
	if got := make(Secrets, maxSecrets).Messages([]string{"said"}); !slices.Equal(got, []string{"said"}) {
		t.Errorf("as many secrets as are looked for: got %q", got)
	}
}

func TestSecretsLocation(t *testing.T) {
	for in, want := range map[string]string{
		"https://x.example.com/a":                "https://x.example.com/a",
		"https://x.example.com/opaque-token?b=1": "https://x.example.com/[hidden]",
		"/opaque-token":                          "[hidden]",
	} {
		if got := (Secrets{"opaque-token"}).Location(in); got != want {
			t.Errorf("Location(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSecretsError(t *testing.T) {
	wrapped := &redactedError{"malformed opaque-token", io.EOF}
	got := Secrets{"opaque-token"}.Error(wrapped)
	if got.Error() != "malformed [hidden]" || !errors.Is(got, io.EOF) {
		t.Errorf("got %q, want it without the secret and with its cause", got)
	}
	if got := (Secrets{"other-token"}).Error(io.EOF); got != io.EOF {
		t.Errorf("an error without a secret: got %#v, want itself", got)
	}
}

func TestTokenCandidates(t *testing.T) {
	got := TokenCandidates(record.Value(`{"a":"one","b":["two words"," three "],"c":4,"d":{"e":"five"}}`))
	if want := []string{"one", " three ", "five"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
