package client

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"reseller/client/schema"
)

// TestPages: a list is whole, or it is an error.
func TestPages(t *testing.T) {
	page := func(n, total string, ids ...int) string {
		var items []string
		for _, id := range ids {
			items = append(items, fmt.Sprintf(`{"rank_id":%d}`, id))
		}
		return fmt.Sprintf(`{"data":[%s],"error":false,"pagination":{"totalPages":%s,"page":%s}}`, strings.Join(items, ","), total, n)
	}
	counted := func(total string, ids ...int) string {
		return strings.Replace(page("1", "1", ids...), `"page":1`, `"page":1,"totalRecords":`+total, 1)
	}
	for name, tc := range map[string]struct {
		pages map[string]string
		want  string
		fails string
	}{
		"one":              {map[string]string{"": page("1", "1", 1, 2)}, "1 2", ""},
		"three":            {map[string]string{"": page("1", "3", 1, 2), "2": page("2", "3", 3), "3": page("3", "3", 4)}, "1 2 3 4", ""},
		"as strings":       {map[string]string{"": page(`"1"`, `"2"`, 1), "2": page(`"2"`, `"2"`, 2)}, "1 2", ""},
		"repeats":          {map[string]string{"": page("1", "2", 1, 2), "2": page("1", "2", 1, 2)}, "1 2", "repeats"},
		"says page one":    {map[string]string{"": page("1", "2", 1, 2), "2": page("1", "2", 5, 6)}, "1 2 5 6", "requested page 2 and got page 1"},
		"overlaps":         {map[string]string{"": page("1", "2", 1, 2), "2": page("2", "2", 2, 3)}, "1 2", "repeats"},
		"empty between":    {map[string]string{"": page("1", "3", 1), "2": page("2", "3"), "3": page("3", "3", 4)}, "1", "empty"},
		"fails":            {map[string]string{"": page("1", "2", 1)}, "1", "failed (404)"},
		"no pagination":    {map[string]string{"": `{"data":[{"rank_id":7}],"error":false}`}, "7", ""},
		"no number":        {map[string]string{"": page("1", "99999999999999999999", 1)}, "1", "totalPages is"},
		"a word":           {map[string]string{"": page("1", `"many"`, 1)}, "1", `totalPages is "many"`},
		"less than none":   {map[string]string{"": page("1", "-1", 1)}, "1", "totalPages is -1"},
		"nothing":          {map[string]string{"": page("1", `""`, 1)}, "1", `totalPages is ""`},
		"endless":          {map[string]string{"": page("1", "100001", 1)}, "1", "more than 100000 pages"},
		"no total":         {map[string]string{"": page("1", "null", 1)}, "1", ""},
		"null":             {map[string]string{"": `{"data":null,"error":false}`}, "", "data is null, not an array"},
		"empty object":     {map[string]string{"": `{"data":{},"error":false}`}, "", "data is an object, not an array"},
		"two data":         {map[string]string{"": `{"data":[{"rank_id":1}],"error":false,"data":[{"rank_id":2}]}`}, "1", `the response has "data" twice`},
		"two errors":       {map[string]string{"": `{"data":[{"rank_id":1}],"error":true,"error":false}`}, "1", `the response has "error" twice`},
		"envelope first":   {map[string]string{"": `{"error":false,"pagination":{"totalPages":2,"page":1},"data":[{"rank_id":1}]}`, "2": page("2", "2", 2)}, "1 2", ""},
		"error at 200":     {map[string]string{"": `{"data":{"x":1},"error":true,"messages":["no such thing"]}`}, "", "no such thing"},
		"fewer than total": {map[string]string{"": counted(`1500`, 1, 2)}, "1 2", "the list has 2 records, but totalRecords is 1500"},
		"none of total":    {map[string]string{"": counted(`"3"`)}, "", "the list has 0 records, but totalRecords is 3"},
		"total of pages": {map[string]string{
			"":  `{"data":[{"rank_id":1}],"pagination":{"totalPages":2,"page":1,"totalRecords":3}}`,
			"2": `{"data":[{"rank_id":2}],"pagination":{"totalPages":2,"page":2}}`,
		}, "1 2", "totalRecords is 3"},
		"total that falls": {map[string]string{
			"":  `{"data":[{"rank_id":1}],"pagination":{"totalPages":2,"page":1,"totalRecords":3}}`,
			"2": `{"data":[{"rank_id":2}],"pagination":{"totalPages":2,"page":2,"totalRecords":2}}`,
		}, "1 2", "the list has changed while its pages were read: totalRecords was 3, and is 2 on page 2"},
		"total that grows": {map[string]string{
			"":  `{"data":[{"rank_id":1}],"pagination":{"totalPages":2,"page":1,"totalRecords":2}}`,
			"2": `{"data":[{"rank_id":2},{"rank_id":3}],"pagination":{"totalPages":2,"page":2,"totalRecords":3}}`,
		}, "1 2 3", ""},
		"repeats the midst of the first page": {map[string]string{"": page("1", "2", 1, 2, 3), "2": page("2", "2", 4, 2, 6)}, "1 2 3 4", "page 2 repeats a record"},
		"repeats the midst of another page":   {map[string]string{"": page("1", "3", 1), "2": page("2", "3", 2, 3, 4), "3": page("3", "3", 5, 3)}, "1 2 3 4 5", "page 3 repeats a record"},
		"repeats the first of all":            {map[string]string{"": page("1", "3", 1, 2), "2": page("2", "3", 3), "3": page("3", "3", 4, 1)}, "1 2 3 4", "page 3 repeats a record"},
		"equal records of one page":           {map[string]string{"": page("1", "2", 1, 2), "2": page("2", "2", 3, 4, 3)}, "1 2 3 4 3", ""},
		"as many as total":                    {map[string]string{"": counted(`2`, 1, 2)}, "1 2", ""},
		"more than total":                     {map[string]string{"": counted(`1`, 1, 2)}, "1 2", ""},
		"total of 0":                          {map[string]string{"": counted(`0`, 1, 2)}, "1 2", ""},
		"total of null":                       {map[string]string{"": counted(`null`, 1, 2)}, "1 2", ""},
		"late error":                          {map[string]string{"": `{"data":[{"rank_id":1}],"error":"true","messages":["half way"]}`}, "1", "half way"},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				text, ok := tc.pages[r.URL.Query().Get("page")]
				if !ok {
					w.WriteHeader(404)
				}
				fmt.Fprint(w, text)
			})
			got, err := ids(t, c)
			if strings.Join(got, " ") != tc.want {
				t.Errorf("got records %v, want %s", got, tc.want)
			}
			if tc.fails == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), tc.fails) {
				t.Errorf("got error %v, want %q", err, tc.fails)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"error", `{"data":{},"error":true,"messages":["Missing parameter","x"]}`, "Missing parameter; x"},
		{"error_code", `{"data":{},"error":false,"message":"bad","error_code":"E7","status_code":200}`, "bad; E7"},
		{"status_code", `{"data":{},"message":"bad","error_code":"","status_code":422}`, "bad"},
		{"error without a message", `{"data":{},"error":1}`, "says that the call failed"},
		{"item", `{"data":[{"rank_id":"5","status_code":"404","status_message":"not found"}],"error":false}`, "rank_id 5: not found (404)"},
		{"item with a status", `{"data":[{"rank_id":"5","status":"Failed","status_code":"404","status_message":"not found"}],"error":false}`, "rank_id 5: Failed; not found (404)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, tt.text) })
			_, err := c.UpdateKeywords(t.Context(), []KeywordChange{{RankID: 5, KeywordType: "target", Status: "activate"}})
			var refusal *Error
			if !errors.As(err, &refusal) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"data":[{"rank_id":5,"status_code":200}],"error":null,"messages":["Missing parameter"]}`)
	})
	if items, err := c.UpdateKeywords(t.Context(), nil); err != nil || len(items) != 1 {
		t.Errorf("a message without an error: got %v, %v, want one item", items, err)
	}
}

// TestReportsAreNotCounted checks that a report is whole whatever its totalRecords is, and that it may have equal rows.
func TestReportsAreNotCounted(t *testing.T) {
	c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		page := cmp.Or(r.URL.Query().Get("page"), "1")
		fmt.Fprintf(w, `{"data":[{"rank_id":%s},{"rank_id":5},{"rank_id":%[1]s1}],"error":false,"pagination":{"totalPages":2,"page":%[1]s,"totalRecords":10}}`, page)
	})
	for _, err := range c.List(t.Context(), Call{Op: &schema.OpReportKeywords}.WithID("account_id", 1).WithID("campaign_id", 101)) {
		if err != nil {
			t.Errorf("got error %v, want the report", err)
		}
	}
}

// TestWordsOfErrors checks that an error has the words of the service, in whatever form
// they come.
func TestWordsOfErrors(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"RFC 9457":              {`{"type":"about:blank","title":"Bad keyword","status":422,"detail":"too long","instance":"/x"}`, "Bad keyword; too long"},
		"errors of RFC 9457":    {`{"title":"Invalid","errors":[{"detail":"must be positive","pointer":"#/age"},{"detail":"is missing"}]}`, "Invalid; must be positive; is missing"},
		"Message":               {`{"Message":"The request is invalid."}`, "The request is invalid."},
		"OAuth":                 {`{"error":"invalid_grant","error_description":"wrong user"}`, "invalid_grant; wrong user"},
		"errors by field":       {`{"message":"The given data was invalid.","errors":{"email":["is taken","is too long"],"phone":"is missing"}}`, "The given data was invalid.; email: is taken; email: is too long; phone: is missing"},
		"object as error":       {`{"error":{"code":7,"message":"no such plan"}}`, "no such plan"},
		"array as error":        {`{"error":["one",{"message":"two"}]}`, "one; two"},
		"list of details":       {`{"detail":[{"loc":["body","url"],"msg":"field required","type":"missing"}]}`, "field required"},
		"nested messages":       {`{"data":{},"error":true,"messages":[["one","two"],[["three"]]]}`, "one; two; three"},
		"messages as object":    {`{"data":{},"error":true,"messages":{"account_id":["unknown"]}}`, "account_id: unknown"},
		"array":                 {`["no",["never"]]`, "no; never"},
		"string":                {`"no"`, "no"},
		"no words":              {`{"errors":false,"detail":null,"title":"","status":422}`, "Unprocessable Entity"},
		"neither code nor bool": {`{"errors":{"code":null,"ok":false}}`, "Unprocessable Entity"},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusUnprocessableEntity)
				fmt.Fprint(w, tc.text)
			})
			_, err := c.AddKeywords(t.Context(), 1, 1, nil)
			if want := "add keywords failed (422): " + tc.want; err == nil || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
}

func TestNumbersAsStrings(t *testing.T) {
	c, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, envelopeOf(`[{"rank_id":"7","account_id":1,"keyword":42,"status":null,"rank_google_map":"999","new_field":{}}]`))
	})
	for k, err := range c.Keywords(t.Context()) {
		if err != nil || k.RankID != 7 || k.Keyword != "42" || k.Status != 0 || k.RankGoogleMap != 999 {
			t.Errorf("got %+v, %v", k, err)
		}
	}
}
