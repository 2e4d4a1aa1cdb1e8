package auth

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
)

// factory has a terminal at which these secrets are typed.
func factory(t *testing.T, env map[string]string, secrets ...string) (*cli.Factory, *bytes.Buffer, *bytes.Buffer) {
	t.Helper()
	dir := t.TempDir()
	var out, errs bytes.Buffer
	f := &cli.Factory{Streams: cli.Streams{
		In: strings.NewReader(""), Out: &out, Err: &errs, InTTY: true, ErrTTY: true,
		Width: func() int { return 80 }, Restore: func() {},
		Env: func(name string) (string, bool) {
			if name == "HOME" || name == "XDG_CONFIG_HOME" {
				return dir, true
			}
			text, ok := env[name]
			return text, ok
		},
		Secret: func() ([]byte, error) {
			if len(secrets) == 0 {
				return nil, io.EOF
			}
			next := secrets[0]
			secrets = secrets[1:]
			return []byte(next), nil
		},
	}, Version: "test"}
	t.Cleanup(f.Close)
	return f, &out, &errs
}

// execute runs one command below a root that has the flags of every command.
func execute(f *cli.Factory, c *cobra.Command, args ...string) error {
	root := &cobra.Command{Use: "reseller", SilenceErrors: true, SilenceUsage: true}
	f.Flags.AddTo(root)
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
		{"token", nil, "--with-token", loginOptions{withToken: true}, 0},
		{"user", nil, "--username ana --password-stdin --remember --insecure-storage",
			loginOptions{username: "ana", passwordStdin: true, remember: true, insecure: true}, 0},
		{"variable", map[string]string{"RESELLER_USERNAME": "eve"}, "--remember", loginOptions{username: "eve", remember: true}, 0},
		{"flag beats variable", map[string]string{"RESELLER_USERNAME": "eve"}, "--username ana", loginOptions{username: "ana"}, 0},
		{"token passes variable over", map[string]string{"RESELLER_USERNAME": "eve"}, "--with-token", loginOptions{withToken: true}, 0},
		{"token and user", nil, "--with-token --username ana", loginOptions{}, cli.ExitUsage},
		{"token and password", nil, "--with-token --password-stdin", loginOptions{}, cli.ExitUsage},
		{"token remembered", nil, "--with-token --remember", loginOptions{}, cli.ExitUsage},
		{"remember alone", nil, "--remember", loginOptions{}, cli.ExitUsage},
		{"password alone", nil, "--password-stdin", loginOptions{}, cli.ExitUsage},
		{"argument", nil, "now", loginOptions{}, cli.ExitUsage},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, _, _ := factory(t, test.env)
			var got loginOptions
			err := execute(f, newLoginCmd(f, func(o *loginOptions) error { got = *o; return nil }), strings.Fields(test.args)...)
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
	f, out, errs := factory(t, nil, " atoken ")
	args := []string{"--insecure-storage", "--base-url", "https://api.example.com"}
	if err := execute(f, newLoginCmd(f, nil), args...); err != nil {
		t.Fatal(err)
	}
	if out.Len() > 0 || strings.Contains(errs.String(), "atoken") || !strings.Contains(errs.String(), "token for https://api.example.com:443: ") {
		t.Errorf("got stdout %q, stderr %q, want a question for the token, and the token nowhere", out, errs)
	}
	if err := execute(f, newTokenCmd(f), "--base-url", "https://api.example.com"); err != nil || out.String() != "atoken\n" {
		t.Errorf("got token %q, error %v, want atoken", out, err)
	}
}

// TestLoginWithoutAnswer: the end of input is no token.
func TestLoginWithoutAnswer(t *testing.T) {
	f, _, _ := factory(t, nil)
	err := execute(f, newLoginCmd(f, nil), "--insecure-storage", "--base-url", "https://api.example.com")
	if want := "the input ended before the question was answered"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want an error with %q", err, want)
	}
	f, _, _ = factory(t, nil, "")
	err = execute(f, newLoginCmd(f, nil), "--insecure-storage", "--base-url", "https://api.example.com")
	if cli.ExitCode(err) != cli.ExitUsage {
		t.Errorf("an empty token: got %v, want a usage error", err)
	}
}

// TestLoginWithCutToken: a terminal hands over 4095 bytes of a line.
func TestLoginWithCutToken(t *testing.T) {
	f, _, _ := factory(t, nil, strings.Repeat("x", 4095))
	err := execute(f, newLoginCmd(f, nil), "--insecure-storage", "--base-url", "https://api.example.com")
	if cli.ExitCode(err) != cli.ExitUsage || !strings.Contains(cli.Hint(err), "--with-token") {
		t.Errorf("got %v, want a usage error with a hint at --with-token", err)
	}
}

// TestPasswordGoesWithItsUser: the variable's password is not sent for
// another user name.
func TestPasswordGoesWithItsUser(t *testing.T) {
	env := map[string]string{"RESELLER_USERNAME": "eve", "RESELLER_PASSWORD": "hers"}
	for user, want := range map[string]string{"eve": "hers", "ana": ""} {
		t.Run(user, func(t *testing.T) {
			f, _, _ := factory(t, env)
			if got := (&loginOptions{username: user}).passwordInEnvironment(f); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
	f, _, _ := factory(t, env)
	f.InTTY = false
	err := execute(f, newLoginCmd(f, nil), "--username", "ana", "--base-url", "https://api.example.com")
	var usage *cli.UsageError
	if !errors.As(err, &usage) || !strings.Contains(usage.Hint, "--password-stdin") {
		t.Errorf("got %v, want a usage error with a hint at --password-stdin", err)
	}
}
