package mock

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"reseller/client/mock/api"
)

const createV1 = `{"account_name":4711,"phone":"1","email":"a@example.com","first_name":"A","last_name":"B","address_1":"C","address_2":"",
	"city":"D","state":"E","postal":"00123","website_url":"https://new.example.com","external_account_identifier":{"field_name":"crm","field_value":"X-1"}}`

const createV2 = `{"account_name":"Näw <Co> & \"Sons\"","phone":"1","email":"a@example.com","first_name":"A","last_name":"B","address_1":"C","address_2":"",
	"city":"D","state":"E","postal":"00123","country_code":"DE","website_url":"https://new.example.com","external_account_identifier":"X-2"}`

func TestCreateAccountV1(t *testing.T) {
	c := start(t, Options{})
	r := c.ok("POST", "/api/v1/accounts", createV1, nil)
	same(t, r.Data, `{"account_id":8,"campaign_id":108}`)
	var record object
	c.ok("GET", "/api/v1/accounts/8", "", &record)
	same(t, record, `{"account_name":"4711","phone":"1","email":"a@example.com","first_name":"A","last_name":"B","address_1":"C","address_2":"",
		"city":"D","state":"E","zip":"00123","website_url":"https://new.example.com"}`)
	same(t, find1(t, c, "/api/v1/accounts", 8), `{"account_id":8,"campaign_id":108,"active":1,"account_name":"4711","first_name":"A","last_name":"B",
		"email":"a@example.com","phone_number":"1","address_1":"C","address_2":"","city":"D","state":"E","zip":"00123",
		"external_account_identifier":{"field_name":"crm","field_value":"X-1"}}`)
	same(t, find1(t, c, "/api/v1/campaigns", 8)["campaign_id"], "108")

	for _, name := range []string{
		"account_name", "phone", "email", "first_name", "last_name", "address_1", "address_2", "city", "state", "postal", "website_url",
	} {
		c.refused("POST", "/api/v1/accounts", with(t, createV1, name, nil), 400, name)
		c.refused("POST", "/api/v1/accounts", strings.Replace(createV1, `"`+name+`":`, `"`+name+`":null,"x":`, 1), 400, name)
		c.refused("POST", "/api/v1/accounts", with(t, createV1, name, true), 400, name)
	}
	c.refused("POST", "/api/v1/accounts", with(t, createV1, "account_name", "4711"), 400, "account_name must be an integer")
	c.refused("POST", "/api/v1/accounts", with(t, createV1, "account_name", 1.5), 400, "account_name must be an integer")
	c.refused("POST", "/api/v1/accounts", with(t, createV1, identifierField, "X"), 400, "must be an object")
	c.refused("POST", "/api/v1/accounts", with(t, createV1, identifierField, object{"field_name": "x"}), 400, "external_account_identifier.field_value")
	c.ok("POST", "/api/v1/accounts", with(t, createV1, identifierField, nil), nil)
	same(t, find1(t, c, "/api/v1/accounts", 9)[identifierField], `{}`)
}

func TestCreateAccountV2(t *testing.T) {
	c := start(t, Options{})
	body := with(t, createV2, "attributes", []object{{"field_name": "Tier", "field_value": "1"}})
	body = with(t, body, "external_account_manager", object{"name": "M", "email": "m@example.com"})
	body = with(t, body, "external_campaign_manager", object{"name": "N"})
	r := c.ok("POST", "/api/v2/accounts", body, nil)
	same(t, r.Data, `{"account_id":"8","campaign_id":"108"}`)
	want := `{"status":"active","account_id":8,"campaign_id":108,"account_name":"Näw <Co> & \"Sons\"","first_name":"A","last_name":"B","email":"a@example.com",
		"phone":"1","address_1":"C","address_2":"","city":"D","state":"E","postal":"00123","country":"DE","website_url":"https://new.example.com",
		"attributes":[{"field_name":"Tier","field_value":"1"}],"external_account_manager":{"name":"M","email":"m@example.com"},"external_campaign_manager":{"name":"N","email":""}}`
	var record object
	c.ok("GET", "/api/v2/accounts/8", "", &record)
	same(t, record, want)
	same(t, find1(t, c, "/api/v2/accounts", 8), want)
	same(t, find1(t, c, "/api/v1/accounts", 8)[identifierField], `{"field_name":"external_account_identifier","field_value":"X-2"}`)

	for _, name := range []string{
		"account_name", "phone", "email", "first_name", "last_name", "address_1", "address_2", "city", "state", "postal", "country_code",
		"website_url", "external_account_identifier",
	} {
		c.refused("POST", "/api/v2/accounts", with(t, createV2, name, nil), 400, name)
		c.refused("POST", "/api/v2/accounts", with(t, createV2, name, 5), 400, name+" must be a string")
	}
	c.refused("POST", "/api/v2/accounts", with(t, with(t, createV2, "phone", nil), "city", nil), 400, "required: phone, city")
	for _, code := range []string{"USA", "U", "", "1X"} {
		c.refused("POST", "/api/v2/accounts", with(t, createV2, "country_code", code), 422, "country_code")
	}
	c.refused("POST", "/api/v2/accounts", with(t, createV2, "attributes", "x"), 400, "attributes must be an array")
	c.refused("POST", "/api/v2/accounts", with(t, createV2, "attributes", []object{{"field_name": "x"}}), 400, "attributes[0].field_value")
	c.refused("POST", "/api/v2/accounts", with(t, createV2, "external_account_manager", "x"), 400, "external_account_manager")
	c.refused("POST", "/api/v2/accounts", with(t, createV2, "account_id", "8"), 400, "account_id")

	// The service knows no idempotency: the same identifier makes another account.
	same(t, c.ok("POST", "/api/v2/accounts", body, nil).Data, `{"account_id":"9","campaign_id":"109"}`)
}

