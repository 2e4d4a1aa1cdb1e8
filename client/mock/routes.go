package mock

import (
	"net/http"

	"reseller/client/mock/api"
	"reseller/client/mock/database"
)

// resources are all that the mock has: its whole interface, and all its tables.
func resources() []resource {
	return []resource{
		accountResource(), credentialsResource(), keywordResource(), estimateResource(), campaignResource(),
		productResource(), loginResource(), reportResource(),
	}
}

// routes returns the routes of all resources and, unless it is empty, a route to the
// OpenAPI document.
func routes(openAPI []byte) []route {
	var all []route
	for _, r := range resources() {
		all = append(all, r.routes...)
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

// seed makes the tables and the records of a new database. They are the same every
// time.
func seed(tx *database.Tx) error {
	for _, r := range resources() {
		for _, t := range r.tables {
			if err := t.Create(tx); err != nil {
				return err
			}
		}
	}
	return seedAccounts(tx)
}
