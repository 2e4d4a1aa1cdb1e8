package transport

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"reseller/client/record"
)

// TestDebugLogHidesEncodedSecrets has a service and a proxy that repeat random secrets in
// every encoding, in a header and in the body.
func TestDebugLogHidesEncodedSecrets(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		token := rapid.StringMatching(`[!-~]{8,60}`).Draw(rt, "token")
		password := rapid.StringN(8, 40, -1).Filter(func(s string) bool { return strings.TrimSpace(s) == s }).Draw(rt, "password")
		proxy := rapid.StringMatching(`[A-Za-z0-9 %+/=_-]{8,40}`).Filter(func(s string) bool { return strings.TrimSpace(s) == s }).Draw(rt, "proxy")
		t.Setenv("HTTPS_PROXY", "http://"+url.UserPassword("user", proxy).String()+"@127.0.0.1:1")
		var said []string
		for _, secret := range []string{token, password, proxy} {
			quoted := string(record.Quote(secret))
			said = append(said, quoted[1:len(quoted)-1], url.QueryEscape(secret), url.PathEscape(secret))
			for _, prefix := range []string{"", "u", "u:"} {
				for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
					said = append(said, e.EncodeToString([]byte(prefix+secret)))
				}
			}
		}
		var log bytes.Buffer
		chain := newChain(t, "https://api.example.com", func(o *Options) {
			o.Debug = &log
			o.Tokens = fakeTokens{token: func() (string, error) { return token, nil }}
			o.Transport = roundTripFunc(func(*http.Request) (*http.Response, error) {
				resp := response(200, "X-Echo", strings.Join(said, " "))
				resp.Body = io.NopCloser(strings.NewReader(strings.Join(said, "\n")))
				return resp, nil
			})
		})
		resp, err := chain.RoundTrip(put(t, "https://api.example.com/x", fmt.Sprintf(`{"password":%s}`, record.Quote(password))))
		if err != nil {
			rt.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		for _, text := range append(said, token, password, proxy) {
			if strings.Contains(strings.ReplaceAll(log.String(), "[hidden]", ""), text) {
				rt.Errorf("%q shows in the log:\n%s", text, log.String())
			}
		}
	})
}

// TestDebugLogHidesRedirects follows a redirect whose address has an opaque token.
func TestDebugLogHidesRedirects(t *testing.T) {
	var log bytes.Buffer
	chain := newChain(t, "https://api.example.com", func(o *Options) {
		o.Debug = &log
		o.Transport = roundTripFunc(func(req *http.Request) (*http.Response, error) {
			if req.URL.Path == "/end" {
				return response(200), nil
			}
			resp := response(302, "Location", "/end?code=opaque#opaque", "Refresh", "0; url=/end?opaque", "Link", "</end?opaque>; rel=next")
			resp.Body = io.NopCloser(strings.NewReader(`<a href="/end?code=opaque">Found</a>`))
			return resp, nil
		})
	})
	c := &http.Client{Transport: chain, CheckRedirect: CheckRedirect}
	resp, err := c.Get("https://api.example.com/start?page=2")
	noError(t, err)
	_ = resp.Body.Close()
	if strings.Contains(log.String(), "opaque") {
		t.Errorf("the token of a redirect shows:\n%s", log.String())
	}
	for _, want := range []string{"> GET https://api.example.com/start?page=2\n", "< Location: /end?[hidden]\n", "> GET https://api.example.com/end?[hidden]\n"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%q is not in the log:\n%s", want, log.String())
		}
	}
}

func TestProxySecrets(t *testing.T) {
	for _, tt := range []struct{ name, variable, address, want string }{
		{"user and password", "HTTPS_PROXY", "http://user:correct%20horse@proxy:8080", "correct horse"},
		{"lower case", "http_proxy", "http://user:correct@horse@proxy:8080", "correct@horse"},
		{"without a scheme", "HTTP_PROXY", "user:correct@proxy:8080", "correct"},
		{"user alone", "https_proxy", "https://correct@proxy", "correct"},
		{"neither", "HTTPS_PROXY", "http://proxy:8080", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"} {
				t.Setenv(name, "")
			}
			t.Setenv(tt.variable, tt.address)
			got := append([]string{""}, newChain(t, "https://api.example.com", nil).Secrets()...)
			if last := got[len(got)-1]; last != tt.want {
				t.Errorf("got %q, want %q", last, tt.want)
			}
		})
	}
}

// TestDebugLogCutsAfterHiding logs bodies that are cut within a secret, wherever the cut is.
func TestDebugLogCutsAfterHiding(t *testing.T) {
	const secret, part = "correct-horse-battery-staple", "correct"
	for _, before := range []int{maxLogged - 200, maxLogged - len(secret), maxLogged - len(part), maxLogged, maxLogged + margin - len(part)} {
		t.Run(fmt.Sprint(before), func(t *testing.T) {
			const first, then = `{"note":"`, `","password":"`
			body := first + strings.Repeat("x", before-len(first+then)) + then + secret + `"}`
			var log bytes.Buffer
			chain := newChain(t, "https://api.example.com", func(o *Options) {
				o.Debug = &log
				o.Transport = roundTripFunc(func(*http.Request) (*http.Response, error) {
					resp := response(200)
					resp.Body = io.NopCloser(strings.NewReader(strings.Repeat("x", before) + secret + strings.Repeat("x", before)))
					return resp, nil
				})
			})
			resp, err := chain.RoundTrip(put(t, "https://api.example.com/x", body))
			noError(t, err)
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			if at := strings.Index(log.String(), "correct"); at >= 0 || log.Len() > 3*maxLogged || log.Len() < maxLogged {
				t.Errorf("got a log of %d bytes with a part of the secret at %d, want about two bodies of at most %d and none", log.Len(), at, maxLogged)
			}
		})
	}
}
