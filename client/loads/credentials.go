package loads

import (
	"golang.org/x/time/rate"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/schema"
)

// Credentials stores credentials. They can't be read back, so a row with an unknown
// outcome is sent again only with bulk.Options.ResendUnknown. limit limits the rate of
// calls in addition to the client's own limit; it may be nil.
func Credentials(c *client.Client, limit *rate.Limiter) Load {
	l := newSingleLoad(c, &schema.OpCredentials, rows.Schema{Resource: &schema.Credentials, Use: schema.Create, Identity: credentialsIdentity}, bodyOf(&schema.Credentials))
	l.Operation.Encode = bulk.EncodeRows(func(batch []rows.Row) bulk.Call {
		call := l.Request(batch, false)
		call.Limiter = limit
		return sendOne(c, call)
	})
	return l
}
