package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

func frame(input string) *cli.Frame {
	return cli.NewFrame(cli.Streams{
		In: strings.NewReader(input), Out: &bytes.Buffer{}, Err: &bytes.Buffer{},
		Env: func(string) (string, bool) { return "", false },
	}, "")
}

// flags runs the command as far as its options.
func flags(t *testing.T, args ...string) (*options, error) {
	t.Helper()
	f := frame("")
	var got *options
	c := newCmd(f, func(_ context.Context, _ *cli.Frame, o *options) error { got = o; return nil })
	root := &cobra.Command{Use: "reseller", SilenceErrors: true, SilenceUsage: true}
	f.Flags.AddTo(root)
	root.AddCommand(c)
	root.SetArgs(append([]string{"api"}, args...))
	err := root.ExecuteContext(context.Background())
	return got, err
}

func TestCall(t *testing.T) {
	for _, test := range []struct {
		name         string
		args         []string
		input        string
		target, body string
		public, bad  bool
	}{
		{name: "get", args: []string{"get", "/x"}, target: "/x"},
		{name: "query", args: []string{"GET", "/x?a=%20", "--query", "b=1 2", "--query", "a=&"}, target: "/x?a=%20&b=1+2&a=%26"},
		{name: "empty query", args: []string{"GET", "/x?"}, target: "/x"},
		{name: "fields", args: []string{"POST", "/x", "--field", `a="`, "--json-field", "b=[1,\n2]", "--field", "c="},
			target: "/x", body: "{\"a\":\"\\\"\",\"c\":\"\",\"b\":[1,\n2]}"},
		{name: "commas are not split", args: []string{"PUT", "/x", "--field", "a=1,2", "--query", "q=1,2"}, target: "/x?q=1%2C2", body: `{"a":"1,2"}`},
		{name: "input", args: []string{"POST", "/x", "--input", "-"}, input: " [1]\n", target: "/x", body: " [1]\n"},
		{name: "login", args: []string{"post", "/api/v1/authentication/login"}, target: "/api/v1/authentication/login", public: true},
		{name: "login read", args: []string{"GET", "/api/v1/authentication/login"}, target: "/api/v1/authentication/login"},
		{name: "two values", args: []string{"POST", "/x", "--input", "-"}, input: "{} {}", bad: true},
		{name: "no value", args: []string{"POST", "/x", "--json-field", "a"}, bad: true},
		{name: "byte order mark", args: []string{"POST", "/x", "--input", "-"}, input: "\ufeff{}", bad: true},
		{name: "body of a read", args: []string{"HEAD", "/x", "--field", "a=b"}, bad: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			o, err := flags(t, test.args...)
			if err != nil {
				t.Fatal(err)
			}
			call, err := o.call(t.Context(), frame(test.input).Session)
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
