package auth

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
	"reseller/cmd/form"
)

// frame has a terminal at whose forms these texts are typed. Without a text, the user
// cancels the form.
func frame(t *testing.T, env map[string]string, typed ...string) (*cli.Frame, *bytes.Buffer, *bytes.Buffer) {
	t.Helper()
	dir := t.TempDir()
	var out, errs bytes.Buffer
	f := cli.NewFrame(cli.Streams{
		In: strings.NewReader(""), Out: &out, Err: &errs, InTTY: true, ErrTTY: true,
		Width: func() int { return 80 },
		Env: func(name string) (string, bool) {
			if name == "HOME" || name == "XDG_CONFIG_HOME" {
				return dir, true
			}
			text, ok := env[name]
			return text, ok
		},
		Form: func(_ context.Context, fm *form.Form) error {
			if len(typed) == 0 {
				return form.ErrCanceled
			}
			field := fm.Fields[0]
			field.Value, typed = typed[0], typed[1:]
			return field.Check(field.Value)
		},
	}, "")
	f.Version = "test"
	t.Cleanup(f.Close)
	return f, &out, &errs
}

// execute runs one command below a root that has the flags of every command.
func execute(session *cli.Session, c *cobra.Command, args ...string) error {
	root := &cobra.Command{Use: "reseller", SilenceErrors: true, SilenceUsage: true}
	session.Flags.AddTo(root)
	root.AddCommand(c)
	root.SetArgs(append([]string{c.Name()}, args...))
	return root.ExecuteContext(context.Background())
}

func TestLoginFlags(t *testing.T) {
	for _, test := range []struct {
		name string
		env  map[string]string
		args string
		want loginOptions
		code int
	}{
		{"nothing", nil, "", loginOptions{}, 0},
		{"unverified", nil, "--no-verify", loginOptions{noVerify: true}, 0},
		{"token", nil, "--with-token", loginOptions{withToken: true}, 0},
		{"user", nil, "--username ana --password-stdin --remember --insecure-storage",
			loginOptions{username: "ana", passwordStdin: true, remember: true, insecure: true}, 0},
		{"variable", map[string]string{"RESELLER_USERNAME": "eve"}, "--remember", loginOptions{username: "eve", remember: true}, 0},
		{"flag beats variable", map[string]string{"RESELLER_USERNAME": "eve"}, "--username ana", loginOptions{username: "ana"}, 0},
		{"token passes variable over", map[string]string{"RESELLER_USERNAME": "eve"}, "--with-token", loginOptions{withToken: true}, 0},
		{"token and user", nil, "--with-token --username ana", loginOptions{}, cli.ExitUsage},
		{"token and password", nil, "--with-token --password-stdin", loginOptions{}, cli.ExitUsage},
		{"token remembered", nil, "--with-token --remember", loginOptions{}, cli.ExitUsage},
		{"remember alone", nil, "--remember --no-input", loginOptions{}, cli.ExitUsage},
		{"password alone", nil, "--password-stdin", loginOptions{}, cli.ExitUsage},
		{"argument", nil, "now", loginOptions{}, cli.ExitUsage},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, _, _ := frame(t, test.env)
			var got loginOptions
			err := execute(f.Session, newLoginCmd(f, func(_ context.Context, _ *cli.Frame, o *loginOptions) error { got = *o; return nil }), strings.Fields(test.args)...)
			if code := cli.ExitCode(err); code != test.code {
				t.Fatalf("got exit code %d (%v), want %d", code, err, test.code)
			}
			if got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestLoginAsksForToken(t *testing.T) {
	f, out, errs := frame(t, nil, " atoken ")
	args := []string{"--insecure-storage", "--no-verify", "--base-url", "https://api.example.com"}
	if err := execute(f.Session, newLoginCmd(f, login), args...); err != nil {
		t.Fatal(err)
	}
	if out.Len() > 0 || strings.Contains(errs.String(), "atoken") {
		t.Errorf("got stdout %q, stderr %q, want the token nowhere", out, errs)
	}
	if err := execute(f.Session, newTokenCmd(f), "--base-url", "https://api.example.com"); err != nil || out.String() != "atoken\n" {
		t.Errorf("got token %q, error %v, want atoken", out, err)
	}
}

// TestLoginWithoutAnswer: who cancels the form learns how to do without it.
func TestLoginWithoutAnswer(t *testing.T) {
	for name, typed := range map[string][]string{"canceled": nil, "empty": {""}, "two lines": {"a\nb"}} {
		t.Run(name, func(t *testing.T) {
			f, _, _ := frame(t, nil, typed...)
			err := execute(f.Session, newLoginCmd(f, login), "--insecure-storage", "--no-verify", "--base-url", "https://api.example.com")
			if err == nil {
				t.Fatal("got no error")
			}
			if code, hint := cli.ExitCode(err), cli.Hint(err); typed == nil && (code != 130 || !strings.Contains(hint, "--with-token")) {
				t.Errorf("got exit code %d and hint %q, want 130 and --with-token", code, hint)
			}
		})
	}
}

// TestPasswordGoesWithItsUser: the variable's password is not sent for
// another user name.
func TestPasswordGoesWithItsUser(t *testing.T) {
	env := map[string]string{"RESELLER_USERNAME": "eve", "RESELLER_PASSWORD": "hers"}
	for user, want := range map[string]string{"eve": "hers", "ana": ""} {
		t.Run(user, func(t *testing.T) {
			f, _, _ := frame(t, env)
			if got := (&loginOptions{username: user}).passwordInEnvironment(f.Session); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
	f, _, _ := frame(t, env)
	f.Form = nil
	err := execute(f.Session, newLoginCmd(f, login), "--username", "ana", "--base-url", "https://api.example.com")
	var usage *cli.UsageError
	if !errors.As(err, &usage) || !strings.Contains(usage.Hint, "--password-stdin") {
		t.Errorf("got %v, want a usage error with a hint at --password-stdin", err)
	}
}
