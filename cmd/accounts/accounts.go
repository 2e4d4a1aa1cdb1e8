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
	"create": newCreateCmd, "update": newUpdateCmd, "list": newListCmd, "get": newGetCmd,
	"status": newStatusCmd, "credentials": newCredentialsGroup,
})

// A version is a version of the interface, with what it has of accounts.
type version struct {
	resource                  *schema.Resource
	create, update, list, get *schema.Operation
	accounts                  func(*client.Client) loads.Load
	updates                   func(*client.Client, loads.UpdateOptions) loads.Load
}

var versions = map[string]version{
	"v1": {&schema.AccountsV1, &schema.OpAccountsV1Create, &schema.OpAccountsV1Update, &schema.OpAccountsV1List, &schema.OpAccountsV1Get, loads.AccountsV1, loads.AccountUpdatesV1},
	"v2": {&schema.AccountsV2, &schema.OpAccountsV2Create, &schema.OpAccountsV2Update, &schema.OpAccountsV2List, &schema.OpAccountsV2Get, loads.Accounts, loads.AccountUpdates},
}

func (v *version) addTo(c *cobra.Command) {
	*v = versions["v2"]
	c.Flags().Var(cli.Checked("string", func(text string) (string, error) {
		named, ok := versions[text]
		if !ok {
			return "", cli.Usagef("%q is neither v1 nor v2", text)
		}
		*v = named
		return text, nil
	}), "api-version", "`VERSION` of the service's interface: v1 or v2 (default v2)")
	cli.Offer(c, "api-version", "v1", "v2")
}
