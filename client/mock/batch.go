package mock

import (
	"encoding/json"
	"strings"
)

// batched is a body with keywords, taken apart just so far as to change them.
type batched struct {
	body  map[string]json.RawMessage
	items []json.RawMessage
}

func takeApart(body []byte) (b batched, ok bool) {
	if json.Unmarshal(body, &b.body) != nil || json.Unmarshal(b.body["keywords"], &b.items) != nil {
		return b, false
	}
	return b, true
}

func (b batched) with(items ...json.RawMessage) []byte {
	b.body["keywords"] = encode(items)
	return encode(b.body)
}

// alone are the bodies of a batch's keywords, one each.
func alone(body []byte) (bodies [][]byte) {
	b, _ := takeApart(body)
	for _, item := range b.items {
		bodies = append(bodies, b.with(item))
	}
	return bodies
}

// folded is a batch whose keywords are in lower case, with blanks collapsed.
func folded(body []byte) []byte {
	b, ok := takeApart(body)
	for i, item := range b.items {
		var keyword map[string]json.RawMessage
		var text string
		if json.Unmarshal(item, &keyword) != nil || json.Unmarshal(keyword["keyword"], &text) != nil {
			continue
		}
		keyword["keyword"] = encode(strings.Join(strings.Fields(strings.ToLower(text)), " "))
		b.items[i] = encode(keyword)
	}
	if !ok {
		return body
	}
	return b.with(b.items...)
}
