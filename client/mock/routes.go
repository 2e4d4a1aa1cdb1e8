package mock

import (
	"net/http"

	"reseller/client/mock/api"
	"reseller/client/mock/database"
)

// resource is what the mock has for one kind of record, or for several that belong
// together. Each resource has a file of its own.
type resource struct {
	tables []table
	seed   func(*database.Tx) error // stores the records of a new database; nil if it has none
	routes []route
}

// table is a database.Table of records of any type.
type table interface{ Create(*database.Tx) error }

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
