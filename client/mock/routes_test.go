package mock

import (
	"testing"

	"reseller/client/schema"
)

// Every operation that the client knows has a route: without one, add it to routes.go.
func TestEveryOperationHasARoute(t *testing.T) {
	known := map[string]bool{}
	for _, r := range routes(nil) {
		known[r.method+" "+r.path] = true
	}
	for _, o := range schema.Operations() {
		if !known[o.Name()] {
			t.Errorf("no route for %s", o.Name())
		}
	}
}
