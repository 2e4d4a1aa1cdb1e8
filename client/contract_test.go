package client_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"reseller/client"
	"reseller/client/mock"
	"reseller/client/record"
	"reseller/client/schema"
)

// A checkedWire validates every request that the client sends and every response
// that the mock gives against the OpenAPI document.
type checkedWire struct {
	t      *testing.T
	router routers.Router
	seen   map[string]bool
}

func (w *checkedWire) RoundTrip(req *http.Request) (*http.Response, error) {
	route, params, err := w.router.FindRoute(req)
	if err != nil {
		w.t.Errorf("%s %s is not in the document: %v", req.Method, req.URL.Path, err)
		return http.DefaultTransport.RoundTrip(req)
	}
	w.seen[route.Operation.OperationID] = true
	var body []byte
	if req.Body != nil {
		body, _ = io.ReadAll(req.Body)
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, SkipSettingDefaults: true, IncludeResponseStatus: true}
	input := &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route, Options: options}
	if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
		w.t.Errorf("request %s %s %s: %v", req.Method, req.URL.Path, body, err)
	}
	if login := route.Operation.OperationID == "authentication.login"; login == strings.HasPrefix(req.Header.Get("Authorization"), "Bearer ") {
		w.t.Errorf("%s: Authorization %q", route.Operation.OperationID, req.Header.Get("Authorization"))
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	text, _ := io.ReadAll(resp.Body)
	resp.Body = io.NopCloser(bytes.NewReader(text))
	validated := &openapi3filter.ResponseValidationInput{RequestValidationInput: input, Status: resp.StatusCode, Header: resp.Header, Options: options}
	validated.SetBodyBytes(text)
	if err := openapi3filter.ValidateResponse(context.Background(), validated); err != nil {
		w.t.Errorf("response to %s %s (%d): %v\n%s", req.Method, req.URL.Path, resp.StatusCode, err, text)
	}
	return resp, nil
}

func newMock(t *testing.T) (*checkedWire, func(reseller int) *client.Client) {
	t.Helper()
	service, err := mock.Open(mock.Options{Path: filepath.Join(t.TempDir(), "mock.db"), OpenAPI: schema.OpenAPI})
	noError(t, err)
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	document, err := openapi3.NewLoader().LoadFromData(schema.OpenAPI)
	noError(t, err)
	router, err := gorillamux.NewRouter(document)
	noError(t, err)
	wire := &checkedWire{t: t, router: router, seen: map[string]bool{}}
	return wire, func(reseller int) *client.Client {
		token := "not.a.token"
		if reseller > 0 {
			if token, err = service.Token(reseller); err != nil {
				t.Fatal(err)
			}
		}
		c, err := client.New(client.Options{BaseURL: server.URL, Tokens: client.StaticToken(token), Timeout: 10 * time.Second, Transport: wire})
		noError(t, err)
		return c
	}
}

func count[T any](t *testing.T, list iter.Seq2[T, error]) int {
	t.Helper()
	n := 0
	for _, err := range list {
		if err != nil {
			t.Error(err)
			break
		}
		n++
	}
	return n
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
		return v
	}
}

// checkReport reads a report of the mock into its type of row, which must have the
// fields of the report's resource.
func checkReport[Row any](t *testing.T, c *client.Client, report client.TypedReport[Row], period client.Dates) {
	t.Helper()
	if report.Dated == nil {
		period = client.Dates{}
	}
	checkFields(t, report.Operation(period).Response, reflect.TypeFor[Row]())
	rows := 0
	for row, err := range report.Rows(t.Context(), c, 1, 101, period) {
		noError(t, err)
		if reflect.ValueOf(row).IsZero() {
			t.Errorf("row %d: got no fields", rows)
		}
		rows++
	}
	if rows == 0 {
		t.Error("got no rows")
	}
}

func text(s string) *string { return &s }

