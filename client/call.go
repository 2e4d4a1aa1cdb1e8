package client

import (
	"encoding/json"
	"io"
	"net/url"
	"strings"

	"reseller/client/schema"
)

// A Call is one operation with what it is to be given.
type Call struct {
	Op      *schema.Operation
	Args    map[string]string // values of the path's parameters
	Query   url.Values
	Body    json.RawMessage
	Subject []string  // ids that the body is about, for errors
	Raw     io.Writer // where given, the answer is copied there byte for byte as it comes
}

// With sets a path parameter, in a copy.
func (c Call) With(name, value string) Call {
	args := map[string]string{name: value}
	for k, v := range c.Args {
		if k != name {
			args[k] = v
		}
	}
	c.Args = args
	return c
}

// Target is the call's path and query behind the base address.
func (c Call) Target() string {
	path := c.Op.Path
	for name, value := range c.Args {
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
	}
	if len(c.Query) > 0 {
		path += "?" + c.Query.Encode()
	}
	return path
}

// Action names the call for errors: "get account 7".
func (c Call) Action() string {
	what := c.Op.Title
	for _, part := range strings.Split(c.Op.Path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			what += " " + c.Args[strings.TrimSuffix(name, "}")]
		}
	}
	for _, id := range append(c.Query["campaign_id"], c.Subject...) {
		what += " " + id
	}
	return what
}
