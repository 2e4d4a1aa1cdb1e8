package client

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
)

// TestGatewaysProveNothing answers a write as the usual gateways do while the service still works on the call: whether it is
// carried out is not known, and the service itself has not answered.
func TestGatewaysProveNothing(t *testing.T) {
	page := "<html><head><title>Error</title></head><body>Error</body></html>"
	for status, bodies := range map[int][]string{
		200: {page, "", "\n", `{"message":"Accepted"}`, `{"status":"ok"}`, `[]`},
		202: {page, `{"message":"Accepted"}`},
		408: {page, "", "stream timeout", `{"message":"Request Timeout"}`},
		500: {page, `{"message":null}`, `{"message":"Internal server error"}`, `{"timestamp":1,"status":500,"error":"Internal Server Error","path":"/"}`},
		502: {page, `{"message":"Bad Gateway"}`, `{"message":"An invalid response was received from the upstream server"}`},
		503: {page, "", "upstream connect error or disconnect/reset before headers. reset reason: connection termination", "no healthy upstream", `{"message":"Service Unavailable"}`},
		504: {page, "", "upstream request timeout", `{"message":"Endpoint request timed out"}`, `{"message":"The upstream server is timing out"}`, `{"fault":{"faultstring":"Gateway Timeout"}}`},
		520: {"error code: 520"}, 521: {page}, 522: {page}, 523: {page}, 524: {"error code: 524"}, 525: {page}, 527: {page}, 529: {"\n"}, 530: {page}, 561: {page}, 598: {""}, 599: {""},
	} {
		for _, body := range bodies {
			for _, retryAfter := range []string{"", "1"} {
				t.Run(fmt.Sprintf("%d %.30s %s", status, body, retryAfter), func(t *testing.T) {
					c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
						if retryAfter != "" {
							w.Header().Set("Retry-After", retryAfter)
						}
						w.WriteHeader(status)
						_, _ = io.WriteString(w, body)
					})
					_, err := c.AddKeywords(t.Context(), 1, 1, nil)
					refusal, _ := errors.AsType[*Error](err)
					if !OutcomeUnknown(err) || refusal != nil && refusal.Envelope {
						t.Errorf("got error %v, want an unknown outcome, and no answer of the service itself", err)
					}
				})
			}
		}
	}
}