// TestEveryOperation calls every operation on the mock, and checks each exchange
// against the OpenAPI document. It calls the reads that callableRead knows how to call
// by itself.
func TestEveryOperation(t *testing.T) {
	wire, clientOf := newMock(t)
	c, ctx := clientOf(1), t.Context()

	created := must[client.AccountIDs](t)(c.CreateAccount(ctx, client.AccountCreate{
		AccountName: "Harbour Bikes", Phone: "555-0100", Email: "ada@example.com", FirstName: "Ada", LastName: "Quist",
		Address1: "1 Quay Street", City: "Portland", State: "OR", Postal: "97201", CountryCode: "US",
		WebsiteURL: "https://bikes.example.com", ExternalAccountIdentifier: "crm-1001",
		ExternalAccountManager: &client.Person{Name: "Kim Lee", Email: "kim@example.com"},
		Attributes:             []client.FieldValue{{FieldName: "Industry", FieldValue: "Retail"}},
	}))
	id := int64(created.AccountID)
	write := func(op *schema.Operation, body string) record.Record {
		return must[record.Record](t)(c.Record(ctx, client.Call{Op: op, Body: []byte(body)}))
	}
	first, _ := write(&schema.OpAccountsV1Create, `{"account_name":1001,"phone":"1","email":"b@example.com","first_name":"B","last_name":"C","address_1":"x","address_2":"y","city":"z",
		"state":"s","postal":"p","website_url":"https://b.example.com","external_account_identifier":{"field_name":"crm","field_value":"7"}}`).Get("account_id").Int64()
	must[client.StatusTask](t)(c.UpdateAccount(ctx, client.AccountUpdate{AccountID: id, Phone: text("555-0199"), Address2: text("")}))
	write(&schema.OpAccountsV1Update, fmt.Sprintf(`{"account_id":%d,"account_name":"Renamed"}`, first))
	account := must[client.Account](t)(c.Account(ctx, id))
	if account.Phone != "555-0199" || account.Status != "active" || account.ExternalAccountManager.Email != "kim@example.com" {
		t.Errorf("account: %+v", account)
	}
	if got := account.Record.Get("phone").Text(); got != "555-0199" {
		t.Errorf("record of the account: got phone %q, want 555-0199", got)
	}
	old := must[record.Record](t)(c.Record(ctx, client.Call{Op: &schema.OpAccountsV1Get}.WithID("account_id", first)))
	if old.Get("account_id").Text() != fmt.Sprint(first) || old.Get("account_name").Text() != "Renamed" {
		t.Errorf("account in version 1: %s", old.Raw())
	}
	if n := count(t, c.Accounts(ctx)); n != 7 {
		t.Errorf("%d accounts", n)
	}
	credentials := must[int64](t)(c.CreateCredentials(ctx, client.CredentialsCreate{
		ResellerAccountID: 1, AccountID: 1, CampaignID: 101, CredentialsTypesID: 4, Username: "u", Password: "secret", Note: "n"}))
	if credentials == 0 {
		t.Error("no id of credentials")
	}
	if task := must[client.StatusTask](t)(c.SetAccountStatus(ctx, id, "deactivate")); task.Status != "deactivated" || task.TaskID == "" {
		t.Errorf("deactivated: %+v", task)
	}
	if task := must[client.StatusTask](t)(c.SetAccountStatus(ctx, id, "reactivate")); task.Status != "activated" {
		t.Errorf("reactivated: %+v", task)
	}

	must[client.KeywordsAdded](t)(c.AddKeywords(ctx, id, int64(created.CampaignID), []client.NewKeyword{{Keyword: "red shoes", KeywordType: "target"}, {Keyword: "blue shoes", KeywordType: "interest"}}))
	var ranks []int64
	for k, err := range c.Keywords(ctx) {
		noError(t, err)
		if int64(k.AccountID) == id {
			ranks = append(ranks, int64(k.RankID))
		}
	}
	if len(ranks) != 2 {
		t.Fatalf("%d keywords", len(ranks))
	}
	must[[]client.ItemError](t)(c.DeleteKeywords(ctx, ranks[:1]))
	must[[]client.ItemError](t)(c.UpdateKeywords(ctx, []client.KeywordChange{{RankID: ranks[0], Status: "deactivate", KeywordType: "interest"}}))
	if keyword := must[client.Keyword](t)(c.Keyword(ctx, ranks[0])); keyword.Status != 0 || keyword.Type != "interest" {
		t.Errorf("keyword: %+v", keyword)
	}
	ask := client.EstimateRequest{URL: "https://bikes.example.com", Seeds: []string{"bikes, used"}, MaxKeywords: 5}
	fresh := must[client.Estimate](t)(c.EstimateBudget(ctx, ask))
	again := must[client.Estimate](t)(c.EstimateBudget(ctx, ask))
	if fresh.Cached || !again.Cached || len(fresh.Keywords) == 0 || fresh.EstimatedBudget.EstimatedMonthlyBudget == "" {
		t.Errorf("estimates: %+v, cached %v", fresh, again.Cached)
	}

	if n := count(t, c.Campaigns(ctx)); n != 7 {
		t.Errorf("%d campaigns", n)
	}
	if err := c.UpdateNotes(ctx, client.CampaignNotes{CampaignID: 101, WriterInstructions: "a", AdditionalInstructions: "b"}); err != nil {
		t.Error(err)
	}
	if got := must[client.CampaignNotes](t)(c.Notes(ctx, 101)).WriterInstructions; got != "a" {
		t.Errorf("notes: %q", got)
	}
	period := client.Dates{From: "2026-01-01", To: "2026-03-31"}
	t.Run("report keywords", func(t *testing.T) { checkReport(t, c, client.ReportKeywords, period) })
	t.Run("report traffic", func(t *testing.T) { checkReport(t, c, client.ReportTraffic, period) })
	t.Run("report backlinks", func(t *testing.T) { checkReport(t, c, client.ReportBacklinks, period) })
	t.Run("report lost backlinks", func(t *testing.T) { checkReport(t, c, client.ReportBacklinksLost, period) })
	t.Run("report referring backlinks", func(t *testing.T) { checkReport(t, c, client.ReportBacklinksReferring, period) })
	t.Run("report provisioned backlinks", func(t *testing.T) { checkReport(t, c, client.ReportBacklinksProvisioned, period) })
	t.Run("report workflows", func(t *testing.T) { checkReport(t, c, client.ReportWorkflows, period) })

	if token, expires, err := c.Login(ctx, "reseller1", "mock"); err != nil || strings.Count(token, ".") != 2 || time.Until(expires) <= 0 {
		t.Errorf("login: %v, expires %v", err, expires)
	}
	must[client.PlanAttach](t)(c.AttachPlan(ctx, client.PlanAttach{AccountID: 1, CampaignID: 101, ServicePlanID: 3}))
	if n := count(t, c.Plans(ctx, 1, 101)); n == 0 {
		t.Error("no plans")
	}
	must[client.BusinessProfileTask](t)(c.CreateBusinessProfile(ctx, client.BusinessProfile{TicketID: 1, GPID: "g", NOB: "n", Address: "a", WebsiteURL: "https://x.example.com", AccessConfirmed: true}))

	for _, op := range schema.Operations() {
		if call, ok := callableRead(op); ok && !wire.seen[op.ID] {
			t.Run(op.ID, func(t *testing.T) { count(t, c.List(ctx, call)) })
		}
		if !wire.seen[op.ID] {
			t.Errorf("%s was not called", op.ID)
		}
	}
}

