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

// routes returns the whole interface of the mock and, unless it is empty, a route to the OpenAPI document.
func routes(openAPI []byte) []route {
	all := append([]route{
		{method: "POST", path: "/api/v1/accounts", handle: createAccountV1},
		{method: "PUT", path: "/api/v1/accounts", handle: updateAccountV1},
		{method: "GET", path: "/api/v1/accounts", handle: listAccounts(newItemV1)},
		{method: "PUT", path: "/api/v1/accounts/status", handle: changeAccountStatus},
		{method: "GET", path: "/api/v1/accounts/{account_id}", handle: getAccountV1},
		{method: "POST", path: "/api/v2/accounts", handle: createAccountV2},
		{method: "PUT", path: "/api/v2/accounts", handle: updateAccountV2},
		{method: "GET", path: "/api/v2/accounts", handle: listAccounts(newRecordV2)},
		{method: "GET", path: "/api/v2/accounts/{account_id}", handle: getAccountV2},
		{method: "POST", path: "/api/v1/accounts/iam/credentials", handle: createCredentials},
		{method: "POST", path: "/api/v1/keywords", handle: createKeywords},
		{method: "PUT", path: "/api/v1/keywords", handle: updateKeywords},
		{method: "DELETE", path: "/api/v1/keywords", handle: deleteKeywords},
		{method: "GET", path: "/api/v1/keywords/{rank_id}", handle: getKeyword},
		{method: "POST", path: "/api/v1/keywords/budget/estimate", handle: estimateBudget, refuse: refuseEstimate},
		{method: "GET", path: "/api/v2/campaigns/notes", handle: getNotes},
		{method: "PUT", path: "/api/v2/campaigns/notes", handle: updateNotes},
		{method: "POST", path: "/api/v1/products/plans/campaigns", handle: attachPlan},
		{method: "GET", path: "/api/v1/products/plans/campaigns/{campaign_id}/accounts/{account_id}", handle: listPlans},
		{method: "POST", path: "/api/v1/google/gbp/accounts", handle: createProfile},
		{method: "POST", path: "/api/v1/authentication/login", handle: login, public: true, refuse: refuseLogin},
	}, reportRoutes()...)
	for _, t := range tables() {
		if t.list != nil {
			all = append(all, route{method: "GET", path: t.path, handle: t.list})
		}
	}
	if len(openAPI) > 0 {
		all = append(all, route{method: "GET", path: "/openapi.yaml", public: true, handle: func(*call) (api.Response, error) {
			return api.Response{Status: http.StatusOK, ContentType: "application/yaml", Body: openAPI}, nil
		}})
	}
	for i := range all {
		if all[i].refuse == nil {
			all[i].refuse = api.Refusal
		}
	}
	return all
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
