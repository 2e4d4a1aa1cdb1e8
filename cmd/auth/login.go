package auth

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/form"
	"reseller/cmd/resource"
	"reseller/config"
	"reseller/config/endpoint"
	"reseller/config/errdefs"
	"reseller/config/secret"
	"reseller/config/token"
)

type loginOptions struct {
	withToken     bool
	username      string
	passwordStdin bool
	remember      bool
	insecure      bool
	noVerify      bool
}

func newLoginCmd(f *cli.Frame) *cobra.Command {
	o := &loginOptions{}
	c := &cobra.Command{
		Use:   "login",
		Short: "Store a token for the current address",
		Long: `Store a token for the current profile and address. It is used for this scheme, host and port only.

Enter the token on the terminal, where it is not shown; pass it on stdin with --with-token, as in a script
(reseller auth login --with-token <token.txt); or log in with --username. RESELLER_USERNAME and
RESELLER_PASSWORD replace --username and the password prompt. With --remember, user name and password are
stored too, so that an expired token is renewed automatically, even during a long job.

Before the token is stored, the list of campaigns is requested with it. A token that the service refuses
(exit code 4), or that can't be tried (7), is not stored, unless --no-verify is given. A note says whose it is.

It is stored in the system's keyring or, with --insecure-storage, in a file beside the configuration file that
only you can read. The built-in mock (--server mock without an address) needs no login.`,
		Example: `reseller auth login --server mock
reseller auth login --server mock --username reseller1 --remember
reseller auth login --server mock --with-token --insecure-storage`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.check(f.Session); err != nil {
				return err
			}
			return login(c.Context(), f, o)
		},
	}
	c.Flags().BoolVar(&o.withToken, "with-token", false, "read the token from stdin")
	c.Flags().StringVar(&o.username, "username", "", "log in as user `NAME`")
	c.Flags().BoolVar(&o.passwordStdin, "password-stdin", false, "read the password from stdin; a trailing newline is dropped")
	c.Flags().BoolVar(&o.remember, "remember", false, "also store user name and password to renew the token automatically")
	c.Flags().BoolVar(&o.noVerify, "no-verify", false, "store the token without trying it at the service")
	c.Flags().BoolVar(&o.insecure, "insecure-storage", false, "store the token in a file instead of the keyring")
	return f.SetPrinted(c, cli.Plan{})
}

func (o *loginOptions) check(session *cli.Session) error {
	if !o.withToken {
		o.username = cmp.Or(o.username, session.Var("RESELLER_USERNAME"))
	}
	switch {
	case o.withToken && o.username != "":
		return cli.Usagef("--with-token and --username can't be used together")
	case o.withToken && o.passwordStdin:
		return cli.Usagef("--with-token and --password-stdin can't be used together")
	case o.username == "" && o.passwordStdin:
		return cli.Usagef("--password-stdin requires --username")
	case o.username == "" && o.remember && (o.withToken || session.Flags.DryRun || !session.CanFill()):
		return cli.Usagef("--remember stores user name and password, so it requires --username")
	}
	return nil
}

func login(ctx context.Context, f *cli.Frame, o *loginOptions) error {
	t, err := findTarget(f.Session)
	if err != nil {
		return err
	}
	if t.address.BuiltInMock {
		f.Note("the built-in mock needs no login; nothing was stored")
		return nil
	}
	if f.Flags.DryRun {
		return dryRunLogin(ctx, f.Session, f.Output, o, t)
	}
	if err := o.checkInput(f.Session); err != nil {
		return err
	}
	store, err := openStore(ctx, t, o.insecure)
	if err != nil {
		return err
	}
	entry, err := obtainEntry(ctx, f.Session, f.Prompt, o, t)
	if err != nil {
		return err
	}
	if !o.noVerify {
		if err := tryToken(ctx, f.Session, t.address.URL, entry.Token); err != nil {
			return err
		}
	}
	return o.put(ctx, f.Session, t, store, entry)
}

func (o *loginOptions) put(ctx context.Context, session *cli.Session, t target, store secret.Store, entry secret.Entry) error {
	err := store.Put(ctx, t.settings.Profile(), t.origin, entry)
	if err == nil {
		reportStored(session, o, t, store, entry)
	}
	return err
}

func tryToken(ctx context.Context, session *cli.Session, url, text string) error {
	err := session.Probe(ctx, url, text)
	if err == nil || ctx.Err() != nil {
		return err
	}
	hint := "nothing was stored; --no-verify stores the token without trying it"
	if code := cli.ExitCode(err); code == cli.ExitAuth {
		hint = "nothing was stored; check that the token is complete and meant for this address"
	}
	return cli.WithHint(fmt.Errorf("trying the token: %w", err), hint)
}

func StoreToken(ctx context.Context, f *cli.Frame, settings *config.Settings, url, text string) error {
	origin, err := endpoint.Origin(url)
	if err != nil {
		return err
	}
	t := target{settings: settings, address: config.Address{URL: url}, origin: origin}
	store, err := openStore(ctx, t, false)
	if err != nil {
		return err
	}
	entry := secret.Entry{Token: text, Expires: token.ParseClaims(text).Expires}
	return (&loginOptions{}).put(ctx, f.Session, t, store, entry)
}

func dryRunLogin(ctx context.Context, session *cli.Session, to *cli.Output, o *loginOptions, t target) error {
	if o.username == "" {
		session.Note("the token for %s (profile %s) would be stored", t.origin, t.settings.Profile())
		return nil
	}
	// A dry run prints no password, so it doesn't ask for one.
	body, _ := json.Marshal(map[string]string{"username": o.username, "password": ""})
	return resource.DryRun(ctx, session, to, client.Call{Op: &schema.OpLogin, Body: body})
}

