package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"reseller/client/schema"
)

// TestOtherRecord makes each call that is about one record, of which the service shows another one, or none. The error
// names both.
func TestOtherRecord(t *testing.T) {
	const asked, other = "5", "1234567"
	compared := 0
	for _, op := range schema.Operations() {
		if op.Data != schema.ShapeObject || op.Response == nil {
			continue
		}
		for _, f := range op.Response.For(schema.Read).Fields {
			if f.Type != schema.Int || !strings.HasSuffix(f.Name, "_id") {
				continue
			}
			call := Call{Op: op, PathParams: map[string]string{}}
			switch {
			case strings.Contains(op.Path, "{"+f.Name+"}"):
				call = call.WithParam(f.Name, asked)
			case op.Writes():
				call.Body = []byte(fmt.Sprintf(`{%q:%s}`, f.Name, asked))
				call.OnSend = func() error { return nil } // as a bulk job does
			case op == &schema.OpNotesGet:
				call.Query = url.Values{f.Name: {asked}}
			default:
				continue // a read says only by its path which record it is about
			}
			compared++
			isShown := call.PathParams[f.Name] != "" && op != &schema.OpAccountsV1Get
			for data, got := range map[string]string{
				fmt.Sprintf(`{%q:%s}`, f.Name, other): other, fmt.Sprintf(`[{%q:%q}]`, f.Name, other): other, fmt.Sprintf(`{%q:"x"}`, f.Name): "x",
				fmt.Sprintf(`{%q:"0%s"}`, f.Name, asked): "05",
				fmt.Sprintf(`{%q:%q}`, f.Name, asked):    "", fmt.Sprintf(`{%q:%s.0}`, f.Name, asked): "",
				`{}`: "none", `null`: "none", `[]`: "none", `{"added_later":1}`: "unless shown",
			} {
				t.Run(op.Method+" "+op.ID+" "+f.Name+" "+data, func(t *testing.T) {
					c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, envelopeOf(data)) })
					_, err := c.Do(t.Context(), call)
					var found *OtherRecordError
					isOther := errors.As(err, &found)
					switch {
					case got == "none" && call.PathParams[f.Name] == "" || got == "unless shown" && !isShown || got == "" || op.IsBatch():
						if err != nil {
							t.Errorf("got error %v, want none", err)
						}
					case !isOther || found.Field != f.Name || found.Asked != asked || !strings.Contains(err.Error(), asked):
						t.Errorf("got error %v, want an *OtherRecordError about %s %s", err, f.Name, asked)
					case got != "none" && got != "unless shown" && (found.Got != got || !strings.Contains(err.Error(), got)):
						t.Errorf("got error %v, want one that names %s", err, got)
					case op.Writes() && !OutcomeUnknown(err):
						t.Error("got an outcome that is known, want an unknown one")
					}
				})
			}
		}
	}
	if compared < 14 {
		t.Errorf("compared %d ids, want at least 14", compared)
	}
}

// TestContraryStatus changes the status of an account, which the service answers with a word of its own: only the contrary of
// the two that are known is an error, after which the outcome is unknown.
func TestContraryStatus(t *testing.T) {
	for change, answers := range map[string][2]string{"deactivate": {"deactivated", "activated"}, "reactivate": {"activated", "deactivated"}, "suspend": {"activated", ""}} {
		for _, data := range []string{`{"account_id":5,"status":%q}`, `[{"status":%q}]`} {
			for _, word := range []string{"activated", "Deactivated", "deactivated", "Success", "active", ""} {
				c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, envelopeOf(fmt.Sprintf(data, word))) })
				_, err := c.SetAccountStatus(t.Context(), 5, change)
				isContrary := strings.ToLower(word) == answers[1] && word != ""
				want := fmt.Sprintf("the response says %s, not %s", answers[1], answers[0])
				if isContrary != (err != nil) || err != nil && (!strings.HasSuffix(err.Error(), want) || !OutcomeUnknown(err)) {
					t.Errorf("%s, answered %s: got error %v, want one: %v", change, word, err, isContrary)
				}
			}
		}
	}
}

