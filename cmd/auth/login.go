package auth

import (
	"context"
	"encoding/json"
	"time"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
	"reseller/config"
)

type loginOptions struct {
	withToken     bool
	username      string
	passwordStdin bool
	remember      bool
	insecure      bool
}

func newLoginCmd(f *cli.Factory, runF func(*loginOptions) error) *cobra.Command {
	o := &loginOptions{}
	c := &cobra.Command{
		Use:   "login",
		Short: "Keep a token for the address in force",
		Long: `Keep a token for the profile and the address in force (scheme, host and port), and for no other.

The token is asked for on the terminal without being shown, read from stdin with --with-token, or got by
logging in with --username; RESELLER_USERNAME and RESELLER_PASSWORD stand in for the user name and the
password. With --remember the user name and the password are kept too, so that an expired token renews
itself in the middle of a long job. In a script: reseller auth login --with-token <token.txt

All is kept in the system's keyring. Where there is none, --insecure-storage keeps it in a file beside the
configuration that only you may read. Whether it can be kept is found out before anything is sent. The
mock inside the command (--server mock with no address) needs no login.`,
		Example: `reseller auth login --server mock
reseller auth login --server mock --username reseller1 --remember
reseller auth login --server mock --with-token --insecure-storage`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.check(f); err != nil {
				return err
			}
			if runF != nil {
				return runF(o)
			}
			return login(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().BoolVar(&o.withToken, "with-token", false, "read the token from stdin")
	c.Flags().StringVar(&o.username, "username", "", "log in with this user name")
	c.Flags().BoolVar(&o.passwordStdin, "password-stdin", false, "read the password from stdin")
	c.Flags().BoolVar(&o.remember, "remember", false, "keep user name and password too, to renew the token")
	c.Flags().BoolVar(&o.insecure, "insecure-storage", false, "keep it in a file instead of the keyring")
	return c
}

func (o *loginOptions) check(f *cli.Factory) error {
	if err := f.Flags.Check(); err != nil {
		return err
	}
	if o.withToken {
		switch {
		case o.username != "":
			return cli.Usagef("--with-token and --username can't be given together")
		case o.passwordStdin:
			return cli.Usagef("--with-token and --password-stdin can't be given together")
		case o.remember:
			return cli.Usagef("--remember keeps user name and password, so it needs --username")
		}
		return nil
	}
	if o.username == "" {
		o.username, _ = f.Env("RESELLER_USERNAME")
	}
	switch {
	case o.username == "" && o.passwordStdin:
		return cli.Usagef("--password-stdin needs --username")
	case o.username == "" && o.remember:
		return cli.Usagef("--remember keeps user name and password, so it needs --username")
	}
	return nil
}

func login(ctx context.Context, f *cli.Factory, o *loginOptions) error {
	p, err := find(f)
	if err != nil {
		return err
	}
	if p.address.Embedded {
		f.Note("the mock inside the command needs no login; nothing was kept")
		return nil
	}
	if f.Flags.DryRun {
		return dryRun(ctx, f, o, p)
	}
	if err := o.available(f); err != nil {
		return err
	}
	store, err := p.settings.Store(o.insecure)
	if err != nil {
		return err
	}
	if err := probe(ctx, store, p.settings.Profile()); err != nil {
		return err
	}
	entry, err := obtain(ctx, f, o, p)
	if err != nil {
		return err
	}
	if err := store.Put(ctx, p.settings.Profile(), p.origin, entry); err != nil {
		return err
	}
	tell(f, p, store, entry)
	return nil
}

func dryRun(ctx context.Context, f *cli.Factory, o *loginOptions, p place) error {
	if o.username == "" {
		f.Note("the token would be kept for %s (profile %s); a dry run keeps nothing", p.origin, p.settings.Profile())
		return nil
	}
	// The password is hidden anyway, so it isn't asked for.
	body, err := json.Marshal(map[string]string{"username": o.username, "password": ""})
	if err != nil {
		return err
	}
	return resource.DryRun(ctx, f, client.Call{Op: &schema.OpLogin, Body: body})
}

// probe finds out whether a store can be written. It uses an origin that no
// address can have, so that an entry of the user's is never touched.
func probe(ctx context.Context, store config.Store, profile string) error {
	const nowhere = "https://can-this-be-kept.invalid"
	if err := store.Put(ctx, profile, nowhere, config.Entry{Token: "probe"}); err != nil {
		return err
	}
	_, err := store.Delete(ctx, profile, nowhere)
	return err
}

// tell says what was kept, and what may come as a surprise later.
func tell(f *cli.Factory, p place, store config.Store, entry config.Entry) {
	what := "the token for %s (profile %s) is kept in the %s"
	if entry.Username != "" {
		what = "the token, the user name and the password for %s (profile %s) are kept in the %s"
	}
	f.Note(what, p.origin, p.settings.Profile(), store)
	switch claims := config.ReadClaims(entry.Token); {
	case entry.Expires.IsZero() && !claims.OK:
		f.Note("the token is no JWT, so nobody knows when it expires")
	case entry.Expires.IsZero():
		f.Note("the token does not say when it expires")
	case !time.Now().Before(entry.Expires):
		f.Note("the token looks expired: %s", entry.Expires.UTC().Format(time.RFC3339))
	default:
		f.Note("it expires at %s", entry.Expires.UTC().Format(time.RFC3339))
	}
	for _, name := range p.beats(f) {
		f.Note("%s is set and beats what is kept", name)
	}
}
