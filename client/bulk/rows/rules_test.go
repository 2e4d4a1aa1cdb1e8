package rows

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"reseller/client/schema"
)

const keywordHead = "account_id,campaign_id,keyword,keyword_type\n"

func TestColumns(t *testing.T) {
	v1 := Schema{Resource: &schema.AccountsV1, Use: schema.Update, Validate: true, ReadOnly: true}
	status := Schema{Resource: &schema.StatusChange, Use: schema.Create, Validate: true}
	renamed := accounts(schema.Update)
	renamed.Map = map[string]string{"Client Name": "account_name", "Trade": "attributes.Industry", "city": "state"}
	clearing := accounts(schema.Update)
	clearing.EmptyClears = true
	unchecked := creating()
	unchecked.Validate = false
	for name, c := range map[string]struct {
		spec         Schema
		format, text string
		want         string
	}{
		"aliases":          {accounts(schema.Update), "csv", "account_id,zip,phone_number\n1,01234,5\n", `account_id=1 phone="5" postal="01234"`},
		"keyword status 1": {updating(), "csv", "rank_id,status,type\n5,1,target\n", `keyword_type="target" rank_id=5 status="activate"`},
		"keyword status 0": {updating(), "json", `{"rank_id":5,"status":0}`, `rank_id=5 status="deactivate"`},
		"keyword list": {updating(), "csv", "rank_id,account_id,campaign_id,keyword,type,status,rank_google_organic,rank_google_map,.added\n5,1,101,a,interest,1,999,,x\n",
			`keyword_type="interest" rank_id=5 status="activate" (.added=x) (account_id=1) (campaign_id=101) (keyword=a) (rank_google_organic=999)`},
		"account list": {accounts(schema.Update), "csv", "status,account_id,campaign_id,country,website_url,attributes,external_account_manager.name\nactive,1,101,USA,http://a.example.com,\"[{\"\"field_name\"\":\"\"a\"\", \"\"field_value\"\":\"\"b\"\"}]\",Kim\n",
			`account_id=1 attributes=[{"field_name":"a","field_value":"b"}] external_account_manager.name="Kim" (campaign_id=101) (country_code=USA) (status=active) (website_url=http://a.example.com)`},
		"v1 list": {v1, "csv", "account_id,active,phone_number,zip,external_account_identifier.field_name,external_account_identifier.field_value\n1,1,5,01,crm,7\n",
			`account_id=1 external_account_identifier={"field_name":"crm","field_value":"7"} phone="5" postal="01" (active=1)`},
		"pair as text":      {v1, "csv", "account_id,external_account_identifier\n1,crm=a=b\n", `account_id=1 external_account_identifier={"field_name":"crm","field_value":"a=b"}`},
		"pair as json":      {v1, "csv", "account_id,external_account_identifier\n1,\"{\"\"field_name\"\": \"\"crm\"\",\"\"field_value\"\":\"\"7=\"\"}\"\n", `account_id=1 external_account_identifier={"field_name":"crm","field_value":"7="}`},
		"pair as object":    {v1, "json", `{"account_id":1,"external_account_identifier":{"field_name":"crm","field_value":7}}`, `account_id=1 external_account_identifier={"field_name":"crm","field_value":"7"}`},
		"nested":            {accounts(schema.Update), "json", `{"account_id":1,"external_account_manager":{"name":"Kim"},"external_campaign_manager":null}`, `account_id=1 external_account_manager.name="Kim"`},
		"null is absent":    {accounts(schema.Update), "json", `{"account_id":1,"city":null}`, `account_id=1`},
		"present means set": {accounts(schema.Update), "ndjson", `{"account_id":1,"city":""}`, `account_id=1 city=""`},
		"empty means leave": {accounts(schema.Update), "csv", "account_id,city,attributes.a\n1,,\n", `account_id=1`},
		"empty clears":      {clearing, "csv", "account_id,city,attributes.a,attributes,website_url\n1,,,,\n", ``},
		"empty clears all":  {clearing, "csv", "account_id,city,attributes,website_url\n1,,,\n", `account_id=1 attributes=[] city=""`},
		"attribute, update": {accounts(schema.Update), "csv", "account_id,Attributes.Industry,attributes.Size.EU\n1,Retail,9\n", `account_id=1 attributes.Industry="Retail" attributes.Size.EU="9"`},
		"attribute object":  {accounts(schema.Update), "json", `{"account_id":1,"attributes":{"Industry":"Retail"}}`, `account_id=1 attributes.Industry="Retail"`},
		"attributes, empty": {accounts(schema.Update), "csv", "account_id,attributes,attributes.a\n1,,x\n", `account_id=1 attributes.a="x"`},
		"mapped":            {renamed, "csv", "account_id,client name,Trade,city\n1,Bikes,Retail,OR\n", `account_id=1 account_name="Bikes" attributes.Industry="Retail" state="OR"`},
		"mapped json":       {renamed, "json", `[{"account_id":1,"Client Name":"Bikes","Trade":"x"},{"account_id":2,"city":"OR"}]`, `account_id=1 account_name="Bikes" attributes.Industry="x"`},
		"passed over":       {status, "csv", "account_id,status,error,http_status\n1,deactivate,bad,422\n", `account_id=1 status="deactivate"`},
		"capitals":          {accounts(schema.Update), "csv", "ACCOUNT_ID,City\n1,x\n", `account_id=1 city="x"`},
		"not checked":       {unchecked, "csv", keywordHead + "x,1,a,both\n", `account_id="x" campaign_id=1 keyword="a" keyword_type="both"`},
		"keyword spaces":    {creating(), "json", "{\"account_id\":1,\"campaign_id\":1,\"keyword\":\"\\u00a0 red  shoes\\n\",\"type\":\"target\"}", `account_id=1 campaign_id=1 keyword="red  shoes" keyword_type="target"`},
	} {
		rows, _, err := load(t, c.format, c.text, c.spec)
		if c.want == "" {
			if err == nil {
				t.Errorf("%s: no error", name)
			}
			continue
		}
		if err != nil || len(rows) == 0 || show(rows[0]) != c.want {
			t.Errorf("%s: %v\n got %v\nwant %s", name, err, rows, c.want)
		}
	}
}