// checkInput checks that the token or the password can be read at all.
func (o *loginOptions) checkInput(session *cli.Session) error {
	if session.CanFill() || o.withToken || o.passwordStdin {
		return nil
	}
	if o.username == "" {
		return cli.Usagef("no token given, and no terminal to ask for one").
			Hinted("pass the token on stdin with --with-token, or log in with --username")
	}
	if o.passwordInEnvironment(session) == "" {
		return cli.Usagef("no password given, and no terminal to ask for one").
			Hinted("pass the password on stdin with --password-stdin, or set RESELLER_PASSWORD")
	}
	return nil
}

// openStore returns the store of tokens, and checks that it can be written. It uses an
// origin that no real address can have, so that it never changes one of the user's entries.
func openStore(ctx context.Context, t target, insecure bool) (secret.Store, error) {
	const testOrigin = "https://can-this-be-kept.invalid"
	store, err := t.settings.Store(insecure)
	if err != nil {
		return nil, err
	}
	if err := store.Put(ctx, t.settings.Profile(), testOrigin, secret.Entry{Token: "probe"}); err != nil {
		return nil, err
	}
	_, err = store.Delete(ctx, t.settings.Profile(), testOrigin)
	return store, err
}

func obtainEntry(ctx context.Context, session *cli.Session, prompt *cli.Prompt, o *loginOptions, t target) (secret.Entry, error) {
	if o.username == "" && !o.remember {
		text, err := readToken(ctx, session, prompt, o, t)
		return secret.Entry{Token: text, Expires: token.ParseClaims(text).Expires}, err
	}
	password, err := readPassword(ctx, session, prompt, o, t)
	if err != nil {
		return secret.Entry{}, err
	}
	c, err := session.Client()
	if err != nil {
		return secret.Entry{}, err
	}
	text, expires, err := c.Login(ctx, o.username, password)
	if err != nil {
		return secret.Entry{}, err
	}
	if text, err = token.Clean(text); err != nil {
		return secret.Entry{}, &errdefs.TokenError{Details: errdefs.Details{Message: "log in: the response " + err.Error()}}
	}
	entry := secret.Entry{Token: text, Expires: token.Expiry(text, expires)}
	if o.remember {
		entry.Username, entry.Password = o.username, password
	}
	return entry, nil
}

func readToken(ctx context.Context, session *cli.Session, prompt *cli.Prompt, o *loginOptions, t target) (string, error) {
	if !o.withToken {
		field := &form.Field{Name: "token", Secret: true, Flag: "--with-token", Check: token.Check}
		err := fill(ctx, prompt, t, "store the token", field)
		return strings.TrimSpace(field.Value), err
	}
	raw, err := session.SecretFromStdin("--with-token")
	if err != nil {
		return "", err
	}
	text, err := token.Clean(strings.TrimSpace(raw))
	if err != nil {
		return "", cli.Usagef("--with-token %v", err)
	}
	return text, nil
}

func fill(ctx context.Context, prompt *cli.Prompt, t target, send string, fields ...*form.Field) error {
	return prompt.Fill(ctx, &form.Form{Title: "Log in at " + t.origin, Fields: fields, Send: send})
}

// readPassword reads the password. It asks for it and for the user name, as far as they are not known.
func readPassword(ctx context.Context, session *cli.Session, prompt *cli.Prompt, o *loginOptions, t target) (string, error) {
	if o.passwordStdin {
		return session.SecretFromStdin("--password-stdin")
	}
	user := &form.Field{Name: "user name", Flag: "--username", Placeholder: "NAME", Value: o.username}
	password := &form.Field{Name: "password of " + o.username, Secret: true, Flag: "--password-stdin", Value: o.passwordInEnvironment(session)}
	var fields []*form.Field
	if user.Value == "" {
		password.Name = "password"
		fields = append(fields, user)
	}
	if password.Value == "" {
		fields = append(fields, password)
	}
	if len(fields) == 0 {
		return password.Value, nil
	}
	err := fill(ctx, prompt, t, "log in", fields...)
	o.username = user.Value
	return password.Value, err
}

// passwordInEnvironment returns RESELLER_PASSWORD, unless RESELLER_USERNAME names
// another user.
func (o *loginOptions) passwordInEnvironment(session *cli.Session) string {
	if user := session.Var("RESELLER_USERNAME"); user != "" && user != o.username {
		return ""
	}
	return session.Var("RESELLER_PASSWORD")
}

// reportStored prints notes: what was stored, whose token it is and when it expires, and
// which settings override it.
func reportStored(session *cli.Session, o *loginOptions, t target, store secret.Store, entry secret.Entry) {
	format := "the token for %s (profile %s) is stored in the %s"
	if entry.Username != "" {
		format = "the token, the user name and the password for %s (profile %s) are stored in the %s"
	}
	session.Note(format, t.origin, t.settings.Profile(), store)
	begin := "the service accepted the token"
	if o.noVerify {
		begin = "the token was not tried"
	}
	claims := token.ParseClaims(entry.Token)
	if o.username != "" {
		begin += "; it belongs to user " + o.username
	} else if claims.Subject != "" {
		begin += "; it belongs to the user with the id " + claims.Subject
	}
	switch {
	case entry.Expires.IsZero() && !claims.OK:
		session.Note("%s; it is not a JWT, so its expiry is unknown", begin)
	case entry.Expires.IsZero():
		session.Note("%s; it does not say when it expires", begin)
	case !time.Now().Before(entry.Expires):
		session.Note("%s; it looks expired: %s", begin, entry.Expires.UTC().Format(time.RFC3339))
	default:
		session.Note("%s; it expires at %s", begin, entry.Expires.UTC().Format(time.RFC3339))
	}
	for _, name := range t.overrides(session) {
		session.Note("%s is set and overrides the stored token", name)
	}
}
