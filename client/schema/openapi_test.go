package schema_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"reseller/client/schema"
)

const (
	pairPath  = "accounts/{account_id}/campaigns/{campaign_id}"
	datesPath = pairPath + "/date_from/{date_from}/date_to/{date_to}"
)

// contractOperations are the 25 rows of the contract's tables of endpoints. They are
// written out by hand, so that a row that is missing in the document is noticed.
var contractOperations = map[string]string{
	"POST /api/v1/accounts":                                     "accounts.v1.create",
	"PUT /api/v1/accounts":                                      "accounts.v1.update",
	"GET /api/v1/accounts":                                      "accounts.v1.list",
	"GET /api/v1/accounts/{account_id}":                         "accounts.v1.get",
	"POST /api/v2/accounts":                                     "accounts.v2.create",
	"PUT /api/v2/accounts":                                      "accounts.v2.update",
	"GET /api/v2/accounts":                                      "accounts.v2.list",
	"GET /api/v2/accounts/{account_id}":                         "accounts.v2.get",
	"POST /api/v1/accounts/iam/credentials":                     "accounts.credentials.create",
	"PUT /api/v1/accounts/status":                               "accounts.status",
	"POST /api/v1/keywords":                                     "keywords.create",
	"PUT /api/v1/keywords":                                      "keywords.update",
	"GET /api/v1/keywords":                                      "keywords.list",
	"GET /api/v1/keywords/{rank_id}":                            "keywords.get",
	"POST /api/v1/keywords/budget/estimate":                     "keywords.budget.estimate",
	"GET /api/v1/campaigns":                                     "campaigns.list",
	"GET /api/v2/campaigns/notes":                               "campaigns.notes.get",
	"PUT /api/v2/campaigns/notes":                               "campaigns.notes.update",
	"GET /api/v1/reports/keywords/" + pairPath:                  "reports.keywords",
	"GET /api/v1/reports/google/analytics/traffic/" + datesPath: "reports.traffic",
	"GET /api/v1/reports/workflows/" + datesPath:                "reports.workflows",
	"GET /api/v1/reports/backlinks/" + pairPath:                 "reports.backlinks",
	"GET /api/v1/reports/backlinks/lost/" + datesPath:           "reports.backlinks.lost.dates",
	"GET /api/v1/reports/backlinks/referring/" + datesPath:      "reports.backlinks.referring",
	"GET /api/v1/reports/backlinks/provisioned/" + datesPath:    "reports.backlinks.provisioned",
}

func loadDocument(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// operations maps "METHOD /path" to the operation.
func operations(doc *openapi3.T) map[string]*openapi3.Operation {
	found := map[string]*openapi3.Operation{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			found[method+" "+path] = op
		}
	}
	return found
}

func operationsByID(t *testing.T) map[string]*openapi3.Operation {
	t.Helper()
	byID := map[string]*openapi3.Operation{}
	for _, op := range operations(loadDocument(t)) {
		byID[op.OperationID] = op
	}
	return byID
}

func TestDocumentIsValid(t *testing.T) {
	doc := loadDocument(t)
	if err := doc.Validate(t.Context(), openapi3.EnableExamplesValidation()); err != nil {
		t.Fatal(err)
	}
	if len(doc.Servers) != 1 || doc.Servers[0].URL != "/" {
		t.Errorf("addresses are configuration, the document has servers %+v", doc.Servers)
	}
}

// TestDocumentHasEveryOperation checks the document against the contract's tables.
// Operations that are not in these tables must say so: TestEveryOperationIsDescribed.
func TestDocumentHasEveryOperation(t *testing.T) {
	if len(contractOperations) != 25 {
		t.Fatalf("the endpoint tables have 25 rows, this test has %d", len(contractOperations))
	}
	got := operations(loadDocument(t))
	for row, id := range contractOperations {
		if got[row] == nil || got[row].OperationID != id {
			t.Errorf("%s: got %v, want the operation %s", row, got[row], id)
		}
	}
}

