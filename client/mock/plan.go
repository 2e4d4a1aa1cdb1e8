package mock

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// kind is a fault with a name, and the requests that it can befall.
type kind struct {
	name  string
	fits  func(method, path string) bool
	fault Fault
}

// behind is how far late calls and lagging lists are behind the time.
const behind = 1500 * time.Millisecond

func kinds() []kind {
	return []kind{
		{"reset-before", every, Fault{Work: Never, Reset: true}},
		{"reset-after", every, Fault{Reset: true}},
		{"500-before", every, Fault{Work: Never, Status: 500}},
		{"500-after", every, Fault{Status: 500}},
		{"502-before", every, Fault{Work: Never, Status: 502, HTML: true}},
		{"502-after", every, Fault{Status: 502, HTML: true}},
		{"503-before", every, Fault{Work: Never, Status: 503}},
		{"503-after", every, Fault{Status: 503}},
		{"503-html", every, Fault{Work: Never, Status: 503, HTML: true}},
		{"503-html-after", every, Fault{Status: 503, HTML: true}},
		{"503-wait", every, Fault{Work: Never, Status: 503, RetryAfter: "1"}},
		{"429", every, Fault{Work: Never, Status: 429}},
		{"429-wait", every, Fault{Work: Never, Status: 429, RetryAfter: "1"}},
		{"late", isWrite, Fault{Late: behind}},
		{"late-reset", isWrite, Fault{Late: behind, Reset: true}},
		{"lag", isList, Fault{Lag: behind}},
		{"missing", isList, Fault{Missing: 3}},
		{"half", isBatch, Fault{Work: Half}},
		{"fold", isBatch, Fault{Fold: true}},
		{"cut", every, Fault{Cut: true}},
		{"garbled", every, Fault{Body: `{"data":{"account_id":1,"camp`}},
		{"page", every, Fault{HTML: true}},
		{"slow", every, Fault{Delay: time.Second}},
		{"expire", isBehindToken, Fault{Expire: true}},
	}
}

const loginPath = "/api/v1/authentication/login"

func every(_, _ string) bool            { return true }
func isBehindToken(_, path string) bool { return path != loginPath }
func isWrite(method, path string) bool  { return method != http.MethodGet && path != loginPath }
func isBatch(method, path string) bool  { return method != http.MethodGet && path == "/api/v1/keywords" }
func isList(method, path string) bool   { return method == http.MethodGet && listed(path) != nil }

// Kinds are the names of the faults that Plan knows.
func Kinds() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// Plan returns a hook that lets a share of the requests, 0 to 1, fail, each in one
// way of the kinds that can befall it ("all" is all of them). The seed decides
// which and how: the same for the same n.
func Plan(seed int64, share float64, names ...string) (Hook, error) {
	if !(share >= 0 && share <= 1) {
		return nil, fmt.Errorf("share %v is not between 0 and 1", share)
	}
	var chosen []kind
	for _, name := range names {
		before := len(chosen)
		for _, k := range kinds() {
			if name == k.name || name == "all" {
				chosen = append(chosen, k)
			}
		}
		if len(chosen) == before {
			return nil, fmt.Errorf("%q is not a fault; there are all, %s", name, strings.Join(Kinds(), ", "))
		}
	}
	return func(n int, method, path string) Fault {
		d := throw("fault", seed, int64(n))
		if float64(d.between(0, 1<<30-1)) >= share*(1<<30) {
			return Fault{}
		}
		fit := slices.DeleteFunc(slices.Clone(chosen), func(k kind) bool { return !k.fits(method, path) })
		if len(fit) == 0 {
			return Fault{}
		}
		return fit[d.between(0, len(fit)-1)].fault
	}, nil
}
