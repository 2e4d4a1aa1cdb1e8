package accounts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

func execute(c *cobra.Command, args ...string) error {
	c.SetGlobalNormalizationFunc(cli.Normalize)
	c.SetArgs(args)
	c.SetOut(io.Discard)
	c.SetErr(io.Discard)
	c.SilenceErrors, c.SilenceUsage = true, true
	return c.Execute()
}

func TestVersionFlag(t *testing.T) {
	for args, want := range map[string]*schema.Resource{
		"": &schema.AccountsV2, "--api-version v2": &schema.AccountsV2, "--api-version v1": &schema.AccountsV1, "--api-version 1": nil, "--api-version=": nil,
	} {
		t.Run(args, func(t *testing.T) {
			var got *schema.Resource
			var v version
			c := &cobra.Command{RunE: func(*cobra.Command, []string) error { got = v.resource; return nil }}
			v.addTo(c)
			err := execute(c, strings.Fields(args)...)
			if got != want || (err == nil) != (want != nil) {
				t.Errorf("got resource %v, error %v, want %v", got, err, want)
			}
		})
	}
}

func TestArguments(t *testing.T) {
	f := cli.NewFrame(cli.Streams{}, "")
	commands := map[string]func(ran *string) *cobra.Command{
		"get":  func(*string) *cobra.Command { return newGetCmd(f) },
		"list": func(*string) *cobra.Command { return newListCmd(f) },
		"status": func(ran *string) *cobra.Command {
			return newStatusCmd(f, func(_ context.Context, _ *cli.Frame, o *statusOptions) error {
				*ran = fmt.Sprint(o.ids, cmp.Or(o.word, o.change()), o.file.Path)
				return nil
			})
		},
		"update": func(ran *string) *cobra.Command {
			return newUpdateCmd(f, func(_ *cobra.Command, _ *cli.Frame, o *updateOptions) error { *ran = fmt.Sprint(o.id); return nil })
		},
		"create": func(ran *string) *cobra.Command {
			return newCreateCmd(f, func(_ context.Context, _ *cli.Frame, o *createOptions) error {
				*ran = "file " + o.file.Path
				return nil
			})
		},
		"credentials": func(ran *string) *cobra.Command {
			return newCredentialsCmd(f, func(_ context.Context, _ *cli.Frame, o *credentialsOptions) error {
				*ran = fmt.Sprint(o.passwordStdin, o.file.Path)
				return nil
			})
		},
	}
	for _, c := range []struct{ command, args, want string }{ // an empty want is a usage error
		{"get", "", ""},
		{"get", "1.0", ""},
		{"get", "7 1.5", ""},
		{"get", "9223372036854775808", ""},
		{"list", "--status Active", ""},
		{"list", "7", ""},
		{"status", "", ""},
		{"status", "7", "[7]"},
		{"status", "7 8 --deactivate", "[7 8]deactivate"},
		{"status", "7 --reactivate", "[7]reactivate"},
		{"status", "7 --reactivate --request-string on", "[7]on"},
		{"status", "7 --request-string on", ""},
		{"status", "7 --deactivate --request-string=", ""},
		{"status", "7 --deactivate --reactivate", ""},
		{"status", "--file x --deactivate", "[]deactivatex"},
		{"status", "7 --file x --deactivate", ""},
		{"update", "", "[]"},
		{"update", "7", "[7]"},
		{"update", "7 8", ""},
		{"update", "1.0", ""},
		{"create", "", "file "},
		{"create", "--file -", "file -"},
		{"create", "x", ""},
		{"credentials", "--password-stdin", "true"},
		{"credentials", "--password-stdin --file x", "truex"},
		{"credentials", "--password-stdin --file -", ""},
	} {
		t.Run(c.command+" "+c.args, func(t *testing.T) {
			ran := ""
			err := execute(commands[c.command](&ran), strings.Fields(c.args)...)
			var usage *cli.UsageError
			if strings.ReplaceAll(ran, " ", "") != strings.ReplaceAll(c.want, " ", "") || (c.want == "") != errors.As(err, &usage) {
				t.Errorf("ran with %q, error %v, want %q", ran, err, c.want)
			}
		})
	}
}

func TestChooseID(t *testing.T) {
	for name, c := range map[string]struct {
		args []int64
		flag string
		want string // empty for an error
	}{
		"argument": {[]int64{7}, "", "7"}, "flag": {nil, "7", "7"}, "both the same": {[]int64{7}, "7", "7"},
		"both, not the same": {[]int64{7}, "8", ""}, "neither": {nil, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			values := schema.Values{}
			if c.flag != "" {
				values["account_id"] = []byte(c.flag)
			}
			_, err := resource.ChooseID("ACCOUNT_ID", "", c.args, values)
			if got := values["account_id"].Text(); (err == nil) != (c.want != "") || err == nil && got != c.want {
				t.Errorf("got account %s, error %v, want %q", got, err, c.want)
			}
		})
	}
}
