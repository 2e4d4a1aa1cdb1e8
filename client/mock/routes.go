package mock

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// route is one operation.
type route struct {
	method, path string
	handle       func(*Service, *call) (answer, error)
	open         bool                  // needs no token
	refuse       func(*failure) answer // its error envelope
}

// routes is the whole interface. Where two paths match, the first one counts, so
// fixed words stand before parameters.
func routes(openAPI []byte) []route {
	rs := []route{
		{method: "POST", path: "/api/v1/accounts", handle: (*Service).createAccountV1},
		{method: "PUT", path: "/api/v1/accounts", handle: (*Service).updateAccountV1},
		{method: "GET", path: "/api/v1/accounts", handle: (*Service).listAccountsV1},
		{method: "PUT", path: "/api/v1/accounts/status", handle: (*Service).changeStatus},
		{method: "POST", path: "/api/v1/accounts/iam/credentials", handle: (*Service).createCredentials},
		{method: "GET", path: "/api/v1/accounts/{account_id}", handle: (*Service).getAccountV1},
		{method: "POST", path: "/api/v2/accounts", handle: (*Service).createAccountV2},
		{method: "PUT", path: "/api/v2/accounts", handle: (*Service).updateAccountV2},
		{method: "GET", path: "/api/v2/accounts", handle: (*Service).listAccountsV2},
		{method: "GET", path: "/api/v2/accounts/{account_id}", handle: (*Service).getAccountV2},

		{method: "POST", path: "/api/v1/keywords", handle: (*Service).createKeywords},
		{method: "PUT", path: "/api/v1/keywords", handle: (*Service).updateKeywords},
		{method: "GET", path: "/api/v1/keywords", handle: (*Service).listKeywords},
		{method: "POST", path: "/api/v1/keywords/budget/estimate", handle: (*Service).estimateBudget, refuse: estimateRefusal},
		{method: "GET", path: "/api/v1/keywords/{rank_id}", handle: (*Service).getKeyword},

		{method: "GET", path: "/api/v1/campaigns", handle: (*Service).listCampaigns},
		{method: "GET", path: "/api/v2/campaigns/notes", handle: (*Service).getNotes},
		{method: "PUT", path: "/api/v2/campaigns/notes", handle: (*Service).updateNotes},

		{method: "POST", path: "/api/v1/products/plans/campaigns", handle: (*Service).attachPlan},
		{method: "GET", path: "/api/v1/products/plans/campaigns/{campaign_id}/accounts/{account_id}", handle: (*Service).listPlans},
		{method: "POST", path: "/api/v1/google/gbp/accounts", handle: (*Service).createProfile},
		{method: "POST", path: "/api/v1/authentication/login", handle: (*Service).login, open: true, refuse: loginRefusal},
	}
	rs = append(rs, reportRoutes()...)
	if len(openAPI) > 0 {
		rs = append(rs, route{method: "GET", path: "/openapi.yaml", open: true, handle: func(*Service, *call) (answer, error) {
			return answer{status: http.StatusOK, contentType: "application/yaml", body: openAPI}, nil
		}})
	}
	for i := range rs {
		if rs[i].refuse == nil {
			rs[i].refuse = refusal
		}
	}
	return rs
}

// find returns the operation of a request and the parameters of its path, or the
// answer to a path or method that there is not.
func find(rs []route, q request) (*route, map[string]string, *answer) {
	var path string
	var allow []string
	for i := range rs {
		vars, ok := match(rs[i].path, q.path)
		if !ok || path != "" && path != rs[i].path {
			continue
		}
		if rs[i].method == q.method {
			return &rs[i], vars, nil
		}
		path, allow = rs[i].path, append(allow, rs[i].method)
	}
	if path == "" {
		a := refusal(&failure{status: http.StatusNotFound})
		return nil, nil, &a
	}
	slices.Sort(allow)
	a := refusal(&failure{status: http.StatusMethodNotAllowed})
	a.header = map[string]string{"Allow": strings.Join(allow, ", ")}
	return nil, nil, &a
}

// match compares a path, still escaped, with a pattern segment by segment.
func match(pattern, path string) (map[string]string, bool) {
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
