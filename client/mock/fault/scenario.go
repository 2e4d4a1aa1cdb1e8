package fault

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"reseller/client/mock/random"
)

// scenario is a fault with a name, and the requests that it can befall.
type scenario struct {
	name  string
	fits  func(method, path string) bool
	fault Fault
}

// deferral is how far late calls and lagging lists are behind the time.
const deferral = 1500 * time.Millisecond

func scenarios() []scenario {
	return []scenario{
		{"reset-before", anyRequest, Fault{Execute: ExecuteNone, Reset: true}},
		{"reset-after", anyRequest, Fault{Reset: true}},
		{"500-before", anyRequest, Fault{Execute: ExecuteNone, Status: 500}},
		{"500-after", anyRequest, Fault{Status: 500}},
		{"502-before", anyRequest, Fault{Execute: ExecuteNone, Status: 502, HTML: true}},
		{"502-after", anyRequest, Fault{Status: 502, HTML: true}},
		{"503-before", anyRequest, Fault{Execute: ExecuteNone, Status: 503}},
		{"503-after", anyRequest, Fault{Status: 503}},
		{"503-html", anyRequest, Fault{Execute: ExecuteNone, Status: 503, HTML: true}},
		{"503-html-after", anyRequest, Fault{Status: 503, HTML: true}},
		{"503-wait", anyRequest, Fault{Execute: ExecuteNone, Status: 503, RetryAfter: "1"}},
		{"429", anyRequest, Fault{Execute: ExecuteNone, Status: 429}},
		{"429-wait", anyRequest, Fault{Execute: ExecuteNone, Status: 429, RetryAfter: "1"}},
		{"late", isWrite, Fault{Defer: deferral}},
		{"late-reset", isWrite, Fault{Defer: deferral, Reset: true}},
		{"lag", isList, Fault{Stale: deferral}},
		{"missing", isList, Fault{HideNewest: 3}},
		{"half", isBatch, Fault{Execute: ExecuteHalf}},
		{"fold", isBatch, Fault{Fold: true}},
		{"cut", anyRequest, Fault{Truncate: true}},
		{"garbled", anyRequest, Fault{Body: `{"data":{"account_id":1,"camp`}},
		{"page", anyRequest, Fault{HTML: true}},
		{"slow", anyRequest, Fault{Delay: time.Second}},
		{"expire", isBehindToken, Fault{ExpireToken: true}},
	}
}

// listIDs names, by the path of each list that can be stale, the field with the ids of its records.
var listIDs = map[string]string{
	"/api/v1/keywords": "rank_id", "/api/v1/accounts": "account_id", "/api/v2/accounts": "account_id", "/api/v1/campaigns": "campaign_id",
}

const loginPath = "/api/v1/authentication/login"

func anyRequest(_, _ string) bool       { return true }
func isBehindToken(_, path string) bool { return path != loginPath }
func isWrite(method, path string) bool  { return method != http.MethodGet && path != loginPath }
func isBatch(method, path string) bool  { return method != http.MethodGet && path == "/api/v1/keywords" }
func isList(method, path string) bool   { return method == http.MethodGet && listIDs[path] != "" }

// Names are the names of the faults that Plan knows.
func Names() []string {
	var names []string
	for _, k := range scenarios() {
		names = append(names, k.name)
	}
	return names
}

// NewSchedule returns a hook that lets a share of the requests, 0 to 1, fail, each in one
// way of the kinds that can befall it ("all" is all of them). The seed decides
// which and how: the same for the same n.
func NewSchedule(seed int64, share float64, names ...string) (Schedule, error) {
	if !(share >= 0 && share <= 1) {
		return nil, fmt.Errorf("share %v is not between 0 and 1", share)
	}
	var chosen []scenario
	for _, name := range names {
		before := len(chosen)
		for _, k := range scenarios() {
			if name == k.name || name == "all" {
				chosen = append(chosen, k)
			}
		}
		if len(chosen) == before {
			return nil, fmt.Errorf("%q is not a fault; there are all, %s", name, strings.Join(Names(), ", "))
		}
	}
	return func(n int, method, path string) Fault {
		d := random.New("fault", seed, int64(n))
		if float64(d.Between(0, 1<<30-1)) >= share*(1<<30) {
			return Fault{}
		}
		fit := slices.DeleteFunc(slices.Clone(chosen), func(k scenario) bool { return !k.fits(method, path) })
		if len(fit) == 0 {
			return Fault{}
		}
		return fit[d.Between(0, len(fit)-1)].fault
	}, nil
}
