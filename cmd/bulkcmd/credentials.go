package bulkcmd

import (
	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

// credentialsPerMinute is how many credentials a load stores in a minute without
// --rate, with all its shards.
const credentialsPerMinute = 10

// CredentialsPace returns the pace of the calls of a load of credentials. It is nil
// if --rate limits all calls, or can't be read, for which there is no client.
func CredentialsPace(session *cli.Session) *client.Pace {
	settings, err := session.Settings()
	if err != nil {
		return nil
	}
	if given, err := settings.Rate(); err != nil || given > 0 {
		return nil
	}
	return client.NewPace(session.ShareOfRate(credentialsPerMinute / 60.0))
}

func CredentialsDefaults(session *cli.Session) (schema.Values, error) {
	settings, err := session.Settings()
	if err != nil {
		return nil, err
	}
	id, err := settings.ResellerAccountID()
	if err != nil || id == 0 {
		return nil, err
	}
	return schema.Values{"reseller_account_id": record.Integer(id)}, nil
}
