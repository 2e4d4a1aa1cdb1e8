package schema

import (
	"net/http"
	"slices"
)

// A DataShape says what the data of a response is.
type DataShape uint8

const (
	ShapeAny    DataShape = iota // one object or an array of objects
	ShapeObject                  // one object
	ShapeList                    // an array of objects
)

// An Operation is one call that the service offers: one row of the contract's tables of endpoints.
type Operation struct {
	ID       string // operationId in openapi.yaml
	Title    string // what the call does, such as "get account"; errors begin with it
	Method   string
	Path     string // with parameters in braces
	Data     DataShape
	Response *Resource // the fields of the data in a response; nil if they are not known
	Public   bool      // sent without a token: the login
}

// Name returns the method and the path, such as "GET /api/v2/accounts".
func (o *Operation) Name() string { return o.Method + " " + o.Path }

// Writes reports whether the method is neither GET nor HEAD.
func (o *Operation) Writes() bool { return o.Method != http.MethodGet && o.Method != http.MethodHead }

// OpLogin trades a user name and a password for a token. The contract mentions it but does not describe it.
var OpLogin = Operation{"authentication.login", "log in", http.MethodPost, "/api/v1/authentication/login", ShapeAny, nil, true}

// Operations returns all operations in the order of the contract.
func Operations() []*Operation {
	return []*Operation{
		&OpAccountsV1Create, &OpAccountsV1Update, &OpAccountsV1List, &OpAccountsV1Get,
		&OpAccountsV2Create, &OpAccountsV2Update, &OpAccountsV2List, &OpAccountsV2Get, &OpCredentials, &OpAccountsStatus,
		&OpKeywordsCreate, &OpKeywordsUpdate, &OpKeywordsDelete, &OpKeywordsList, &OpKeywordsGet, &OpEstimate,
		&OpCampaignsList, &OpNotesGet, &OpNotesUpdate,
		&OpReportKeywords, &OpReportTraffic, &OpReportWorkflows, &OpReportBacklinks,
		&OpReportBacklinksLost, &OpReportBacklinksLostDates, &OpReportBacklinksReferring, &OpReportBacklinksProvisioned,
		&OpLogin, &OpPlansAttach, &OpPlansList, &OpGBPCreate,
	}
}

// IsNumber reports whether a field of this name is a whole number in some response.
func IsNumber(name string) bool {
	return slices.ContainsFunc(Operations(), func(op *Operation) bool {
		if op.Response == nil {
			return false
		}
		f := op.Response.Field(name)
		return f != nil && f.Type == Int
	})
}