// callableRead returns the call of a read that needs no parameters, or only those of a
// report: an account, a campaign and a period.
func callableRead(op *schema.Operation) (client.Call, bool) {
	call := client.Call{Op: op}
	for name, value := range map[string]string{"account_id": "1", "campaign_id": "101", "date_from": "2026-01-01", "date_to": "2026-03-31"} {
		if strings.Contains(op.Path, "{"+name+"}") {
			call = call.WithParam(name, value)
		}
	}
	return call, !op.Writes() && strings.Count(op.Path, "{") == len(call.PathParams)
}

// TestRefusalsOfTheMock makes calls that must fail, and checks each response against
// the document too.
func TestRefusalsOfTheMock(t *testing.T) {
	_, clientOf := newMock(t)
	c, stranger, nobody, ctx := clientOf(1), clientOf(2), clientOf(0), t.Context()
	status := func(err error) int {
		var refusal *client.Error
		errors.As(err, &refusal)
		if refusal == nil {
			return 0
		}
		return refusal.HTTPStatus
	}
	account := func(c *client.Client, id int64) error { _, err := c.Account(ctx, id); return err }
	keyword := func(c *client.Client, id int64) error { _, err := c.Keyword(ctx, id); return err }
	for name, tc := range map[string]struct {
		err  error
		want int
	}{
		"no token":           {account(nobody, 1), 401},
		"unknown account":    {account(c, 999), 404},
		"another's account":  {account(stranger, 1), 404},
		"another's keyword":  {keyword(stranger, 1001), 404},
		"another's campaign": {stranger.UpdateNotes(ctx, client.CampaignNotes{CampaignID: 101}), 422},
		"bad word":           {func() error { _, err := c.SetAccountStatus(ctx, 1, "destroy"); return err }(), 422},
		"bad login":          {func() error { _, _, err := c.Login(ctx, "reseller1", "wrong"); return err }(), 401},
		"unknown keyword": {func() error {
			_, err := c.UpdateKeywords(ctx, []client.KeywordChange{{RankID: 5, Status: "activate", KeywordType: "target"}})
			return err
		}(), 200},
		"report of another": {func() error { return errOf(stranger.Report(ctx, client.ReportKeywords.Report, 1, 101, client.Dates{})) }(), 404},
	} {
		t.Run(name, func(t *testing.T) {
			if got := status(tc.err); got != tc.want {
				t.Errorf("got status %d (%v), want %d", got, tc.err, tc.want)
			}
			if got := errors.Is(tc.err, client.ErrNotFound); got != (tc.want == 404 || name == "unknown keyword") {
				t.Errorf("ErrNotFound: got %v for status %d", got, tc.want)
			}
		})
	}
}

