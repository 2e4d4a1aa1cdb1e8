package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"reseller/client"
	"reseller/cmd/cli"
	"reseller/config"
)

// obtain gets what is to be kept.
func obtain(ctx context.Context, f *cli.Factory, o *loginOptions, p place) (config.Entry, error) {
	if o.username == "" {
		token, err := readToken(ctx, f, o, p)
		return config.Entry{Token: token, Expires: config.ReadClaims(token).Expires}, err
	}
	password, err := readPassword(ctx, f, o, p)
	if err != nil {
		return config.Entry{}, err
	}
	token, told, err := f.LoginAt(ctx, o.username, password)
	if err != nil {
		return config.Entry{}, refused(err)
	}
	if token, err = config.CleanToken(token); err != nil {
		return config.Entry{}, &config.TokenError{Message: "log in: the answer " + err.Error()}
	}
	entry := config.Entry{Token: token, Expires: config.TokenExpiry(token, told, time.Now())}
	if o.remember {
		entry.Username, entry.Password = o.username, password
	}
	return entry, nil
}

// refused says what to do about a login that was refused: the token has no
// part in it.
func refused(err error) error {
	var refusal *client.Error
	if errors.As(err, &refusal) && (refusal.HTTPStatus == http.StatusBadRequest || refusal.HTTPStatus == http.StatusUnauthorized) {
		return &cli.ExitError{Code: cli.ExitCode(err), Err: err, Hint: "check user name and password; nothing was kept"}
	}
	return err
}

func readToken(ctx context.Context, f *cli.Factory, o *loginOptions, p place) (string, error) {
	source, read := "--with-token", func() (string, error) { return f.SecretFromStdin("--with-token") }
	if !o.withToken {
		source = "the token"
		read = func() (string, error) { return f.AskSecret(ctx, fmt.Sprintf("token for %s: ", p.origin)) }
	}
	text, err := read()
	if err != nil {
		return "", err
	}
	token, err := config.CleanToken(strings.TrimSpace(text))
	if err != nil {
		return "", cli.Usagef("%s %v", source, err)
	}
	return token, nil
}

func readPassword(ctx context.Context, f *cli.Factory, o *loginOptions, p place) (string, error) {
	if o.passwordStdin {
		return f.SecretFromStdin("--password-stdin")
	}
	if password := o.passwordInEnvironment(f); password != "" {
		return password, nil
	}
	password, err := f.AskSecret(ctx, fmt.Sprintf("password of %s for %s: ", o.username, p.origin))
	if err == nil && password == "" {
		err = cli.Usagef("the password is empty")
	}
	return password, err
}

// available finds out whether there is a way to get what is asked for.
func (o *loginOptions) available(f *cli.Factory) error {
	if f.CanAsk() || o.withToken || o.passwordStdin {
		return nil
	}
	if o.username == "" {
		return &cli.UsageError{
			Message: "no token is given, and nobody is there to ask",
			Hint:    "--with-token reads one from stdin, --username logs in",
		}
	}
	if o.passwordInEnvironment(f) == "" {
		return &cli.UsageError{
			Message: "no password is given, and nobody is there to ask",
			Hint:    "--password-stdin reads it from stdin, or set RESELLER_PASSWORD",
		}
	}
	return nil
}

// passwordInEnvironment is the variable's password, which goes with the
// variable's user name.
func (o *loginOptions) passwordInEnvironment(f *cli.Factory) string {
	if user, _ := f.Env("RESELLER_USERNAME"); user != "" && user != o.username {
		return ""
	}
	password, _ := f.Env("RESELLER_PASSWORD")
	return password
}