func TestCreateFillsAndJoins(t *testing.T) {
	head := "account_name,phone,email,first_name,last_name,address_1,city,state,postal,country,website_url,external_account_identifier,address_2,attributes.Industry,attributes.Size,external_account_manager.name\n"
	cells := "Bikes,5,a@example.com,A,Q,1 Quay,Portland,OR,01234,us,https://a.example.com,crm-1,,Retail <b>,,\n"
	rows, _, err := load(t, "csv", head+cells, accounts(schema.Create))
	want := `account_name="Bikes" address_1="1 Quay" address_2="" attributes=[{"field_name":"Industry","field_value":"Retail <b>"}] city="Portland" country_code="US" email="a@example.com" external_account_identifier="crm-1" first_name="A" last_name="Q" phone="5" postal="01234" state="OR" website_url="https://a.example.com"`
	if err != nil || show(rows[0]) != want {
		t.Errorf("%v\n got %v\nwant %s", err, rows, want)
	}
}

func TestListCells(t *testing.T) {
	res := schema.Resource{Name: "customer", Fields: []schema.Field{{Name: "keywords", Type: schema.List, Use: schema.Create}}}
	for format, text := range map[string]string{
		"csv":    "keywords\na; b|interest ;;c\n",
		"tsv":    "keywords\n[\"a\", \"b|interest\",\"c\"]\n",
		"json":   `{"keywords":["a","b|interest","c"]}`,
		"ndjson": `{"keywords":"a;b|interest;c"}`,
		"yaml":   "keywords: [a, b|interest, c]\n",
	} {
		rows, _, err := load(t, format, text, Schema{Resource: &res, Use: schema.Create, Validate: true})
		if err != nil || show(rows[0]) != `keywords=["a","b|interest","c"]` {
			t.Errorf("%s: %v, %v", format, rows, err)
		}
	}
}