func TestOperationsAreThoseOfTheDocument(t *testing.T) {
	got := map[string]string{}
	for _, op := range schema.Operations() {
		got[op.Name()] = fmt.Sprint(op.ID, " without token ", op.Public)
	}
	want := map[string]string{}
	for row, op := range operations(loadDocument(t)) {
		want[row] = fmt.Sprint(op.OperationID, " without token ", op.Security != nil)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("operations (-document +Operations):\n%s", diff)
	}
}

func TestEveryOperationIsDescribed(t *testing.T) {
	doc := loadDocument(t)
	tags := map[string]bool{}
	for _, tag := range doc.Tags {
		tags[tag.Name] = true
	}
	for row, op := range operations(doc) {
		if op.OperationID == "" || op.Summary == "" {
			t.Errorf("%s: operationId %q, summary %q", row, op.OperationID, op.Summary)
		}
		for _, status := range []string{"200", "401", "default"} {
			if op.Responses.Value(status) == nil {
				t.Errorf("%s: no %s response", row, status)
			}
		}
		if len(op.Tags) != 1 || !tags[op.Tags[0]] {
			t.Errorf("%s: tags %q are not one of the document's groups", row, op.Tags)
		}
		description := strings.ToLower(strings.Join(strings.Fields(op.Description), " "))
		if _, shown := contractOperations[row]; !shown && !strings.Contains(description, "not in the interface document") {
			t.Errorf("%s: does not say that it is not in the interface document", row)
		}
	}
}

// bodies are the operations with a body of fields, with the resource and the use of the fields.
var bodies = map[*schema.Operation]struct {
	res *schema.Resource
	use schema.Use
}{
	&schema.OpAccountsV1Create: {&schema.AccountsV1, schema.Create}, &schema.OpAccountsV1Update: {&schema.AccountsV1, schema.Update},
	&schema.OpAccountsV2Create: {&schema.AccountsV2, schema.Create}, &schema.OpAccountsV2Update: {&schema.AccountsV2, schema.Update},
	&schema.OpCredentials: {&schema.Credentials, schema.Create}, &schema.OpAccountsStatus: {&schema.StatusChange, schema.Create},
	&schema.OpKeywordsCreate: {&schema.Keywords, schema.Create}, &schema.OpKeywordsUpdate: {&schema.Keywords, schema.Update},
	&schema.OpKeywordsDelete: {&schema.KeywordsDelete, schema.Create}, &schema.OpEstimate: {&schema.Estimates, schema.Create},
	&schema.OpNotesUpdate: {&schema.Notes, schema.Update}, &schema.OpPlansAttach: {&schema.Plans, schema.Create},
	&schema.OpGBPCreate: {&schema.BusinessProfiles, schema.Create},
}

// TestDocumentHasEveryField checks that the fields of each body and of each response are properties in the document. The client
// puts a parameter of the path into a response that lacks it.
func TestDocumentHasEveryField(t *testing.T) {
	byID := operationsByID(t)
	for _, op := range schema.Operations() {
		if op.Response != nil {
			got := properties(byID[op.ID].Responses.Value("200").Value.Content)
			for _, field := range op.Response.Having(schema.Read) {
				if name := field.ReadName(); !got["data."+name] && !strings.Contains(op.Path, "{"+name+"}") {
					t.Errorf("%s: the response has no property %s", op.ID, name)
				}
			}
		}
		body, isListed := bodies[op]
		if isListed != (op.Writes() && !op.Public) {
			t.Errorf("%s: bodies has it: %t", op.ID, isListed)
		}
		if isListed {
			got := properties(byID[op.ID].RequestBody.Value.Content)
			for _, field := range body.res.Having(body.use) {
				if !got[field.Name] && !got["keywords."+field.Name] {
					t.Errorf("%s: the body has no property %s", op.ID, field.Name)
				}
			}
		}
	}
}

// properties returns the names of the properties in JSON, those of members and of elements with the names of what has them in front.
func properties(content openapi3.Content) map[string]bool {
	found := map[string]bool{}
	var add func(string, *openapi3.Schema)
	add = func(prefix string, s *openapi3.Schema) {
		for _, part := range slices.Concat(s.AllOf, s.OneOf) {
			add(prefix, part.Value)
		}
		if s.Items != nil {
			add(prefix, s.Items.Value)
		}
		for name, property := range s.Properties {
			found[prefix+name] = true
			add(prefix+name+".", property.Value)
		}
	}
	add("", content.Get("application/json").Schema.Value)
	return found
}