// TestOtherRow makes each call for the rows of one campaign, of which the service sends one of another account or campaign.
func TestOtherRow(t *testing.T) {
	compared := 0
	for _, op := range schema.Operations() {
		if op.Writes() || op.Data == schema.ShapeObject || !strings.Contains(op.Path, "{campaign_id}") {
			continue
		}
		compared++
		call := Call{Op: op}.WithID("account_id", 1).WithID("campaign_id", 101).WithParam("date_from", "2026-11-01").WithParam("date_to", "2026-11-02")
		for data, want := range map[string]string{
			`[{"x":1},{"campaign_id":102}]`:                    "campaign_id 102, not 101",
			`[{"account_id":"2","campaign_id":101}]`:           "account_id 2, not 1",
			`[{"account_id":2,"campaign_id":102}]`:             "account_id 2, not 1",
			`{"campaign_id":"x"}`:                              "campaign_id x, not 101",
			`[{"account_id":"01"}]`:                            "account_id 01, not 1",
			`[{"account_id":"1","campaign_id":101.0},{"x":1}]`: "", `[{"campaign_id":null}]`: "", `[]`: "",
		} {
			if op.Data == schema.ShapeList && !strings.HasPrefix(data, "[") {
				continue // no list
			}
			c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, envelopeOf(data)) })
			_, done := c.Do(t.Context(), call)
			var listed error
			for _, err := range c.List(t.Context(), call) {
				listed = err
			}
			for how, err := range map[string]error{"Do": done, "List": listed} {
				if _, isOther := errors.AsType[*OtherRecordError](err); isOther != (want != "") || isOther && !strings.HasSuffix(err.Error(), want) || !isOther && err != nil {
					t.Errorf("%s of %s with %s: got error %v, want %q", how, op.ID, data, err, want)
				}
			}
		}
	}
	if compared < 9 {
		t.Errorf("compared %d operations, want at least 9", compared)
	}
}

// TestHiddenRefusal makes each write, which the service answers with 200 and data that says that the write, or a part of
// it, was refused. The items of operations that document a status of each are left to their callers.
func TestHiddenRefusal(t *testing.T) {
	for _, op := range schema.Operations() {
		if !op.Writes() {
			continue
		}
		for data, want := range map[string]string{
			`{"status_code":422,"status_message":"no"}`:                                                     "item: no (422)",
			`[{"status_code":200,"keyword":"a"},{"status_code":"404","keyword":"b","status_message":"no"}]`: `keyword "b": no (404)`,
			`[{"status_code":500,"rank_id":7}]`:                                                             "rank_id 7 (500)",
			`{"status_code":200}`:                                                                           "", `[]`: "", `{"a":{"status_code":422}}`: "",
			`{"account_id":4,"status":"Failed"}`: "status: Failed", `[{"status":"NOT_UPDATED"}]`: "status: NOT_UPDATED", `{"status":"error","status_message":"no"}`: "status: error; no",
			`{"status":"Success"}`: "", `{"status":"deactivated"}`: "", `{"status":1}`: "", `{"status":"Notified"}`: "", `{"status":null}`: "", `"Unauthorized"`: "status: Unauthorized", `"Done"`: "",
		} {
			if op.Response != nil && op.Response.Field("status_code") != nil || op == &schema.OpEstimate && data[0] == '"' { // an estimate must have data
				want = ""
			}
			c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, envelopeOf(data)) })
			_, err := c.Do(t.Context(), Call{Op: op})
			refusal, isRefused := errors.AsType[*Error](err)
			if isRefused != (want != "") || isRefused && (!strings.HasSuffix(err.Error(), ": "+want) || OutcomeUnknown(err) || !refusal.Envelope) {
				t.Errorf("%s with %s: got error %v, want %q", op.ID, data, err, want)
			}
		}
	}
}