func TestColumnErrors(t *testing.T) {
	v1 := Schema{Resource: &schema.AccountsV1, Use: schema.Update, Validate: true, ReadOnly: true}
	mapped := func(from, to string) Schema {
		s := accounts(schema.Update)
		s.Map = map[string]string{from: to}
		return s
	}
	fixed := func(name, value string) Schema {
		s := creating()
		s.Constants = map[string]string{name: value}
		return s
	}
	for name, c := range map[string]struct {
		spec         Schema
		format, text string
		want         []string
	}{
		"unknown":             {creating(), "csv", "account_id,campain_id,keyword,type\n", []string{"line 1, campain_id: unknown column", `"campaign_id"`}},
		"unknown json":        {creating(), "json", "\n{\"keywrd\":\"a\"}", []string{"line 2, keywrd: unknown column", `"keyword"`}},
		"unknown nested":      {accounts(schema.Update), "json", `{"account_id":1,"external_account_manager":{"nam":"x"}}`, []string{"external_account_manager.nam: unknown", `"external_account_manager.name"`}},
		"no object":           {accounts(schema.Update), "json", `{"account_id":1,"external_account_manager":"Kim"}`, []string{"line 1, external_account_manager: ", "not an object"}},
		"object":              {accounts(schema.Update), "json", `{"account_id":1,"city":{}}`, []string{"line 1, city: ", "is an object"}},
		"twice":               {accounts(schema.Update), "csv", "account_id,zip,postal\n", []string{"line 1, postal: names the same field as \"zip\""}},
		"same name twice":     {accounts(schema.Update), "csv", "account_id,city,city\n", []string{"line 1, city: names the same"}},
		"no name":             {accounts(schema.Update), "csv", "account_id,,city\n", []string{"line 1, column 2: "}},
		"no name, a cell":     {accounts(schema.Update), "csv", "account_id,city,,\n1,Rome,,\n2,Rome,,Lake Road\n", []string{"line 3, column 4: "}},
		"read only, create":   {creating(), "csv", "account_id,campaign_id,keyword,type,rank_id\n", []string{"line 1, rank_id: can't be set on create"}},
		"not updatable, v1":   {v1, "csv", "account_id,website_url\n", []string{"line 1, website_url: can't be updated"}},
		"leading dot":         {creating(), "csv", "account_id,campaign_id,keyword,type,.x\n", []string{"line 1, .x: unknown column"}},
		"tabs in csv":         {creating(), "csv", "account_id\tkeyword\n", []string{"--input-format tsv"}},
		"missing columns":     {creating(), "csv", "account_id,keyword\n1,a\n", []string{"line 1, campaign_id: missing", "line 1, keyword_type: missing"}},
		"missing key":         {updating(), "csv", "status\n1\n", []string{"line 1, rank_id: missing"}},
		"missing cells":       {creating(), "csv", keywordHead + ",,,target\n", []string{"line 2, account_id: missing", "line 2, campaign_id: missing", "line 2, keyword: missing"}},
		"missing members":     {creating(), "json", `{"keyword":"a","account_id":""}`, []string{"line 1, account_id: missing", "line 1, campaign_id: missing", "line 1, keyword_type: missing"}},
		"missing key cell":    {updating(), "csv", "rank_id,status\n,1\n", []string{"line 2, rank_id: missing"}},
		"map, no column":      {mapped("Client", "account_name"), "csv", "account_id,Cliant\n", []string{"Client: no such column", `"Cliant"`}},
		"map, no member":      {mapped("Client", "account_name"), "json", `[{"account_id":1}]`, []string{"Client: no such column"}},
		"map, no field":       {mapped("Client", "acount_name"), "csv", "account_id,Client\n", []string{"acount_name", `"account_name"`}},
		"constant, field":     {fixed("acount_id", "1"), "csv", "", []string{"acount_id", `"account_id"`}},
		"constant, value":     {fixed("account_id", "x"), "csv", "", []string{`account_id: "x" is not a whole number`}},
		"contradiction":       {fixed("account_id", "1"), "csv", "campaign_id,keyword,type,account_id\n1,a,target, 1\n1,b,target,2\n", []string{`line 3, account_id: "2" contradicts the flag's "1"`}},
		"int":                 {creating(), "csv", keywordHead + "1,1,a,target\n1.5,1,b,target\n", []string{`line 3, account_id: "1.5" is not a whole number`}},
		"int, missing too":    {creating(), "csv", keywordHead + "x,,b,target\n", []string{"line 2, account_id: ", "line 2, campaign_id: missing"}},
		"choice":              {creating(), "csv", "account_id,campaign_id,keyword,type\n1,1,a,both\n", []string{`line 2, type: "both" is none of target, interest`}},
		"e-mail":              {accounts(schema.Update), "csv", "account_id,email\n1,nobody\n", []string{`line 2, email: "nobody" is not an e-mail address`}},
		"attributes, no list": {accounts(schema.Update), "csv", "account_id,attributes\n1,{}\n", []string{`line 2, attributes: "{}" is an object`}},
		"attributes twice":    {accounts(schema.Update), "csv", "account_id,attributes,attributes.a\n1,[],x\n", []string{`line 2, attributes.a: "attributes" sets the attributes already`}},
		"attribute, a list":   {accounts(schema.Update), "json", `{"account_id":1,"attributes":{"a":[1]}}`, []string{"attributes.a: ", "is an array"}},
		"half a pair":         {v1, "csv", "account_id,external_account_identifier.field_name,external_account_identifier.field_value\n1,,7\n", []string{"line 2, external_account_identifier.field_value: ", "go together"}},
		"pair twice":          {v1, "json", `{"account_id":1,"external_account_identifier.field_name":"a","external_account_identifier.field_value":"b","external_account_identifier":"c=d"}`, []string{"sets it already"}},
		"escaped, shortened":  {creating(), "csv", keywordHead + "\x1b[31m" + strings.Repeat("é", 100) + ",1,b,target\n", []string{`account_id: "\x1b[31m`, `…" is not`}},
	} {
		_, _, err := load(t, c.format, c.text, c.spec)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q has no %q", name, err, want)
			}
		}
		if len(err.Error()) > 400 || strings.ContainsRune(err.Error(), 0x1b) {
			t.Errorf("%s: %q", name, err)
		}
	}
}

