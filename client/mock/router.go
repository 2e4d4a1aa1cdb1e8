package mock

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"reseller/client/mock/api"
)

// route is one operation of the interface.
type route struct {
	method, path string // the path has parameters such as {account_id}
	handle       handler
	public       bool                          // needs no token
	refuse       func(*api.Error) api.Response // its error envelope, if it is not the common one
}

// findRoute returns the route of a request and the parameters of its path, or the
// refusal of a path or method that is not in the interface.
func findRoute(all []route, method, path string) (*route, map[string]string, *api.Response) {
	var pattern string
	var allow []string
	for i := range all {
		vars, ok := matchPath(all[i].path, path)
		if !ok || pattern != "" && pattern != all[i].path {
			continue
		}
		if all[i].method == method {
			return &all[i], vars, nil
		}
		pattern, allow = all[i].path, append(allow, all[i].method)
	}
	if pattern == "" {
		refusal := api.Refusal(api.NotFound(""))
		return nil, nil, &refusal
	}
	slices.Sort(allow)
	refusal := api.Refusal(&api.Error{Status: http.StatusMethodNotAllowed})
	refusal.Header = map[string]string{"Allow": strings.Join(allow, ", ")}
	return nil, nil, &refusal
}

// matchPath compares a path, which has its escapes still, with a pattern segment by
// segment.
func matchPath(pattern, path string) (map[string]string, bool) {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return nil, false
	}
	vars := map[string]string{}
	for i, w := range want {
		segment, err := url.PathUnescape(got[i])
		if err != nil {
			return nil, false
		}
		if name, isVar := strings.CutPrefix(w, "{"); isVar && segment != "" {
			vars[strings.TrimSuffix(name, "}")] = segment
		} else if w != segment {
			return nil, false
		}
	}
	return vars, true
}
