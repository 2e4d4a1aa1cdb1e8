package loads

import (
	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/schema"
)

// Credentials stores credentials. They can't be read back, so a row with an unknown
// outcome is sent again only with bulk.Options.ResendUnknown, and one that was sent before
// only with ResendSent. pace limits the rate of calls in addition to that of the client; it
// may be nil.
func Credentials(c *client.Client, pace *client.Pace) Load {
	l := newSingleLoad(c, &schema.OpCredentials, rows.Schema{Resource: &schema.Credentials, Use: schema.Create, Identity: rows.IdentityOf(&schema.Credentials, schema.Create)}, bodyOf(&schema.Credentials))
	l.Operation.Encode = bulk.EncodeRows(func(batch []rows.Row) bulk.Call {
		call := l.Request(batch, false)
		call.Pace = pace
		return sendOne(c, call)
	})
	return l
}