func TestConstantsFillIn(t *testing.T) {
	spec := creating()
	spec.Constants = map[string]string{"account_id": "1", "keyword_type": "target"}
	rows, _, err := load(t, "csv", "account_id,campaign_id,keyword,type\n,101,red shoes,\n", spec)
	if err != nil || show(rows[0]) != shoe {
		t.Errorf("%v, %v", rows, err)
	}
}

func TestTwentyFaultsAndTheRest(t *testing.T) {
	text := keywordHead + strings.Repeat("1,1,,target\n", 45)
	_, report, err := load(t, "csv", text, creating())
	wrong := faultsOf(t, err)
	if len(wrong.Issues) != 20 || wrong.More != 25 || report.Invalid != 45 || wrong.Fatal {
		t.Errorf("%d faults, %d more, %+v", len(wrong.Issues), wrong.More, report)
	}
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 21 || lines[0] != "line 2, keyword: missing" || lines[20] != "and 25 more" {
		t.Errorf("%q", lines)
	}
	if f := wrong.Issues[0]; f.Line != 2 || f.Column != "keyword" || f.Reason != "missing" {
		t.Errorf("%+v", f)
	}
}

func TestPasswordsAreNotShown(t *testing.T) {
	spec := Schema{Resource: &schema.Credentials, Use: schema.Create, Validate: true, Identity: withoutPassword}
	head := "reseller_account_id,account_id,campaign_id,credentials_types_id,username,password\n"
	for _, text := range []string{
		head + "1,1,101,4,u,sesame\n1,1,101,4,u,other\n",
		head + "1,1,101,4,u,ses\xe9ame\n",
		head + "1,1,101,4,u,sesame,\n",
		head + "1,1,101,x,u,sesame\n",
	} {
		_, _, err := load(t, "csv", text, spec)
		for _, f := range faultsOf(t, err).Issues {
			if s := fmt.Sprintf("%+v %s", f, f); strings.Contains(s, "ses") && !strings.Contains(s, "reseller") || strings.Contains(s, "other") {
				t.Error(s)
			}
		}
	}
	_, _, err := load(t, "ndjson", `{"reseller_account_id":1,"account_id":1,"campaign_id":101,"credentials_types_id":4,"username":"u","password":["sesame"]}`, spec)
	wantError(t, err, "line 1, password: is an array")
	if strings.Contains(fmt.Sprintf("%+v", faultsOf(t, err).Issues), "sesame") {
		t.Error(err)
	}
}

