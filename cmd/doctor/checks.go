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

// A diagnosis is the checks so far, and what later ones need of earlier ones.
type diagnosis struct {
	f        *cli.Factory
	findings []finding
	settings *config.Settings
	address  config.Address
	token    token.Description
	hasToken bool
}

func (d *diagnosis) add(found finding) { d.findings = append(d.findings, found) }

// examine makes all checks, in the order in which one needs the other. Only
// what keeps the rest from being told is an error.
func (d *diagnosis) examine(ctx context.Context) error {
	if err := d.configuration(); err != nil {
		return err
	}
	d.keyring(ctx)
	address, err := d.settings.Address()
	if err != nil {
		d.add(fails("address", err, ""))
		for _, check := range []string{"token", "clock"} {
			d.add(finding{Check: check, Result: skipped, Detail: "there is no address to check it with"})
		}
		return nil
	}
	d.address = address
	described := d.describe(ctx)
	probed := d.probe(ctx)
	d.add(d.judgeAddress(probed))
	d.add(d.judgeToken(described, probed))
	d.add(judgeClock(probed))
	return context.Cause(ctx)
}

func (d *diagnosis) configuration() error {
	settings, err := d.f.Settings()
	if err != nil {
		d.add(fails("configuration", err, "mend the file, or set RESELLER_CONFIG to another; what follows is without it"))
		var more error
		if d.settings, more = d.f.SettingsWithoutFile(); more != nil {
			return err
		}
		return nil
	}
	d.settings = settings
	if err := settings.Check(); err != nil {
		d.add(fails("configuration", err, "`reseller config list` shows where each value comes from"))
		return nil
	}
	found := finding{Check: "configuration", Result: ok, Detail: fmt.Sprintf("profile %s of %s", settings.Profile(), settings.Path())}
	if _, err := os.Stat(settings.Path()); err != nil {
		found.Detail = fmt.Sprintf("profile %s; there is no file %s", settings.Profile(), settings.Path())
	}
	d.add(found)
	return nil
}

// keyring looks whether the keyring answers. Commands can do without one, so
// its absence is a warning.
func (d *diagnosis) keyring(ctx context.Context) {
	store, err := d.settings.Store(false)
	if err == nil {
		_, _, err = store.Get(ctx, d.settings.Profile(), "https://can-this-be-read.invalid")
	}
	if err != nil {
		d.add(finding{Check: "keyring", Result: warning, Detail: err.Error(), Advice: "a token can come from RESELLER_TOKEN, token_command or `reseller auth login --insecure-storage`"})
		return
	}
	d.add(finding{Check: "keyring", Result: ok, Detail: "it answers"})
}

// describe finds the token, without asking the service for one.
func (d *diagnosis) describe(ctx context.Context) error {
	if d.address.Embedded {
		d.hasToken = true
		return nil
	}
	tokens, err := d.f.Tokens()
	if err == nil {
		d.token, err = tokens.Describe(ctx)
	}
	d.hasToken = err == nil
	return err
}

func (d *diagnosis) judgeToken(described error, p probe) finding {
	const check = "token"
	switch {
	case d.address.Embedded:
		return finding{Check: check, Result: ok, Detail: "the mock inside the command needs none"}
	case described != nil:
		return fails(check, described, "")
	case p.tokenRefused != nil:
		return fails(check, p.tokenRefused, "")
	}
	found := finding{Check: check, Result: ok, Detail: d.token.From}
	expires, now, clock := d.token.Expires, time.Now(), "this machine's"
	if !p.serviceTime.IsZero() {
		now, clock = p.serviceTime, "the service's"
	}
	switch {
	case expires.IsZero():
		found.Detail += ", it does not say when it expires"
	case now.Before(expires):
		found.Detail += ", expires at " + expires.UTC().Format(time.RFC3339)
	case d.token.Renewable:
		found.Detail += ", expired and renewed when it is used"
	case p.accepted:
		found.Result = warning
		found.Detail += fmt.Sprintf(", expired at %s by %s clock; the service takes it all the same", expires.UTC().Format(time.RFC3339), clock)
		found.Advice = "`reseller auth login` keeps another"
	default:
		found.Result, found.code = failed, cli.ExitAuth
		found.Detail += fmt.Sprintf(", expired at %s by %s clock", expires.UTC().Format(time.RFC3339), clock)
		found.Advice = "`reseller auth login` keeps another"
	}
	return found
}
