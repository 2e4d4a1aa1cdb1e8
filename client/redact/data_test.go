package redact

import (
	"slices"
	"strings"
	"testing"

	"reseller/client/record"
)

func TestIsSecretName(t *testing.T) {
	for _, name := range []string{
		"password", "Password", "new_password", "userPassword", "password_confirmation", "password2", "passwords", "ftp_pass", "PWD", "passphrase",
		"token", "api_token", "accessToken", "authtoken", "JWT", "id_token", "client_secret", "secret", "Authorization", "Proxy-Authorization",
		"Cookie", "Set-Cookie", "X-Api-Key", "apiKey", "api_key2", "APIKey", "private_key", "Passwort", "Kunden-Kennwort", "mot de passe", "Mots de passe", "Claves de acceso", "API keys", "Contraseña", "clave de acceso", "Geheimnis", "PW", "Kunden-PW", "MDP",
	} {
		if !IsSecretName(name) {
			t.Errorf("%s: got no secret, want one", name)
		}
	}
	for _, name := range []string{
		"", "_", "token_exp", "tokenExp", "token_expires_at", "tokenType", "password_changed_at", "password_required", "secretary", "secretary_name",
		"keyword", "keyword_type", "total_keywords", "key", "seeds", "tokenized", "compass", "iam_credentials_id", "credentials_types_id", "username", "note", "address", "Accesos", "Último acceso", "passes", "mots de passage",
	} {
		if IsSecretName(name) {
			t.Errorf("%s: got a secret, want none", name)
		}
	}
}

func TestFilter(t *testing.T) {
	secrets := Secrets{"correct horse", "1234", "87654321", "abc"}
	for _, tt := range []struct{ name, in, want string }{
		{"nothing to hide", `{ "name": "Harbour", "token_exp" : 5 }`, `{ "name": "Harbour", "token_exp" : 5 }`},
		{"password", `{"id":1,"password":"other"}`, `{"id":1,"password":"[hidden]"}`},
		{"escaped name", `{"p\u0061ssword":"other"}`, `{"password":"[hidden]"}`},
		{"space after the name", "{\"password\" \n: \"other\"}", `{"password":"[hidden]"}`},
		{"nested", `[{"a":[{"apiKey":{"x":1}}]}]`, `[{"a":[{"apiKey":"[hidden]"}]}]`},
		{"no secret values", `{"password":null,"token":true}`, `{"password":null,"token":true}`},
		{"secret of the call", `{"echo":"correct horse"}`, `{"echo":"[hidden]"}`},
		{"with white space around it", `{"echo":" correct horse\n"}`, `{"echo":"[hidden]"}`},
		{"escaped secret", `{"echo":"correct\u0020horse"}`, `{"echo":"[hidden]"}`},
		{"in a text", `{"echo":"is correct horse."}`, `{"echo":"is [hidden]."}`},
		{"as a name", `{"correct horse":1}`, `{"correct horse":1}`},
		{"short secret", `{"echo":"1234","phone":"555-12345"}`, `{"echo":"[hidden]","phone":"555-12345"}`},
		{"too short a secret", `{"echo":"abc"}`, `{"echo":"abc"}`},
		{"ids", `{"account_id":1234,"echo":87654321}`, `{"account_id":1234,"echo":"[hidden]"}`},
		{"numbers keep their digits", `{"password":"x","n":1.00,"e":1e400}`, `{"password":"[hidden]","n":1.00,"e":1e400}`},
		{"string with a quote and a colon", `{"a":"\"password\": \"x\""}`, `{"a":"\"password\": \"x\""}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := NewFilter(secrets)
			if got := f.Value(record.Value(tt.in)); string(got) != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			rec, err := record.Parse([]byte(tt.in))
			if err != nil {
				return // it is no object
			}
			for range 2 { // the second record has the names of the first
				got := rec
				if err := f.Record(&got); err != nil || string(got.Raw()) != tt.want {
					t.Errorf("record: got %s, %v, want %s", got.Raw(), err, tt.want)
				}
			}
		})
	}
}

func TestSecretsIn(t *testing.T) {
	got := SecretsIn([]byte(`{"username":"ada","password":"one","rows":[{"api_key":["two",3]},{"token":null}],"token_exp":"no"}`))
	if want := (Secrets{"one", "two", "3"}); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, body := range []string{"password=one", `{"password":"one`, `"`, `{"password":"\`} {
		if got := SecretsIn([]byte(body)); got != nil {
			t.Errorf("%s, which is not JSON: got %q, want nothing", body, got)
		}
	}
}

// TestFilterOfRecords checks that a filter notices a secret name behind names that it
// knows.
func TestFilterOfRecords(t *testing.T) {
	f, fromReader := NewFilter(nil), NewFilter(nil)
	records := [][2]string{
		{`{"a":1,"b":2}`, `{"a":1,"b":2}`}, {`{"a":1,"b":2,"token":"x"}`, `{"a":1,"b":2,"token":"[hidden]"}`}, {`{"a":1,"b":2,"c":3}`, `{"a":1,"b":2,"c":3}`},
		{`{"token":"x","b":2}`, `{"token":"[hidden]","b":2}`}, {`{"a":1,"token":"x","c":3}`, `{"a":1,"token":"[hidden]","c":3}`}, {`{"a":1}`, `{"a":1}`},
		{`{"a":1,"b":{"token":"x"}}`, `{"a":1,"b":{"token":"[hidden]"}}`}, {`{"a":1,"b":[{"token":"x"}]}`, `{"a":1,"b":[{"token":"[hidden]"}]}`},
	}
	var all strings.Builder
	for _, tt := range records {
		all.WriteString(tt[0])
	}
	r := record.ReaderOf([]byte(all.String()))
	for _, tt := range records {
		var read record.Record
		if err := r.Record(&read); err != nil {
			t.Fatal(err)
		}
		if err := fromReader.Record(&read); err != nil || string(read.Raw()) != tt[1] {
			t.Errorf("from a reader: got %s, %v, want %s", read.Raw(), err, tt[1])
		}
		rec, err := record.Parse([]byte(tt[0]))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Record(&rec); err != nil || string(rec.Raw()) != tt[1] {
			t.Errorf("got %s, %v, want %s", rec.Raw(), err, tt[1])
		}
	}
}

// FuzzFilter checks that a filter finds everything to hide without parsing.
func FuzzFilter(f *testing.F) {
	f.Add(`{"a":"\\","pass\u0077ord":"x"}`)
	f.Add(`[" : ",{"token" :1}]`)
	f.Add(`{"a":"\u0063orrect horse"}`)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := record.ParseValue([]byte(text))
		if err != nil {
			return
		}
		filter := NewFilter(Secrets{"correct horse"})
		copied := (&redactor{str: func(s string) string { return s }}).append(nil, v)
		redacted := filter.redact(v)
		if got := filter.Value(v); string(got) == string(v) && string(copied) != string(redacted) {
			t.Errorf("got %s, want %s", got, redacted)
		}
	})
}
