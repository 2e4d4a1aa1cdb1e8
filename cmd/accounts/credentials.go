package accounts

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk/decode"
	"reseller/client/loads"
	"reseller/client/phrase"
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

var newCredentialsGroup = cli.Group("credentials", "Manage the credentials of an account", cli.Commands{"create": newCredentialsCmd})

func newCredentialsCmd(f *cli.Frame) *cobra.Command {
	o := &credentialsOptions{}
	c := &cobra.Command{
		Use:   "create",
		Short: "Store credentials for an account's campaign",
		Long: "Store the user name and password of a service that an account uses, such as its hosting, analytics or CMS. The\n" +
			"password comes from a prompt, --password-stdin or a column of --file, and the service never shows it. In a file, the\n" +
			"note may be missing: it is sent empty.\n\n" +
			"Types of credentials: " + credentialTypes() + ".\n\n" +
			"The service does not detect duplicates, so this machine remembers what it has sent, as hashes: the same credentials\n" +
			"count as present, or as unknown (exit code 3) if it is not known whether they arrived, until --resend-sent is given.\n" +
			"Another machine remembers nothing: there, a second load stores everything again. Loads make 10 calls per minute, all\n" +
			"shards together, unless --rate is given.",
		Example: "printf 'correct horse\\n' | reseller accounts credentials create --server mock --reseller-account-id 1 --account 1 \\\n" +
			"  --campaign 101 --credentials-types-id 4 --username harbour --note 'hosting panel' --password-stdin\n" +
			"reseller accounts credentials create --example csv",
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.passwordStdin && o.file.Path == "-" {
				return cli.Usagef("--password-stdin and --file - both read stdin")
			}
			return f.Again(func() error { return runCredentials(c.Context(), f, o) })
		},
	}
	o.fields = resource.AddFieldFlags(c, schema.Create, &schema.Credentials)
	c.Flags().BoolVar(&o.passwordStdin, "password-stdin", false, "read the password from stdin; a trailing newline is dropped")
	o.file.AddTo(c, f.Session, decode.Tables...)
	f.Flags.AddResendSent(c)
	return f.SetCompletionResource(c, &schema.Credentials)
}

func credentialTypes() string {
	words := phrase.Each(schema.CredentialTypes, func(t struct{ ID, Name string }) string { return t.ID + " " + t.Name })
	return strings.Join(words[:6], ", ") + ",\n" + strings.Join(words[6:], ", ")
}

func runCredentials(ctx context.Context, f *cli.Frame, o *credentialsOptions) error {
	res, op := &schema.Credentials, &schema.OpCredentials
	values, err := o.fields.Values(ctx, f.Session, res, schema.Create)
	if err != nil {
		return err
	}
	defaults, err := bulkcmd.CredentialsDefaults(f.Session)
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
		return bulkcmd.Run(ctx, f, &o.file, bulkcmd.Command{
			New:       func(c *client.Client) loads.Load { return loads.Credentials(c, bulkcmd.CredentialsPace(f.Session)) },
			Constants: values, Defaults: defaults,
		})
	}
	if err := resource.FillRequired(ctx, f.Session, f.Prompt, op, res, values, defaults); err != nil {
		return err
	}
	return resource.Send(ctx, f.Session, f.Output, resource.Write{Names: o.fields.Names, Call: client.Call{Op: op, Body: res.Body(values)}, Once: resource.NewOnce(loads.Credentials(nil, nil), values)})
}