func TestFurtherCampaign(t *testing.T) {
	c := start(t, Options{})
	r := c.ok("POST", "/api/v2/accounts", with(t, createV2, "account_id", 1), nil)
	same(t, r.Data, `{"account_id":"1","campaign_id":"108"}`)
	same(t, find1(t, c, "/api/v2/accounts", 1)["account_name"], `"Harbor Dental"`)
	same(t, find1(t, c, "/api/v2/accounts", 1)["campaign_id"], `101`)
	c.ok("POST", "/api/v1/keywords", `{"account_id":1,"campaign_id":108,"keywords":[{"keyword":"a","keyword_type":"target"}]}`, nil)
	for _, id := range []int{6, 99, 0} {
		c.refused("POST", "/api/v2/accounts", with(t, createV2, "account_id", id), 422, "account")
	}
}

func TestUpdateAccount(t *testing.T) {
	c := start(t, Options{})
	var before, after object
	c.ok("GET", "/api/v2/accounts/1", "", &before)
	same(t, c.ok("PUT", "/api/v1/accounts", `{"account_id":1,"phone":"999","address_2":""}`, nil).Data, `{"account_id":1,"campaign_id":101}`)
	c.ok("GET", "/api/v2/accounts/1", "", &after)
	before["phone"], before["address_2"] = "999", ""
	same(t, after, string(api.Encode(before)))

	r := c.ok("PUT", "/api/v2/accounts", `{"account_id":1,"account_name":"New","external_account_identifier":"K-1","attributes":[],
		"external_account_manager":{"name":"Only"}}`, nil)
	same(t, r.Data, `{"account_id":1,"campaign_id":101,"status":"Success","task_id":"Task502"}`)
	c.ok("GET", "/api/v2/accounts/1", "", &after)
	before["account_name"], before["attributes"], before["external_account_manager"] = "New", []any{}, object{"name": "Only", "email": ""}
	same(t, after, string(api.Encode(before)))
	same(t, find1(t, c, "/api/v1/accounts", 1)[identifierField], `{"field_name":"external_account_identifier","field_value":"K-1"}`)
	c.ok("PUT", "/api/v1/accounts", `{"account_id":1,"account_name":"Text","external_account_identifier":{"field_name":"f","field_value":"v"}}`, nil)
	same(t, find1(t, c, "/api/v1/accounts", 1)[identifierField], `{"field_name":"f","field_value":"v"}`)

	for _, path := range []string{"/api/v1/accounts", "/api/v2/accounts"} {
		c.refused("PUT", path, `{"phone":"1"}`, 400, "account_id")
		c.refused("PUT", path, `{"account_id":"1"}`, 400, "account_id must be an integer")
		c.refused("PUT", path, `{"account_id":1,"account_name":5}`, 400, "account_name must be a string")
		c.refused("PUT", path, `{"account_id":99,"phone":"1"}`, 404, "99")
		c.refused("PUT", path, `{"account_id":6,"phone":"1"}`, 422, "6")
		c.refused("PUT", path, `{"account_id":1,"phone":"7","website_url":"https://x.example.com"}`, 422, "website_url")
		c.refused("PUT", path, `{"account_id":1,"country_code":"US"}`, 422, "country_code")
	}
	c.ok("GET", "/api/v2/accounts/1", "", &after)
	same(t, after["phone"], `"999"`)
	c.refused("PUT", "/api/v2/accounts", `{"account_id":1,"external_account_identifier":{"field_name":"a","field_value":"b"}}`, 400, "string")
	c.refused("PUT", "/api/v1/accounts", `{"account_id":1,"external_account_identifier":"b"}`, 400, "object")
}