func TestDuplicatesAndConflicts(t *testing.T) {
	for name, c := range map[string]struct {
		spec       Schema
		text       string
		duplicates int
		conflict   string
	}{
		"whole":            {Schema{Resource: &schema.Notes, Use: schema.Update, Validate: true}, "campaign_id,writer_instructions\n1,a\n1,b\n1,a\n", 1, ""},
		"keyword":          {creating(), keywordHead + "1,1,Red  SHOES,target\n1,1, red shoes,target\n1,2,red shoes,interest\n", 1, ""},
		"keyword, unicode": {creating(), keywordHead + "1,1,Stra\u00dfe Caf\u00e9,target\n1,1,STRASSE cafe\u0301,target\n", 1, ""},
		"keyword types":    {creating(), keywordHead + "1,1,red shoes,target\n1,1,b,target\n1,1,Red shoes,interest\n", 0, "line 4: contradicts line 2"},
		"rank":             {updating(), "rank_id,status\n5,1\n5,activate\n6,0\n", 1, ""},
		"rank statuses":    {updating(), "rank_id,status\n5,1\n5,0\n", 0, "line 3: contradicts line 2"},
		"account":          {accounts(schema.Update), "account_id,city\n5,a\n5,a\n5,b\n", 1, "line 4: contradicts line 2"},
	} {
		_, report, err := load(t, "csv", c.text, c.spec)
		if report.Duplicates != c.duplicates || (err != nil) != (c.conflict != "") {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
		if err != nil {
			wantError(t, err, c.conflict)
		} else if len(report.Notes) != c.duplicates {
			t.Errorf("%s: notes %q", name, report.Notes)
		}
	}
}

func TestNotesCountTheRest(t *testing.T) {
	_, report, err := load(t, "csv", "account_id;campaign_id;keyword;type\n"+strings.Repeat("1;1;a;target\n", 6), creating())
	if err != nil || report.Duplicates != 5 || len(report.Notes) != 5 {
		t.Fatalf("%+v, %v", report, err)
	}
	for i, want := range []string{"semicolons", "line 3 repeats line 2", "line 4", "line 5", "2 more"} {
		if !strings.Contains(report.Notes[i], want) {
			t.Errorf("note %q has no %q", report.Notes[i], want)
		}
	}
}

// withoutPassword identifies a row by all fields but its password, which must agree.
func withoutPassword(v Values, id, content []byte) ([]byte, []byte) {
	rest := slices.DeleteFunc(slices.Clone(v), func(v Value) bool { return v.Name == "password" })
	return AppendValues(id, rest), v.Get("password").AppendText(content)
}
