package fault

import (
	"encoding/json"
	"strings"

	"reseller/client/mock/api"
)

// batch is the body of a request with keywords, decoded only as far as is needed to change the keywords.
type batch struct {
	body     map[string]json.RawMessage
	keywords []json.RawMessage
}

func decodeBatch(body []byte) (b batch, ok bool) {
	ok = json.Unmarshal(body, &b.body) == nil && json.Unmarshal(b.body["keywords"], &b.keywords) == nil
	return b, ok
}

func (b batch) with(keywords ...json.RawMessage) []byte {
	b.body["keywords"] = api.Encode(keywords)
	return api.Encode(b.body)
}

func splitBatch(body []byte) (bodies [][]byte) {
	b, _ := decodeBatch(body)
	for _, keyword := range b.keywords {
		bodies = append(bodies, b.with(keyword))
	}
	return bodies
}

// foldKeywords returns a batch with its keywords in lower case, and with one blank in place of several in a row.
func foldKeywords(body []byte) []byte {
	b, ok := decodeBatch(body)
	if !ok {
		return body
	}
	for i, raw := range b.keywords {
		var fields map[string]json.RawMessage
		var text string
		if json.Unmarshal(raw, &fields) != nil || json.Unmarshal(fields["keyword"], &text) != nil {
			continue
		}
		fields["keyword"] = api.Encode(strings.Join(strings.Fields(strings.ToLower(text)), " "))
		b.keywords[i] = api.Encode(fields)
	}
	return b.with(b.keywords...)
}
