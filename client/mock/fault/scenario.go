package fault

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"reseller/client/mock/random"
)

// scenario is a fault with a name. fits reports whether it applies to a request.
type scenario struct {
	name  string
	fits  func(method, path string) bool
	fault Fault
}

// deferral is the time after which deferred requests are carried out, and the age of stale lists.
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
		{"gateway-200", isWrite, Fault{Defer: deferral, Status: 200, HTML: true}},
		{"gateway-500", isWrite, Fault{Defer: deferral, Status: 500, HTML: true}},
		{"gateway-503", isWrite, Fault{Defer: deferral, Status: 503, RetryAfter: "1", Body: `{"message":"Service Unavailable"}`}},
		{"gateway-524", isWrite, Fault{Defer: deferral, Status: 524, Body: "error code: 524"}},
		{"late-reset", isWrite, Fault{Defer: deferral, Reset: true}},
		{"lag", isList, Fault{Stale: deferral}},
		{"missing", isList, Fault{HideNewest: 3}},
		{"half", isBatch, Fault{Execute: ExecuteHalf}},
		{"fold", isBatch, Fault{FoldText: true}},
		{"cut", anyRequest, Fault{Truncate: true}},
		{"garbled", anyRequest, Fault{Body: `{"data":{"account_id":1,"camp`}},
		{"page", anyRequest, Fault{HTML: true}},
		{"slow", anyRequest, Fault{Delay: time.Second}},
		{"expire", needsToken, Fault{ExpireToken: true}},
	}
}

const loginPath = "/api/v1/authentication/login"

func anyRequest(_, _ string) bool      { return true }
func needsToken(_, path string) bool   { return path != loginPath }
func isWrite(method, path string) bool { return method != http.MethodGet && path != loginPath }
func isBatch(method, path string) bool { return method != http.MethodGet && path == "/api/v1/keywords" }
func isList(method, path string) bool  { return method == http.MethodGet && listIDs()[path] != "" }

func Names() []string {
	var names []string
	for _, s := range scenarios() {
		names = append(names, s.name)
	}
	return names
}

// NewSchedule returns a schedule that lets a share of the requests, 0 to 1, fail, each by one of the named faults that apply to
// it ("all" names all of them; "lag=1m" is lag by a minute). Without names, they are those with the status 500, 502 or 503. The
// seed decides which requests fail and how: the same seed decides the same for the same n.
func NewSchedule(seed int64, share float64, names ...string) (Schedule, error) {
	if !(share >= 0 && share <= 1) {
		return nil, fmt.Errorf("share %v is not between 0 and 1", share)
	}
	var chosen []scenario
	for _, s := range scenarios() {
		if len(names) == 0 && strings.HasPrefix(s.name, "50") {
			chosen = append(chosen, s)
		}
	}
	for _, name := range names {
		before := len(chosen)
		if text, ok := strings.CutPrefix(name, "lag="); ok {
			lag, err := time.ParseDuration(text)
			if err != nil || lag <= 0 {
				return nil, fmt.Errorf("lag=%s: must be a duration, such as lag=1m", text)
			}
			chosen = append(chosen, scenario{"lag", isList, Fault{Stale: lag}})
			continue
		}
		for _, s := range scenarios() {
			if name == s.name || name == "all" {
				chosen = append(chosen, s)
			}
		}
		if len(chosen) == before {
			return nil, fmt.Errorf("unknown fault %q: must be all, %s", name, strings.Join(Names(), ", "))
		}
	}
	return func(n int, method, path string) Fault {
		numbers := random.New("fault", seed, int64(n))
		if float64(numbers.Between(0, 1<<30-1)) >= share*(1<<30) {
			return Fault{}
		}
		fitting := slices.DeleteFunc(slices.Clone(chosen), func(s scenario) bool { return !s.fits(method, path) })
		if len(fitting) == 0 {
			return Fault{}
		}
		return fitting[numbers.Between(0, len(fitting)-1)].fault
	}, nil
}
