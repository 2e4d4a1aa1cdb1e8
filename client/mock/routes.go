package mock

import (
	"net/http"

	"reseller/client/mock/api"
)

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
