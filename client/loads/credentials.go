package loads

import (
	"reseller/client"
	"reseller/client/schema"
)

// Credentials stores credentials. They can't be read back, so a row with an unknown
// outcome is sent again only with bulk.Options.ResendUnknown, and one that was sent before
// only with ResendSent. pace limits the rate of calls in addition to that of the client; it
// may be nil.
func Credentials(c *client.Client, pace *client.Pace) Load {
	return newSingleLoad(c, &schema.OpCredentials, &schema.Credentials, schema.Create, pace)
}
