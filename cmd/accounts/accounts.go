// Package accounts has the commands on customer accounts, their status and
// their credentials.
package accounts

import (
	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/loads"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

var New = cli.Group("accounts", "Manage customer accounts", cli.Commands{
	"create": cli.With(newCreateCmd, runCreate), "update": cli.With(newUpdateCmd, runUpdate), "list": newListCmd, "get": newGetCmd,
	"status": cli.With(newStatusCmd, runStatus), "credentials": newCredentialsGroup,
})

type version string

func (v *version) addTo(c *cobra.Command) {
	c.Flags().Var(cli.Checked("string", func(text string) (string, error) {
		if text != "v1" && text != "v2" {
			return "", cli.Usagef("%q is neither v1 nor v2", text)
		}
		*v = version(text)
		return text, nil
	}), "api-version", "`VERSION` of the service's interface: v1 or v2 (default v2)")
	_ = c.RegisterFlagCompletionFunc("api-version", cobra.FixedCompletions([]string{"v1", "v2"}, cobra.ShellCompDirectiveNoFileComp))
}

func (v version) isV1() bool { return v == "v1" }

func (v version) pick(one, two *schema.Operation) *schema.Operation {
	if v.isV1() {
		return one
	}
	return two
}

func (v version) resource() *schema.Resource {
	if v.isV1() {
		return &schema.AccountsV1
	}
	return &schema.AccountsV2
}

func (v version) accounts() func(*client.Client) loads.Load {
	if v.isV1() {
		return loads.AccountsV1
	}
	return loads.Accounts
}
