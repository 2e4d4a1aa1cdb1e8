package auth

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
	"reseller/config"
	"reseller/config/secret"
)

func newLogoutCmd(f *cli.Frame) *cobra.Command {
	return &cobra.Command{
		Use:   "logout",
		Short: "Remove the stored token for the current address",
		Long: `Remove the token, user name and password that are stored for the current profile and address, from the
keyring and from the file of --insecure-storage. The service does not revoke the token: it stays
valid until it expires. Tokens for other profiles and addresses are kept.`,
		Example: `reseller auth logout --server mock
reseller auth logout --server mock --dry-run`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return logout(c.Context(), f.Session) },
	}
}

func logout(ctx context.Context, session *cli.Session) error {
	t, err := findTarget(session)
	if err != nil {
		return err
	}
	if t.address.BuiltInMock {
		session.Note("the built-in mock needs no login; nothing is stored for it")
		return nil
	}
	var names []string
	var errs error
	all, noKeyring := stores(t.settings)
	for _, store := range all {
		var found bool
		var err error
		if session.Flags.DryRun {
			_, found, err = store.Get(ctx, t.settings.Profile(), t.origin)
		} else {
			found, err = store.Delete(ctx, t.settings.Profile(), t.origin)
		}
		errs = errors.Join(errs, err)
		if found {
			names = append(names, store.String())
		}
	}
	verb := "was removed"
	if session.Flags.DryRun {
		verb = "would be removed"
	}
	switch {
	case len(names) > 0:
		session.Note("the token for %s (profile %s) %s: %s", t.origin, t.settings.Profile(), verb, strings.Join(names, " and "))
	case errs == nil && noKeyring == nil:
		session.Note("no token is stored for %s (profile %s)", t.origin, t.settings.Profile())
	case errs == nil:
		session.Note("no file contains a token for %s (profile %s)", t.origin, t.settings.Profile())
	}
	if noKeyring != nil {
		session.Note("the keyring was not checked (%v)", noKeyring)
	}
	for _, name := range t.overrides(session) {
		session.Note("%s is set and still provides a token", name)
	}
	if session.Var("RESELLER_USERNAME") != "" && session.Var("RESELLER_PASSWORD") != "" {
		session.Note("RESELLER_USERNAME and RESELLER_PASSWORD are set, so commands still log in")
	}
	return errs
}

// stores returns the stores that may hold a token. noKeyring is the reason why the
// keyring is not among them. The keyring may still hold a token, for example if
// the command runs in a cron job, which has no session bus.
func stores(s *config.Settings) (all []secret.Store, noKeyring error) {
	if file, err := s.Store(true); err == nil {
		all = append(all, file)
	}
	keyring, err := s.Store(false)
	if err != nil {
		return all, err
	}
	return append(all, keyring), nil
}
