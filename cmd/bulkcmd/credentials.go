package bulkcmd

import (
	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

// credentialsPerMinute is how many credentials a load stores in a minute without
// --rate.
const credentialsPerMinute = 10

// CredentialsPace returns the pace of the calls of a load of credentials. It is nil
// if --rate limits all calls.
func CredentialsPace(f *cli.Factory) (*client.Pace, error) {
	settings, err := f.Settings()
	if err != nil {
		return nil, err
	}
	if given, err := settings.Rate(); err != nil || given > 0 {
		return nil, err
	}
	return client.NewPace(credentialsPerMinute / 60.0), nil
}

// CredentialsDefaults returns the values that the configuration has for
// credentials.
func CredentialsDefaults(f *cli.Factory) (schema.Values, error) {
	settings, err := f.Settings()
	if err != nil {
		return nil, err
	}
	id, err := settings.ResellerAccountID()
	if err != nil || id == 0 {
		return nil, err
	}
	return schema.Values{"reseller_account_id": record.Integer(id)}, nil
}
