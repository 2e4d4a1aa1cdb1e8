package api

import (
	"bytes"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/resource"
)

// A headBuffer keeps the first part of a response if it is enabled, and discards
// the rest.
type headBuffer struct {
	bytes.Buffer
	enabled bool
}

func (b *headBuffer) Write(p []byte) (int, error) {
	if room := client.MaxRecord - b.Len(); room > 0 && b.enabled {
		b.Buffer.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}

func isKeywordUpdate(call client.Call) bool { return call.Op.Name() == schema.OpKeywordsUpdate.Name() }

// checkItems returns the error of the items that failed, if the call updates
// keywords. The HTTP status of such a response is a success all the same.
func checkItems(call client.Call, response []byte) error {
	if !isKeywordUpdate(call) {
		return nil
	}
	count := 0
	data := record.Value(bytes.TrimSpace(response)).Get("data")
	for range data.Elements() {
		count++
	}
	_, err := client.KeywordItems(call, &client.Response{HTTPStatus: 200, Data: data})
	return resource.PartialError(err, count, count)
}
