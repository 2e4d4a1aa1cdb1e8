package mock

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"reseller/client/mock/api"
)

type route struct {
	method, path string // the path has parameters such as {account_id}
	handle       handler
	public       bool                          // the operation needs no token
	refuse       func(*api.Error) api.Response // makes the response of an error; api.Refusal if the route does not set it
}

// findRoute returns the route of a request and the parameters of its path. If no route has the path or its method, it returns a
// refusal with the status 404 or 405. If two paths match, the first one counts, so routes with fixed words stand before those
// with parameters.
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

// matchPath compares a path, in which characters are still escaped, with a pattern,
// segment by segment. It returns the parameters of the path and whether it matches.
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
