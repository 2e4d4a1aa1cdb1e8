package api

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"reseller/cmd/cli"
)

func TestCall(t *testing.T) {
	for _, test := range []struct {
		name         string
		options      options
		input        string
		target, body string
		public, bad  bool
	}{
		{name: "get", options: options{method: "GET"}, target: "/x"},
		{name: "query", options: options{method: "GET", path: "/x?a=%20", query: []string{"b=1 2", "a=&", "q=1,2"}}, target: "/x?a=%20&b=1+2&a=%26&q=1%2C2"},
		{name: "empty query", options: options{method: "GET", path: "/x?"}, target: "/x"},
		{name: "fields", options: options{method: "POST", fields: []string{`a="`, "c=", "d=1,2"}, jsonFields: []string{"b=[1,\n2]"}},
			target: "/x", body: "{\"a\":\"\\\"\",\"c\":\"\",\"d\":\"1,2\",\"b\":[1,\n2]}"},
		{name: "input", options: options{method: "POST", input: "-"}, input: " [1]\n", target: "/x", body: " [1]\n"},
		{name: "login", options: options{method: "POST", path: "/api/v1/authentication/login"}, target: "/api/v1/authentication/login", public: true},
		{name: "login read", options: options{method: "GET", path: "/api/v1/authentication/login"}, target: "/api/v1/authentication/login"},
		{name: "two values", options: options{method: "POST", input: "-"}, input: "{} {}", bad: true},
		{name: "byte order mark", options: options{method: "POST", input: "-"}, input: "\ufeff{}", bad: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.options.path = cmp.Or(test.options.path, "/x")
			session := cli.NewFrame(cli.Streams{In: strings.NewReader(test.input)}, "").Session
			call, err := test.options.call(t.Context(), session)
			if test.bad {
				if cli.ExitCode(err) != cli.ExitUsage {
					t.Fatalf("got %v, want a usage error", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if call.Target() != test.target || string(call.Body) != test.body || call.Op.Public != test.public {
				t.Errorf("got %s %q, public %v, want %s %q, public %v", call.Target(), call.Body, call.Op.Public, test.target, test.body, test.public)
			}
		})
	}
}

func FuzzPath(f *testing.F) {
	for _, seed := range []string{"/a", "//a", "/a?b=c", "/%2f%2fx", "/a\x00", "/..//x", "/@x", "/:80", "/a\u0085b", "/\\x", "?/a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if checkPath(path) != nil {
			return
		}
		u, err := url.Parse("https://api.example.com:8443" + path)
		if err != nil || u.Host != "api.example.com:8443" || u.Scheme != "https" || u.User != nil || u.Fragment != "" {
			t.Errorf("%q leads to %v (%v)", path, u, err)
		}
	})
}

func FuzzMembers(f *testing.F) {
	f.Add("a=b", "c=1")
	f.Add("a\"=b\\", `c={"d":null}`)
	f.Fuzz(func(t *testing.T, field, jsonField string) {
		o := &options{fields: []string{field}, jsonFields: []string{jsonField}}
		if body, err := o.fieldsBody(); err == nil && !json.Valid(body) {
			t.Errorf("%q and %q make %q", field, jsonField, body)
		}
	})
}
