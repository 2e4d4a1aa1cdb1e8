package loads

import (
	"golang.org/x/time/rate"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/schema"
)

// Credentials stores credentials. They can't be read back, so a row of which the
// outcome is unknown is not sent again without bulk.Options.ResendUnknown. limit
// bounds the calls besides the client's own limit; nil for no bound.
func Credentials(c *client.Client, limit *rate.Limiter) Load {
	l := newSingleLoad(c, &schema.OpCredentials, rows.Schema{Resource: &schema.Credentials, Use: schema.Create, Identity: credentialsIdentity}, bodyOf(&schema.Credentials))
	l.Operation.Encode = bulk.EncodeRows(func(batch []rows.Row) bulk.Call {
		call := l.Request(batch, false)
		call.Limiter = limit
		return sendOne(c, call)
	})
	return l
}
