package doctor

import (
	"context"
	"fmt"
	"os"
	"time"

	"reseller/cmd/cli"
	"reseller/config"
	"reseller/config/token"
)

// A diagnosis holds the findings so far, and the results of checks that later checks
// need.
type diagnosis struct {
	session  *cli.Session
	findings []finding
	settings *config.Settings
	address  config.Address
	token    token.Description
	hasToken bool
}

func (d *diagnosis) add(found finding) {
	found.Advice = d.session.WithFlags(found.Advice)
	d.findings = append(d.findings, found)
}

// run makes all checks. A check that fails becomes a finding; an error means that
// the other findings can't be shown.
func (d *diagnosis) run(ctx context.Context) error {
	if err := d.checkConfiguration(); err != nil {
		return err
	}
	address, err := d.session.Address()
	if err != nil {
		d.checkKeyring(ctx)
		d.add(failure("address", err, ""))
		for _, check := range []string{"token", "clock"} {
			d.add(finding{Check: check, Result: resultSkipped, Detail: "no address to check"})
		}
		return nil
	}
	d.address = address
	tokenErr := d.describeToken(ctx)
	d.checkKeyring(ctx)
	p := d.probe(ctx)
	d.add(d.addressFinding(p))
	d.add(d.tokenFinding(tokenErr, p))
	d.add(clockFinding(p))
	return context.Cause(ctx)
}

func (d *diagnosis) checkConfiguration() error {
	settings, err := d.session.Settings()
	if err != nil {
		d.add(failure("configuration", err, "fix the file, or set RESELLER_CONFIG to another one; the other checks ignore the file"))
		var withoutErr error
		if d.settings, withoutErr = d.session.LoadSettings(config.LoadWithoutFile); withoutErr != nil {
			return err
		}
		return nil
	}
	d.settings = settings
	if err := settings.Check(); err != nil {
		d.add(failure("configuration", err, "`reseller config list` shows where each value comes from"))
		return nil
	}
	found := finding{Check: "configuration", Result: resultOK, Detail: fmt.Sprintf("profile %s of %s", settings.Profile(), settings.Path())}
	if err := settings.CheckPath(); err != nil {
		found.Detail = fmt.Sprintf("profile %s; %v", settings.Profile(), err)
	} else if _, err := os.Stat(settings.Path()); err != nil {
		found.Detail = fmt.Sprintf("profile %s; the file %s does not exist", settings.Profile(), settings.Path())
	}
	d.add(found)
	return nil
}

// checkKeyring reads from the keyring. Commands can do without one, so a missing
// keyring is only a warning, and none if the token is known without it.
func (d *diagnosis) checkKeyring(ctx context.Context) {
	store, err := d.settings.Store(false)
	if err == nil {
		_, _, err = store.Get(ctx, d.settings.Profile(), "https://can-this-be-read.invalid")
	}
	found := finding{Check: "keyring", Result: resultOK, Detail: "available"}
	switch {
	case err != nil && d.hasToken:
		found.Detail = err.Error() + ", and none is needed"
	case err != nil:
		found.Result, found.Detail, found.Advice = resultWarning, err.Error(), "use RESELLER_TOKEN, token_command or `reseller auth login --insecure-storage` instead"
	}
	d.add(found)
}

// describeToken looks up the token without calling the service.
func (d *diagnosis) describeToken(ctx context.Context) error {
	if d.address.BuiltInMock {
		d.hasToken = true
		return nil
	}
	tokens, err := d.session.Tokens()
	if err == nil {
		d.token, err = tokens.Describe(ctx)
	}
	d.hasToken = err == nil
	return err
}

// tokenFinding returns the finding about the token. lookupErr is why there is none.
func (d *diagnosis) tokenFinding(lookupErr error, p probe) finding {
	const check = "token"
	switch {
	case d.address.BuiltInMock:
		return finding{Check: check, Result: resultOK, Detail: "the built-in mock needs none"}
	case lookupErr != nil:
		return failure(check, lookupErr, "")
	case p.tokenErr != nil:
		return failure(check, p.tokenErr, "")
	}
	found := finding{Check: check, Result: resultOK, Detail: d.token.From}
	if d.token.Binding != "" {
		found.Detail += " (" + d.token.Binding + ")"
	}
	expires, now, clock := d.token.Expires, time.Now(), "this machine's"
	if !p.serviceTime.IsZero() {
		now, clock = p.serviceTime, "the service's"
	}
	switch {
	case expires.IsZero():
		found.Detail += ", which does not say when it expires"
	case now.Before(expires):
		found.Detail += ", expires at " + expires.UTC().Format(time.RFC3339)
	case d.token.Renewable:
		found.Detail += ", expired; it is renewed on next use"
	default:
		found.Result, found.code = resultFailed, cli.ExitAuth
		found.Detail += fmt.Sprintf(", expired at %s by %s clock", expires.UTC().Format(time.RFC3339), clock)
		found.Advice = "run `reseller auth login` to store another token"
		if p.accepted {
			found.Result = resultWarning
			found.Detail += "; the service accepts it nevertheless"
		}
	}
	return found
}
