package mock

import (
	"net/http"

	"reseller/client/mock/api"
	"reseller/client/mock/synthetic"
)

// routes is the whole interface. Where two paths match a request, the first one counts,
// so fixed words stand before parameters.
func routes(openAPI []byte) []route {
	const subject, period = "/accounts/{account_id}/campaigns/{campaign_id}", "/date_from/{date_from}/date_to/{date_to}"
	all := []route{
		{method: "POST", path: "/api/v1/accounts", handle: createAccountV1},
		{method: "PUT", path: "/api/v1/accounts", handle: updateAccountV1},
		{method: "GET", path: "/api/v1/accounts", handle: listAccountsV1},
		{method: "PUT", path: "/api/v1/accounts/status", handle: changeAccountStatus},
		{method: "POST", path: "/api/v1/accounts/iam/credentials", handle: createCredentials},
		{method: "GET", path: "/api/v1/accounts/{account_id}", handle: getAccountV1},
		{method: "POST", path: "/api/v2/accounts", handle: createAccountV2},
		{method: "PUT", path: "/api/v2/accounts", handle: updateAccountV2},
		{method: "GET", path: "/api/v2/accounts", handle: listAccountsV2},
		{method: "GET", path: "/api/v2/accounts/{account_id}", handle: getAccountV2},

		{method: "POST", path: "/api/v1/keywords", handle: createKeywords},
		{method: "PUT", path: "/api/v1/keywords", handle: updateKeywords},
		{method: "GET", path: "/api/v1/keywords", handle: listAll(keywordTable)},
		{method: "POST", path: "/api/v1/keywords/budget/estimate", handle: estimateBudget, refuse: refuseEstimate},
		{method: "GET", path: "/api/v1/keywords/{rank_id}", handle: getKeyword},

		{method: "GET", path: "/api/v1/campaigns", handle: listAll(campaignTable)},
		{method: "GET", path: "/api/v2/campaigns/notes", handle: getNotes},
		{method: "PUT", path: "/api/v2/campaigns/notes", handle: updateNotes},

		{method: "POST", path: "/api/v1/products/plans/campaigns", handle: attachPlan},
		{method: "GET", path: "/api/v1/products/plans/campaigns/{campaign_id}/accounts/{account_id}", handle: listPlans},
		{method: "POST", path: "/api/v1/google/gbp/accounts", handle: createProfile},
		{method: "POST", path: "/api/v1/authentication/login", handle: login, public: true, refuse: refuseLogin},

		{method: "GET", path: "/api/v1/reports/keywords" + subject, handle: report(synthetic.KeywordReport, copyKeywords)},
		{method: "GET", path: "/api/v1/reports/google/analytics/traffic" + subject + period, handle: report(synthetic.TrafficReport)},
		{method: "GET", path: "/api/v1/reports/workflows" + subject + period, handle: report(synthetic.WorkflowReport, copyTasks)},
		{method: "GET", path: "/api/v1/reports/backlinks" + subject, handle: report(synthetic.BacklinkReport)},
		{method: "GET", path: "/api/v1/reports/backlinks/lost" + subject, handle: report(synthetic.LostBacklinkReport)},
		{method: "GET", path: "/api/v1/reports/backlinks/lost" + subject + period, handle: report(synthetic.LostBacklinkReport)},
		{method: "GET", path: "/api/v1/reports/backlinks/referring" + subject + period, handle: report(synthetic.ReferringDomainReport)},
		{method: "GET", path: "/api/v1/reports/backlinks/provisioned" + subject + period, handle: report(synthetic.ProvisionedBacklinkReport)},
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
