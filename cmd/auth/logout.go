package auth

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
	"reseller/config"
)

func newLogoutCmd(f *cli.Factory) *cobra.Command {
	c := &cobra.Command{
		Use:   "logout",
		Short: "Forget the token for the address in force",
		Long: `Forget the token, user name and password that are kept for the profile and the address in force, in the
keyring and in the file of --insecure-storage. The service is not told: the token stays valid until it
expires. Other profiles and addresses keep theirs.`,
		Example: `reseller auth logout --server mock
reseller auth logout --server mock --dry-run`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return logout(c.Context(), f)
		},
	}
	c.Flags().SortFlags = false
	return c
}

func logout(ctx context.Context, f *cli.Factory) error {
	if err := f.Flags.Check(); err != nil {
		return err
	}
	p, err := find(f)
	if err != nil {
		return err
	}
	if p.address.Embedded {
		f.Note("the mock inside the command needs no login; nothing is kept for it")
		return nil
	}
	var from []string
	var failed error
	all, unasked := stores(p.settings)
	for _, store := range all {
		found, err := forget(ctx, f, store, p)
		failed = errors.Join(failed, err)
		if found {
			from = append(from, store.String())
		}
	}
	verb := "was forgotten"
	if f.Flags.DryRun {
		verb = "would be forgotten"
	}
	switch {
	case len(from) > 0:
		f.Note("the token for %s (profile %s) %s: %s", p.origin, p.settings.Profile(), verb, strings.Join(from, " and "))
	case failed == nil && unasked == "":
		f.Note("nothing is kept for %s (profile %s)", p.origin, p.settings.Profile())
	case failed == nil:
		f.Note("no file holds a token for %s (profile %s)", p.origin, p.settings.Profile())
	}
	if unasked != "" {
		f.Note("the keyring can't be asked whether it holds one: %s", unasked)
	}
	for _, name := range p.beats(f) {
		f.Note("%s still gives a token", name)
	}
	if user, _ := f.Env("RESELLER_USERNAME"); user != "" {
		if password, _ := f.Env("RESELLER_PASSWORD"); password != "" {
			f.Note("RESELLER_USERNAME and RESELLER_PASSWORD still log in")
		}
	}
	return failed
}

// stores are the places that may hold something, and why the keyring can't be
// asked: one may be there all the same, as for a cron job.
func stores(s *config.Settings) (all []config.Store, unasked string) {
	if file, err := s.Store(true); err == nil {
		all = append(all, file)
	}
	ring, err := s.Store(false)
	if err != nil {
		// Behind the reason stands advice for a login.
		unasked, _, _ = strings.Cut(strings.TrimPrefix(err.Error(), "no keyring: "), ";")
		return all, unasked
	}
	return append(all, ring), ""
}

func forget(ctx context.Context, f *cli.Factory, store config.Store, p place) (bool, error) {
	if f.Flags.DryRun {
		_, found, err := store.Get(ctx, p.settings.Profile(), p.origin)
		return found, err
	}
	return store.Delete(ctx, p.settings.Profile(), p.origin)
}
