package client

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"reseller/client/record"
)

// checkSecrets fails where an error or the log of the exchange holds a secret.
func checkSecrets(t *testing.T, err error, log string, secrets ...string) {
	t.Helper()
	if err == nil {
		t.Error("got no error")
		return
	}
	for _, secret := range secrets {
		if strings.Contains(err.Error(), secret) || strings.Contains(log, secret) {
			t.Errorf("%q shows: %v\n%s", secret, err, log)
		}
	}
}

// TestBrokenFramingHidesSecrets checks responses that net/http can't read: its errors
// quote them.
func TestBrokenFramingHidesSecrets(t *testing.T) {
	const token = "opaque/token+with=many-characters"
	const password = `cor"rect\hörse/1%41`
	for name, format := range map[string]string{
		"header":   "HTTP/1.1 200 OK\r\nbad header %s\r\n\r\n",
		"protocol": "ECHO %s\r\n\r\n",
		"status":   "HTTP/1.1 %s OK\r\n\r\n",
		"length":   "HTTP/1.1 200 OK\r\nContent-Length: %s\r\n\r\n",
		"encoding": "HTTP/1.1 200 OK\r\nTransfer-Encoding: %s\r\n\r\n",
		"trailer":  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nbad trailer %s\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			noError(t, err)
			defer func() { _ = listener.Close() }()
			go func() {
				for {
					conn, err := listener.Accept()
					if err != nil {
						return
					}
					if req, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
						body, _ := io.ReadAll(req.Body)
						fmt.Fprintf(conn, format, req.Header.Get("Authorization")+"|"+record.Value(body).Get("password").Text())
					}
					_ = conn.Close()
				}
			}()
			var log bytes.Buffer
			c, source := serve(t, nil, func(o *Options) {
				o.BaseURL, o.Retries, o.Debug = "http://"+listener.Addr().String(), 0, &log
			})
			source.present = token
			secrets := []string{token, "opaque", "hörse", "rect"}
			_, err = c.Keyword(t.Context(), 1)
			checkSecrets(t, err, log.String(), secrets...)
			_, err = c.CreateCredentials(t.Context(), CredentialsCreate{Password: password})
			checkSecrets(t, err, log.String(), secrets...)
			var network *NetworkError
			var unreadable *UnreadableError
			if !errors.As(err, &network) && !errors.As(err, &unreadable) || !OutcomeUnknown(err) {
				t.Errorf("got %#v, want an unknown outcome", err)
			}
			_, _, err = c.Login(t.Context(), "u", password)
			checkSecrets(t, err, log.String(), secrets...)
			if strings.Contains(log.String(), ": : no response") {
				t.Errorf("no call is named:\n%s", log.String())
			}
		})
	}
}

// TestEscapedSecretsStayHidden checks responses that repeat a secret with escapes.
func TestEscapedSecretsStayHidden(t *testing.T) {
	const token = "opaque-token-with-many-characters-in-it"
	const password = `cor"rect \ hörse😀<1>/%41 +`
	slashed := strings.ReplaceAll(string(record.Quote(password)), "/", `\/`)
	ascii := strconv.QuoteToASCII(password)
	jsonASCII := strings.ReplaceAll(ascii, `\U0001f600`, `\ud83d\ude00`)
	for name, text := range map[string]string{
		"slashed":       `{"data":{},"error":true,"messages":[` + slashed + `]}`,
		"ascii":         `{"data":{},"error":true,"messages":[` + jsonASCII + `]}`,
		"twice":         `{"data":{},"error":true,"messages":[` + string(record.Quote(jsonASCII)) + `]}`,
		"quoted by Go":  `{"data":{},"error":true,"messages":[` + string(record.Quote(ascii)) + `]}`,
		"HTML":          `{"data":{},"error":true,"messages":["cor&quot;rect \\ h&ouml;rse&#128512;&lt;1&gt;/%41 +"]}`,
		"plain text":    `pw=` + slashed,
		"cut off":       `{"messages":[` + slashed[:len(slashed)-4],
		"error code":    `{"data":{},"error_code":` + jsonASCII + `}`,
		"no totalPages": `{"data":[],"pagination":{"totalPages":"` + token + `"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			c, source := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if !strings.Contains(text, token) {
					w.Header().Set("X-Echo", slashed+" "+ascii)
					w.Header().Set("X-Latin", "cor\"rect \\ h\xf6rse?<1>/%41 +")
				}
				fmt.Fprint(w, text)
			}, func(o *Options) { o.Debug = &log })
			source.present = token
			var err error
			if name == "no totalPages" {
				_, err = ids(t, c)
			} else {
				_, err = c.CreateCredentials(t.Context(), CredentialsCreate{Password: password + "\n"})
			}
			checkSecrets(t, err, log.String(), "rect", "%41", "opaque")
		})
	}
}

// TestLoginAnswersStayHidden checks that the token of a login shows nowhere, whatever
// the response is.
func TestLoginAnswersStayHidden(t *testing.T) {
	for _, text := range []string{
		`{"data":{"jwt":"opaquelogintoken"},"error":false,"messages":["opaquelogintoken issued"]}`,
		`{"data":["opaquelogintoken"],"error":false,"message":"issued"}`,
		`{"data":"opaquelogintoken","error":true,"messages":["opaquelogintoken issued"],"extra":"opaquelogintoken"}`,
		`{"data":[{"jwt":"opaquelogintoken"}],"error":true,"messages":["opaquelogintoken issued"]}`,
		`{"\u0064ata":"opaquelogintoken","error":true,"messages":["opaquelogintoken"]}`,
		`{"data":"opaquelogintoken", "error":false "messages":[]}`,
		`{"jwt":"opaquelogintoken","error":true,"messages":["eyJhbGciOiJIUzUxMiJ9.opaquelogintoken.abc.opaquelogintoken"]}`,
		`opaquelogintoken`,
	} {
		t.Run(text, func(t *testing.T) {
			var log bytes.Buffer
			c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }, func(o *Options) { o.Debug = &log })
			_, _, err := c.Login(t.Context(), "u", "s3cret-horse")
			checkSecrets(t, err, log.String(), "opaque", "s3cret")
		})
	}
	redirecting, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "/session/opaquelogintoken/home")
		w.WriteHeader(http.StatusFound)
		fmt.Fprint(w, `{"data":"opaquelogintoken","error":false}`)
	})
	_, _, err := redirecting.Login(t.Context(), "u", "s3cret-horse")
	checkSecrets(t, err, "", "opaque", "s3cret")
	c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"data":"Invalid Authorization","error":true,"messages":["Invalid Authorization"]}`)
	})
	if _, _, err := c.Login(t.Context(), "u", "p"); err == nil || !strings.Contains(err.Error(), "Invalid Authorization") {
		t.Errorf("got %v, want the message of the service", err)
	}
}