func errOf[T any](list iter.Seq2[T, error]) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

// noError fails the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// goBlocks returns the Go files that a text shows.
func goBlocks(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	noError(t, err)
	var out []string
	for i, block := range strings.Split(string(text), "```") {
		if code, ok := strings.CutPrefix(block, "go\n"); ok && i%2 == 1 {
			out = append(out, code)
		}
	}
	return out
}

// TestOutsideModule runs the Go programs that the READMEs and the guide show in a module of
// their own, which names this one by a replacement.
func TestOutsideModule(t *testing.T) {
	root, err := filepath.Abs("..")
	noError(t, err)
	readme, guide, library := goBlocks(t, "../README.md"), goBlocks(t, "../docs/library.md"), goBlocks(t, "README.md")
	if len(readme) != 1 || len(guide) != 2 || len(library) != 2 {
		t.Fatalf("got %d programs in the README, %d in the guide and %d in that of the library, want 1, 2 and 2", len(readme), len(guide), len(library))
	}
	if _, program, _ := strings.Cut(library[0], "\nfunc "); strings.Count(program, "\n") > 20 {
		t.Errorf("the program of the library has %d lines without its imports, want 20 at most", strings.Count(program, "\n"))
	}
	if lines := strings.Count(readme[0], "\n"); lines >= 40 {
		t.Errorf("the program in the README has %d lines, want less than 40", lines)
	}
	sums, err := os.ReadFile("../go.sum")
	noError(t, err)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                    "module example.com/onboarding\n\ngo 1.26\n\nrequire reseller v0.0.0\n\nreplace reseller => " + root + "\n",
		"go.sum":                    string(sums),
		"readme/onboarding_test.go": readme[0],
		"client/names.go":           library[0],
		"client/names_test.go":      library[1],
		"guide/main.go":             guide[0],
		"guide/main_test.go":        guide[1],
	} {
		path := filepath.Join(dir, name)
		noError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		noError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	run := exec.CommandContext(t.Context(), "go", "test", "-mod=mod", "./...")
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if unformatted, err := exec.CommandContext(t.Context(), "gofmt", "-l", dir).CombinedOutput(); err != nil || len(unformatted) > 0 {
		t.Errorf("gofmt: %v %s", err, unformatted)
	}
}

