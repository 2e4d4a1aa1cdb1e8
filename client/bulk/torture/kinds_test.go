package torture_test

import (
	"net/http"
	"slices"
	"time"

	"reseller/client/mock/fault"
	"reseller/client/mock/random"
)

// A faultKind is a fault with a name. fits reports whether it applies to a request.
type faultKind struct {
	name  string
	fits  func(method, path string) bool
	fault fault.Fault
}

// deferral is the time after which deferred requests are carried out, and the age of stale lists.
const deferral = 1500 * time.Millisecond

var faultKinds = []faultKind{
	{"reset-before", anyRequest, fault.Fault{Execute: fault.ExecuteNone, Reset: true}},
	{"reset-after", anyRequest, fault.Fault{Reset: true}},
	{"500-before", anyRequest, fault.Fault{Execute: fault.ExecuteNone, Status: 500}},
	{"500-after", anyRequest, fault.Fault{Status: 500}},
	{"502-before", anyRequest, fault.Fault{Execute: fault.ExecuteNone, Status: 502, HTML: true}},
	{"502-after", anyRequest, fault.Fault{Status: 502, HTML: true}},
	{"503-before", anyRequest, fault.Fault{Execute: fault.ExecuteNone, Status: 503}},
	{"503-after", anyRequest, fault.Fault{Status: 503}},
	{"503-html", anyRequest, fault.Fault{Execute: fault.ExecuteNone, Status: 503, HTML: true}},
	{"503-html-after", anyRequest, fault.Fault{Status: 503, HTML: true}},
	{"503-wait", anyRequest, fault.Fault{Execute: fault.ExecuteNone, Status: 503, RetryAfter: "1"}},
	{"429", anyRequest, fault.Fault{Execute: fault.ExecuteNone, Status: 429}},
	{"429-wait", anyRequest, fault.Fault{Execute: fault.ExecuteNone, Status: 429, RetryAfter: "1"}},
	{"late", isWrite, fault.Fault{Defer: deferral}},
	{"gateway-200", isWrite, fault.Fault{Defer: deferral, Status: 200, HTML: true}},
	{"gateway-500", isWrite, fault.Fault{Defer: deferral, Status: 500, HTML: true}},
	{"gateway-503", isWrite, fault.Fault{Defer: deferral, Status: 503, RetryAfter: "1", Body: `{"message":"Service Unavailable"}`}},
	{"gateway-524", isWrite, fault.Fault{Defer: deferral, Status: 524, Body: "error code: 524"}},
	{"late-reset", isWrite, fault.Fault{Defer: deferral, Reset: true}},
	{"lag", isList, fault.Fault{Stale: deferral}},
	{"missing", isList, fault.Fault{HideNewest: 3}},
	{"half", isBatch, fault.Fault{Execute: fault.ExecuteHalf}},
	{"fold", isBatch, fault.Fault{FoldText: true}},
	{"cut", anyRequest, fault.Fault{Truncate: true}},
	{"garbled", anyRequest, fault.Fault{Body: `{"data":{"account_id":1,"camp`}},
	{"page", anyRequest, fault.Fault{HTML: true}},
	{"slow", anyRequest, fault.Fault{Delay: time.Second}},
	{"expire", needsToken, fault.Fault{ExpireToken: true}},
}

func anyRequest(_, _ string) bool      { return true }
func needsToken(_, path string) bool   { return path != loginPath }
func isWrite(method, path string) bool { return method != http.MethodGet && path != loginPath }
func isBatch(method, path string) bool { return method != http.MethodGet && path == "/api/v1/keywords" }

func isList(method, path string) bool {
	lists := []string{"/api/v1/keywords", "/api/v1/accounts", "/api/v2/accounts", "/api/v1/campaigns"}
	return method == http.MethodGet && slices.Contains(lists, path)
}

// faultNames returns the names of all faults.
func faultNames() []string {
	var names []string
	for _, k := range faultKinds {
		names = append(names, k.name)
	}
	return names
}

// newSchedule returns a schedule that lets a share of the requests fail, each by one of the named faults that apply to it. The name
// all means all of them.
func newSchedule(seed int64, share float64, names ...string) fault.Schedule {
	var chosen []faultKind
	for _, name := range names {
		before := len(chosen)
		for _, k := range faultKinds {
			if name == k.name || name == "all" {
				chosen = append(chosen, k)
			}
		}
		if len(chosen) == before {
			panic("no fault is called " + name)
		}
	}
	return func(n int, method, path string) fault.Fault {
		fitting := slices.DeleteFunc(slices.Clone(chosen), func(k faultKind) bool { return !k.fits(method, path) })
		numbers := random.New("fault", seed, int64(n))
		if float64(numbers.Between(0, 1<<30-1)) >= share*(1<<30) || len(fitting) == 0 {
			return fault.Fault{}
		}
		return fitting[numbers.Between(0, len(fitting)-1)].fault
	}
}