// TestWritesAreStrict holds for every request body at every depth: nothing that is not listed.
func TestWritesAreStrict(t *testing.T) {
	for row, op := range operations(loadDocument(t)) {
		writes := !strings.HasPrefix(row, "GET ")
		if writes != (op.RequestBody != nil) {
			t.Errorf("%s: has a request body: %v", row, op.RequestBody != nil)
		}
		if !writes || op.RequestBody == nil {
			continue
		}
		media := op.RequestBody.Value.Content.Get("application/json")
		if !op.RequestBody.Value.Required || media == nil || media.Example == nil {
			t.Errorf("%s: needs a required JSON body with an example", row)
			continue
		}
		checkClosed(t, row, media.Schema.Value)
	}
}

func checkClosed(t *testing.T, where string, schema *openapi3.Schema) {
	t.Helper()
	if schema.Items != nil {
		checkClosed(t, where+"[]", schema.Items.Value)
	}
	if !schema.Type.Is("object") {
		return
	}
	if closed := schema.AdditionalProperties.Has; closed == nil || *closed {
		t.Errorf("%s: takes fields that are not listed", where)
	}
	for _, name := range schema.Required {
		if schema.Properties[name] == nil {
			t.Errorf("%s: requires %q and does not list it", where, name)
		}
	}
	for name, property := range schema.Properties {
		checkClosed(t, where+"."+name, property.Value)
	}
}

// TestRequestSchemas changes one field of a write's example.
func TestRequestSchemas(t *testing.T) {
	byID := operationsByID(t)
	tests := []struct {
		operation, field string
		value            any // nil takes the field away
		wantOK           bool
	}{
		{"accounts.v1.create", "account_name", "Example Bakery", false},
		{"accounts.v1.update", "account_name", "Example Bakery", true},
		{"accounts.v1.update", "account_name", 4711, false},
		{"accounts.v1.update", "website_url", "https://example.com", false},
		{"accounts.v1.update", "account_id", nil, false},
		{"accounts.v2.create", "account_id", 6, true},
		{"accounts.v2.create", "address_2", nil, false},
		{"accounts.v2.create", "country_code", "USA", false},
		{"accounts.v2.create", "zip", "62701", false},
		{"accounts.v2.create", "attributes", []any{map[string]any{"field_name": "Industry"}}, false},
		{"accounts.v2.update", "account_id", "1", false},
		{"accounts.v2.update", "website_url", "https://example.com", false},
		{"accounts.v2.update", "external_account_identifier", "C-1", true},
		{"accounts.credentials.create", "password", nil, false},
		{"accounts.status", "status", nil, false},
		{"accounts.status", "status", "any word", true},
		{"keywords.create", "keywords", []any{map[string]any{"keyword": "bakery"}}, false},
		{"keywords.create", "keywords", []any{map[string]any{"keyword": "bakery", "type": "target"}}, false},
		{"keywords.create", "keywords", []any{map[string]any{"keyword": "bakery", "keyword_type": "other"}}, false},
		{"keywords.create", "campaign_id", 1.5, false},
		{"keywords.update", "keywords", []any{map[string]any{"rank_id": 1, "status": 1, "keyword_type": "target"}}, false},
		{"keywords.budget.estimate", "max_keywords", 1000, true},
		{"keywords.budget.estimate", "max_keywords", 0, false},
		{"keywords.budget.estimate", "max_keywords", 1001, false},
		{"keywords.budget.estimate", "url", nil, false},
		{"campaigns.notes.update", "additional_instructions", nil, false},
		{"gbp.create", "access_confirmed", "yes", false},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s with %s %v", tt.operation, tt.field, tt.value), func(t *testing.T) {
			op := byID[tt.operation]
			if op == nil {
				t.Fatalf("no operation %s", tt.operation)
			}
			media := op.RequestBody.Value.Content.Get("application/json")
			body := maps.Clone(asJSON(t, media.Example).(map[string]any))
			if tt.value == nil {
				delete(body, tt.field)
			} else {
				body[tt.field] = asJSON(t, tt.value)
			}
			err := media.Schema.Value.VisitJSON(body, openapi3.VisitAsRequest())
			if (err == nil) != tt.wantOK {
				t.Errorf("got %v, want success %v", err, tt.wantOK)
			}
		})
	}
}

