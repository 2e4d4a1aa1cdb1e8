package keywords

import (
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

func TestArguments(t *testing.T) {
	f := cli.NewFrame(cli.Streams{}, "")
	body := func(fields *resource.FieldFlags) string {
		values, err := fields.Values(t.Context(), f.Session, &schema.Keywords, schema.Create|schema.Update)
		if err != nil {
			return err.Error()
		}
		return string(schema.Keywords.Body(values))
	}
	commands := map[string]func(ran *string) *cobra.Command{
		"add": func(ran *string) *cobra.Command {
			return newAddCmd(f, func(_ context.Context, _ *cli.Frame, o *addOptions) error {
				*ran = fmt.Sprint(o.keywords, body(o.fields))
				return nil
			})
		},
		"update": func(ran *string) *cobra.Command {
			return newUpdateCmd(f, func(_ *cobra.Command, _ *cli.Frame, o *updateOptions) error {
				*ran = fmt.Sprint(o.ids, body(o.fields))
				return nil
			})
		},
		"delete": func(ran *string) *cobra.Command {
			return newDeleteCmd(f, func(_ context.Context, _ *cli.Frame, o *deleteOptions) error { *ran = fmt.Sprint(o.ids); return nil })
		},
		"list": func(*string) *cobra.Command { return listCmd.Command(f) },
		"get":  func(*string) *cobra.Command { return getCmd.Command(f) },
	}
	for _, c := range []struct{ command, args, want string }{ // an empty want is a usage error
		{"add", "a b --account 1 --campaign-id 2 --keyword-type target", `[a b]{"account_id":1,"campaign_id":2,"keyword_type":"target"}`},
		{"add", "a --file x", ""},
		{"add", "", "[]{}"},
		{"update", "1 2 --status 1", `[1 2]{"status":"activate"}`},
		{"update", "1 --status deactivate --type interest", `[1]{"keyword_type":"interest","status":"deactivate"}`},
		{"update", "x --status 1", ""},
		{"update", "1 --file x", ""},
		{"delete", "1 2", "[1 2]"},
		{"delete", "1 --file x", ""},
		{"delete", "x", ""},
		{"delete", "", ""},
		{"list", "--campaign 1.0", ""},
		{"list", "--account=", ""},
		{"list", "--type both", ""},
		{"list", "--status activate", ""},
		{"list", "x", ""},
		{"get", "", ""},
		{"get", "1 x", ""},
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