func TestReadAccounts(t *testing.T) {
	c := start(t, Options{})
	for reseller, ids := range map[int][]int{1: {1, 2, 3, 4, 5}, 2: {6, 7}} {
		own := c.as(reseller)
		for _, path := range []string{"/api/v1/accounts", "/api/v2/accounts"} {
			var list []object
			r := own.ok("GET", path, "", &list)
			if len(list) != len(ids) || *r.Pagination.TotalRecords != len(ids) {
				t.Errorf("%s of reseller %d: got %s, want %d accounts", path, reseller, r.body, len(ids))
			}
			for i, id := range ids {
				same(t, list[i]["account_id"], fmt.Sprint(id))
				same(t, list[i]["campaign_id"], fmt.Sprint(100+id))
				own.ok("GET", fmt.Sprintf("%s/%d", path, id), "", nil)
			}
			own.refused("GET", fmt.Sprintf("%s/%d", path, 8-ids[0]), "", 404, "") // the other's: 7 or 2
			own.refused("GET", path+"/99", "", 404, "99")
			own.refused("GET", path+"/x", "", 400, "account_id")
			own.refused("GET", path+"/1.5", "", 400, "account_id")
		}
	}
	same(t, find1(t, c, "/api/v2/accounts", 3)["country"], `"USA"`)
	same(t, find1(t, c, "/api/v2/accounts", 5)["status"], `"deactivated"`)
	same(t, find1(t, c, "/api/v1/accounts", 5)["active"], `0`)
	if record := find1(t, c, "/api/v2/accounts", 1); record[identifierField] != nil {
		t.Errorf("a version 2 read carries the identifier: %v", record)
	}
}

// find1 returns the item of an account in a list.
func find1(t testing.TB, c *client, path string, account int) object {
	t.Helper()
	var list []object
	c.ok("GET", path, "", &list)
	for _, item := range list {
		if item["account_id"] == float64(account) {
			return item
		}
	}
	t.Fatalf("%s has no account %d", path, account)
	return nil
}

func TestStatusChange(t *testing.T) {
	c := start(t, Options{})
	const path = "/api/v1/accounts/status"
	c.ok("POST", "/api/v2/accounts", with(t, createV2, "account_id", 1), nil) // a second campaign
	same(t, c.ok("PUT", path, `{"account_id":1,"status":"deactivate"}`, nil).Data,
		`{"account_id":1,"campaign_id":101,"status":"deactivated","task_id":501}`)
	same(t, find1(t, c, "/api/v2/accounts", 1)["status"], `"deactivated"`)
	c.refused("PUT", path, `{"account_id":1,"status":"deactivate"}`, 422, "deactivated already")
	same(t, c.ok("PUT", path, `{"account_id":1,"status":"reactivate"}`, nil).Data,
		`{"account_id":1,"campaign_id":101,"status":"activated","task_id":502}`)
	same(t, c.ok("PUT", path, `{"account_id":1,"status":"deactivate"}`, nil).Data,
		`{"account_id":1,"campaign_id":101,"status":"deactivated","task_id":504}`) // each campaign had one
	c.ok("PUT", path, `{"account_id":1,"status":"reactivate"}`, nil)
	same(t, find1(t, c, "/api/v1/accounts", 1)["active"], `1`)
	c.refused("PUT", path, `{"account_id":1,"status":"reactivate"}`, 422, "activated already")
	c.refused("PUT", path, `{"account_id":1,"status":"deactivated"}`, 422, "status")
	c.refused("PUT", path, `{"account_id":1,"status":""}`, 422, "status")
	c.refused("PUT", path, `{"account_id":1}`, 400, "status")
	c.refused("PUT", path, `{"status":"deactivate"}`, 400, "account_id")
	c.refused("PUT", path, `{"account_id":1,"status":1}`, 400, "status")
	c.refused("PUT", path, `{"account_id":99,"status":"deactivate"}`, 404, "99")
	c.refused("PUT", path, `{"account_id":6,"status":"deactivate"}`, 422, "6")
	same(t, find1(t, c.as(2), "/api/v2/accounts", 6)["status"], `"active"`)
}

func TestCredentials(t *testing.T) {
	c := start(t, Options{})
	const path = "/api/v1/accounts/iam/credentials"
	body := `{"reseller_account_id":1,"account_id":1,"campaign_id":101,"credentials_types_id":4,"username":"u","password":"TopSecretWord","note":""}`
	same(t, c.ok("POST", path, body, nil).Data, `{"iam_credentials_id":501}`)
	same(t, c.ok("POST", path, body, nil).Data, `{"iam_credentials_id":502}`)
	for _, name := range []string{"reseller_account_id", "account_id", "campaign_id", "credentials_types_id", "username", "password", "note"} {
		c.refused("POST", path, with(t, body, name, nil), 400, name)
		c.refused("POST", path, with(t, body, name, []int{1}), 400, name)
	}
	for name, id := range map[string]int{"account_id": 6, "campaign_id": 102} {
		c.refused("POST", path, with(t, body, name, id), 422, "")
	}
	c.refused("POST", path, with(t, body, "account_id", 99), 422, "99")
	c.refused("POST", path, with(t, body, "campaign_id", 106), 422, "106")
	raw, err := os.ReadFile(c.s.db.Path())
	if err != nil || strings.Contains(string(raw), "TopSecretWord") {
		t.Errorf("the password is in the database (%v)", err)
	}
}
