package client_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"reseller/client"
)

// TestTypesAgreeWithFields checks that each typed struct and its resource name
// the same fields.
func TestTypesAgreeWithFields(t *testing.T) {
	for _, tc := range []struct {
		res   *client.Resource
		use   client.Use
		typed any
	}{
		{&client.AccountsV2, client.Create, client.AccountCreate{}},
		{&client.AccountsV2, client.Update, client.AccountUpdate{}},
		{&client.AccountsV1, client.Create, client.AccountCreateV1{}},
		{&client.AccountsV1, client.Update, client.AccountUpdateV1{}},
		{&client.AccountsV2, client.Read, client.Account{}},
		{&client.Resource{Fields: append(slices.Clone(client.AccountsV1.Fields), *client.AccountV1Record.Field("website_url"))}, client.Read, client.AccountV1{}},
		{&client.Credentials, client.Create, client.CredentialsCreate{}},
		{&client.Keywords, client.Read, client.Keyword{}},
		{&client.Estimates, client.Create, client.EstimateRequest{}},
		{&client.EstimateKeywords, client.Read, client.EstimateKeyword{}},
		{&client.Campaigns, client.Read, client.Campaign{}},
		{&client.Notes, client.Update, client.CampaignNotes{}},
		{&client.BusinessProfiles, client.Create, client.BusinessProfile{}},
		{&client.Plans, client.Create, client.PlanAttach{}},
		{&client.Plans, client.Read, client.Plan{}},
		{&client.KeywordReport, client.Read, client.KeywordReportRow{}},
		{&client.TrafficReport, client.Read, client.TrafficRow{}},
		{&client.WorkflowReport, client.Read, client.WorkflowRow{}},
		{&client.BacklinkReport, client.Read, client.BacklinkFigures{}},
		{&client.LostBacklinkReport, client.Read, client.LostBacklinkRow{}},
		{&client.ReferringBacklinkReport, client.Read, client.ReferringBacklinksRow{}},
		{&client.ProvisionedBacklinkReport, client.Read, client.ProvisionedBacklinkRow{}},
	} {
		want, got := map[string]bool{}, map[string]bool{}
		for _, field := range tc.res.Having(tc.use) {
			name := field.Name
			if tc.use == client.Read {
				name = field.ReadName()
			}
			object, _, _ := strings.Cut(name, ".")
			want[object] = true
		}
		typ := reflect.TypeOf(tc.typed)
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			got[name] = true
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the type has %v, the resource %v", typ, got, want)
		}
	}
}