// asJSON gives a value the types it has after decoding, which is what schemas are checked against.
func asJSON(t *testing.T, value any) any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var decoded any
	if err := json.Unmarshal(text, &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}

func TestAnswerSchemas(t *testing.T) {
	const page = `"pagination":{"totalPages":1,"maxRows":0,"offset":0,"page":1,"totalRecords":0}`
	failure := `{"data":{},"error":true,` + page + `,"messages":["Invalid Authorization"]}`
	success := func(data string) string {
		return `{"data":` + data + `,"error":false,` + page + `,"messages":[],"added_later":1}`
	}
	tests := []struct {
		operation, status, body string
		wantOK                  bool
	}{
		{"accounts.v1.create", "200", success(`{"account_id":6,"campaign_id":"106"}`), true},
		{"accounts.v1.create", "200", failure, false},
		{"accounts.v1.update", "200", success(`{}`), true},
		{"accounts.v2.create", "200", success(`{"account_id":"6","campaign_id":"106"}`), true},
		{"accounts.v2.create", "200", success(`{"account_id":6,"campaign_id":106}`), false},
		{"accounts.v2.list", "200", success(`{}`), false},
		{"accounts.v2.list", "422", failure, true},
		{"accounts.v2.list", "401", `{"data":"","error":true,` + page + `,"messages":["x"]}`, false},
		{"accounts.status", "200", success(`{"account_id":1,"campaign_id":101,"status":"activated","task_id":"Task1233"}`), true},
		{"keywords.create", "200", failure, true},
		{"keywords.create", "200", success(`{"account_id":1,"campaign_id":101,"keyword":"a","keyword_type":"target"}`), true},
		{"keywords.create", "200", success(`{}`), false},
		{"keywords.get", "200", success(`{"rank_id":1,"account_id":1,"campaign_id":101,"keyword":"a","type":"target",` +
			`"status":1,"rank_google_organic":999,"rank_google_map":null}`), true},
		{"keywords.get", "200", success(`{"rank_id":1,"keyword":"a","type":"other","status":1}`), false},
		{"keywords.budget.estimate", "200", success(`{}`), false},
		{"keywords.budget.estimate", "401", failure, true},
		{"keywords.budget.estimate", "401", `{"data":{},"message":"no","error_code":"auth","status_code":401}`, true},
		{"keywords.budget.estimate", "default", `{"data":null,"message":"no","error_code":"","status_code":500}`, false},
		{"keywords.budget.estimate", "default", failure, false},
		{"campaigns.list", "200", success(`[{"campaign_id":101,"account_id":1,"discount":null,"decline_gmb":"0"}]`), true},
		{"campaigns.notes.get", "200", success(`[{"writer_instructions":"a"}]`), true},
		{"reports.backlinks", "200", success(`{"domain_rating":"12"}`), true},
		{"authentication.login", "200", `{"data":"a.b.c","error":false,"message":"","token_exp":1}`, true},
		{"authentication.login", "200", `{"data":"","error":false}`, false},
		{"authentication.login", "401", `{"data":"","error":true,"messages":["Invalid Authorization"]}`, true},
		{"authentication.login", "401", failure, false},
		{"authentication.login", "default", failure, true},
	}
	byID := operationsByID(t)
	for _, tt := range tests {
		t.Run(tt.operation+" "+tt.status, func(t *testing.T) {
			response := byID[tt.operation].Responses.Value(tt.status)
			if response == nil {
				t.Fatalf("%s: no %s response", tt.operation, tt.status)
			}
			var body any
			if err := json.Unmarshal([]byte(tt.body), &body); err != nil {
				t.Fatalf("%s: %v", tt.body, err)
			}
			err := response.Value.Content.Get("application/json").Schema.Value.VisitJSON(body, openapi3.VisitAsResponse())
			if (err == nil) != tt.wantOK {
				t.Errorf("got %v, want success %v of\n%s", err, tt.wantOK, tt.body)
			}
		})
	}
}
