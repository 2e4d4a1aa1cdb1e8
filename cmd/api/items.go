package api

import (
	"bytes"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/resource"
)

// A head keeps the start of the answer to a keyword update, and of no other.
type head struct {
	bytes.Buffer
	keep bool
}

func (h *head) Write(p []byte) (int, error) {
	if room := client.MaxRecord - h.Len(); room > 0 && h.keep {
		h.Buffer.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}

func updatesKeywords(call client.Call) bool { return call.Op.Name() == schema.OpKeywordsUpdate.Name() }

// items finds the failures that the answer to a keyword update hides inside a
// success, which decide about the exit code here as everywhere.
func items(call client.Call, answer []byte) error {
	if !updatesKeywords(call) {
		return nil
	}
	all := 0
	data := record.Value(bytes.TrimSpace(answer)).Get("data")
	for range data.Elements() {
		all++
	}
	_, err := client.KeywordItems(call, &client.Answer{HTTPStatus: 200, Data: data})
	return resource.PartialError(err, all, all)
}
