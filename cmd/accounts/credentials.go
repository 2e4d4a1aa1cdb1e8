package accounts

import (
	"context"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

type credentialsOptions struct {
	fields        *resource.FieldFlags
	passwordStdin bool
	file          bulkcmd.FileFlags
}

func newCredentialsCmd(f *cli.Factory, runF func(*credentialsOptions) error) *cobra.Command {
	o := &credentialsOptions{}
	c := &cobra.Command{
		Use:   "create",
		Short: "Store credentials for an account's campaign",
		Long: "Store a user name and password for something that an account uses: its hosting, its analytics, its CMS.\n" +
			"The password comes from a prompt, --password-stdin, or a column of --file; there is no flag for its value,\n" +
			"and no way to read it back.\n\n" +
			"Kinds of credentials: 1 Twitter, 2 Facebook, 3 Google Plus, 4 Hosting, 5 DNS, 6 Google Analytics,\n" +
			"7 Google Adwords, 8 MS Adcenter, 9 Marchex, 10 LinkedIn, 11 Adroll, 12 Bing Local, 20 a CMS.\n\n" +
			"The service does not notice that it has credentials already: running this again makes them again. A load of\n" +
			"a file keeps a journal on this machine; without it, or after it has finished, a second load of the same\n" +
			"credentials makes them again. Where a load does not learn whether a row is in, it does not send the row\n" +
			"again before it is told to by --resend-unknown. Loads go at 10 calls a minute unless --rate says otherwise.",
		Example: "printf 'correct horse\\n' | reseller accounts credentials create --server mock --reseller-account-id 1 --account 1 \\\n" +
			"  --campaign 101 --credentials-types-id 4 --username harbour --note 'hosting panel' --password-stdin\n" +
			"reseller accounts credentials create --example csv",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.passwordStdin && o.file.Path == "-" {
				return cli.Usagef("--password-stdin and --file - both read stdin")
			}
			if runF != nil {
				return runF(o)
			}
			return runCredentials(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	o.fields = resource.AddFieldFlags(c, schema.Create, &schema.Credentials)
	c.Flags().BoolVar(&o.passwordStdin, "password-stdin", false, "read the password from stdin; one line end is dropped")
	o.file.AddTo(c, f)
	o.file.AddResendUnknown(c)
	return c
}

func runCredentials(ctx context.Context, f *cli.Factory, o *credentialsOptions) error {
	res, op := &schema.Credentials, &schema.OpCredentials
	values, err := o.fields.Values(f, res, schema.Create, false)
	if err != nil {
		return err
	}
	defaults, err := Configured(f)
	if err != nil {
		return err
	}
	if o.passwordStdin {
		password, err := f.SecretFromStdin("--password-stdin")
		if err != nil {
			return err
		}
		values["password"] = record.Quote(password)
	}
	if o.file.Given() {
		load, err := StoringCredentials(f)
		if err != nil {
			return err
		}
		load.Constants, load.Defaults = values, defaults
		return bulkcmd.RunLoad(ctx, f, &o.file, load)
	}
	for name, v := range defaults {
		if values[name] == nil {
			values[name] = v
		}
	}
	if err := resource.FillRequired(ctx, f, res, values); err != nil {
		return err
	}
	return resource.Send(ctx, f, resource.Write{Call: client.Call{Op: op, Body: res.Body(values)}})
}

// StoringCredentials is how rows become credentials, 10 a minute unless another
// rate was asked for.
func StoringCredentials(f *cli.Factory) (bulkcmd.Load, error) {
	res, op := &schema.Credentials, &schema.OpCredentials
	pace, err := f.PerMinute(10)
	return bulkcmd.Load{
		Op: op, Res: res, Use: schema.Create, Identity: bulk.CredentialsIdentity, Pace: pace,
		Body: func(rows []bulk.Row) client.Call { return client.Call{Op: op, Body: res.Body(rows[0].Values.Map())} },
	}, err
}

// Configured are the values that the configuration has for credentials.
func Configured(f *cli.Factory) (schema.Values, error) {
	settings, err := f.Settings()
	if err != nil {
		return nil, err
	}
	id, err := settings.ResellerAccountID()
	if err != nil || id == 0 {
		return nil, err
	}
	return schema.Values{"reseller_account_id": record.Value(cli.IDText(id))}, nil
}