// TestWordsOfErrors makes the text of a refused call with what responses may leave out.
func TestWordsOfErrors(t *testing.T) {
	one := func(item client.ItemError) []client.ItemError { return []client.ItemError{item} }
	for _, c := range []struct {
		name string
		err  client.Error
		want string
	}{
		{"messages", client.Error{HTTPStatus: 422, Messages: []string{"a", "b"}}, "update keywords failed (422): a; b"},
		{"an empty message", client.Error{HTTPStatus: 422, Messages: []string{""}}, "update keywords failed (422): Unprocessable Entity"},
		{"one message twice", client.Error{HTTPStatus: 422, Messages: []string{"a", "a"}}, "update keywords failed (422): a"},
		{"a status without words", client.Error{HTTPStatus: 599}, "update keywords failed (599)"},
		{"only the code", client.Error{HTTPStatus: 200, Code: "E7"}, "update keywords failed (200): E7"},
		{"nothing", client.Error{HTTPStatus: 200}, "update keywords failed (200): the response says that the call failed"},
		{"an item", client.Error{HTTPStatus: 200, Items: one(client.ItemError{RankID: 7, StatusCode: 404, StatusMessage: "not found"})}, "update keywords failed (200): rank_id 7: not found (404)"},
		{"an item without a message", client.Error{HTTPStatus: 200, Items: one(client.ItemError{RankID: 7, StatusCode: 400})}, "update keywords failed (200): rank_id 7 (400)"},
		{"an item without an id", client.Error{HTTPStatus: 200, Items: one(client.ItemError{StatusCode: 400, StatusMessage: "failed"})}, "update keywords failed (200): item: failed (400)"},
		{"an item without either", client.Error{HTTPStatus: 200, Items: one(client.ItemError{StatusCode: 400})}, "update keywords failed (200): item (400)"},
		{"an item without a status", client.Error{HTTPStatus: 200, Items: one(client.ItemError{RankID: 7, StatusMessage: "failed"})}, "update keywords failed (200): rank_id 7: failed"},
		{"two items", client.Error{HTTPStatus: 200, Items: []client.ItemError{{StatusCode: 400}, {StatusCode: 404}}}, "update keywords failed (200): item (400); item (404)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.err.Action = "update keywords"
			if got := c.err.Error(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestActionNamesItsIDs makes the beginning of the errors of each operation: an id follows what it is the id of.
func TestActionNamesItsIDs(t *testing.T) {
	wants := map[string]string{
		"accounts.v2.get": "get account 1", "keywords.get": "get keyword 7", "products.plans.list": "list plans for campaign 101 of account 1",
		"reports.keywords": "report keywords for campaign 101 of account 1",
		"reports.traffic":  "report traffic for campaign 101 of account 1 from 2026-09-01 to 2026-09-30", "keywords.create": "add keywords",
	}
	for _, op := range schema.Operations() {
		call := client.Call{Op: op}
		for name, value := range map[string]string{
			"account_id": "1", "campaign_id": "101", "rank_id": "7", "date_from": "2026-09-01", "date_to": "2026-09-30",
		} {
			if strings.Contains(op.Path, "{"+name+"}") {
				call = call.WithParam(name, value)
			}
		}
		if got, want := call.Action(), wants[op.ID]; want != "" && got != want {
			t.Errorf("%s: got %q, want %q", op.ID, got, want)
		}
	}
}
