package rows

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"reseller/client/record"
	"reseller/client/schema"
)

const keywordHead = "account_id,campaign_id,keyword,keyword_type\n"

func TestColumnsBecomeFields(t *testing.T) {
	v1 := Schema{Resource: &schema.AccountsV1, Use: schema.Update, Validate: true, ReadOnly: true}
	status := Schema{Resource: &schema.StatusChange, Use: schema.Create, Validate: true}
	renamed := accountSchema(schema.Update)
	renamed.Map = map[string]string{"Client Name": "account_name", "Trade": "attributes.Industry", "city": "state"}
	clearing := accountSchema(schema.Update)
	clearing.EmptyClears = true
	unchecked := createSchema()
	unchecked.Validate = false
	for name, c := range map[string]struct {
		sch          Schema
		format, text string
		want         string
	}{
		"aliases":          {accountSchema(schema.Update), "csv", "account_id,zip,phone_number\n1,01234,5\n", `account_id=1 phone="5" postal="01234"`},
		"keyword status 1": {updateSchema(), "csv", "rank_id,status,type\n5,1,target\n", `keyword_type="target" rank_id=5 status="activate"`},
		"keyword status 0": {updateSchema(), "json", `{"rank_id":5,"status":0}`, `rank_id=5 status="deactivate"`},
		"keyword list": {updateSchema(), "csv", "rank_id,account_id,campaign_id,keyword,type,status,rank_google_organic,rank_google_map,.added\n5,1,101,a,interest,1,999,,x\n",
			`keyword_type="interest" rank_id=5 status="activate" (.added=x) (account_id=1) (campaign_id=101) (keyword=a) (rank_google_organic=999)`},
		"account list": {accountSchema(schema.Update), "csv", "status,account_id,campaign_id,country,website_url,attributes,external_account_manager.name\nactive,1,101,USA,http://a.example.com,\"[{\"\"field_name\"\":\"\"a\"\", \"\"field_value\"\":\"\"b\"\"}]\",Kim\n",
			`account_id=1 attributes=[{"field_name":"a","field_value":"b"}] external_account_manager.name="Kim" (campaign_id=101) (country_code=USA) (status=active) (website_url=http://a.example.com)`},
		"v1 list": {v1, "csv", "account_id,active,phone_number,zip,external_account_identifier.field_name,external_account_identifier.field_value\n1,1,5,01,crm,7\n",
			`account_id=1 external_account_identifier={"field_name":"crm","field_value":"7"} phone="5" postal="01" (active=1)`},
		"pair as text":      {v1, "csv", "account_id,external_account_identifier\n1,crm=a=b\n", `account_id=1 external_account_identifier={"field_name":"crm","field_value":"a=b"}`},
		"pair as json":      {v1, "csv", "account_id,external_account_identifier\n1,\"{\"\"field_name\"\": \"\"crm\"\",\"\"field_value\"\":\"\"7=\"\"}\"\n", `account_id=1 external_account_identifier={"field_name":"crm","field_value":"7="}`},
		"pair as object":    {v1, "json", `{"account_id":1,"external_account_identifier":{"field_name":"crm","field_value":7}}`, `account_id=1 external_account_identifier={"field_name":"crm","field_value":"7"}`},
		"nested":            {accountSchema(schema.Update), "json", `{"account_id":1,"external_account_manager":{"name":"Kim"},"external_campaign_manager":null}`, `account_id=1 external_account_manager.name="Kim"`},
		"null is absent":    {accountSchema(schema.Update), "json", `{"account_id":1,"city":null}`, `account_id=1`},
		"present means set": {accountSchema(schema.Update), "ndjson", `{"account_id":1,"address_2":""}`, `account_id=1 address_2=""`},
		"required":          {accountSchema(schema.Update), "ndjson", `{"account_id":1,"city":""}`, ""},
		"required, clears":  {clearing, "csv", "account_id,city\n1,\n", ""},
		"empty means leave": {accountSchema(schema.Update), "csv", "account_id,city,attributes.a\n1,,\n", `account_id=1`},
		"empty clears":      {clearing, "csv", "account_id,city,attributes.a,attributes,website_url\n1,,,,\n", ``},
		"empty clears all":  {clearing, "csv", "account_id,address_2,attributes,website_url\n1,,,\n", `account_id=1 address_2="" attributes=[]`},
		"attribute, update": {accountSchema(schema.Update), "csv", "account_id,Attributes.Industry,attributes.Size.EU\n1,Retail,9\n", `account_id=1 attributes.Industry="Retail" attributes.Size.EU="9"`},
		"attribute object":  {accountSchema(schema.Update), "json", `{"account_id":1,"attributes":{"Industry":"Retail"}}`, `account_id=1 attributes.Industry="Retail"`},
		"attributes, empty": {accountSchema(schema.Update), "csv", "account_id,attributes,attributes.a\n1,,x\n", `account_id=1 attributes.a="x"`},
		"mapped":            {renamed, "csv", "account_id,client name,Trade,city\n1,Bikes,Retail,OR\n", `account_id=1 account_name="Bikes" attributes.Industry="Retail" state="OR"`},
		"mapped json":       {renamed, "json", `[{"account_id":1,"Client Name":"Bikes","Trade":"x"},{"account_id":2,"city":"OR"}]`, `account_id=1 account_name="Bikes" attributes.Industry="x"`},
		"ignored":           {status, "csv", "account_id,status,error,http_status\n1,deactivate,bad,422\n", `account_id=1 status="deactivate"`},
		"capitals":          {accountSchema(schema.Update), "csv", "ACCOUNT_ID,City\n1,x\n", `account_id=1 city="x"`},
		"not checked":       {unchecked, "csv", keywordHead + "x,1,a,both\n", `account_id="x" campaign_id=1 keyword="a" keyword_type="both"`},
		"keyword spaces":    {createSchema(), "json", "{\"account_id\":1,\"campaign_id\":1,\"keyword\":\"\\u00a0 red  shoes\\n\",\"type\":\"target\"}", `account_id=1 campaign_id=1 keyword="red  shoes" keyword_type="target"`},
	} {
		t.Run(name, func(t *testing.T) {
			rows, _, err := validRows(t, c.format, c.text, c.sch)
			if c.want == "" {
				wantError(t, err)
				return
			}
			wantRow(t, rows, err, c.want)
		})
	}
}

// TestNewAccountsFillAndJoinFields checks that the row of a new account has its attributes
// in one list, its country as a code, and empty texts for fields that it leaves out.
func TestNewAccountsFillAndJoinFields(t *testing.T) {
	head := "account_name,phone,email,first_name,last_name,address_1,city,state,postal,country,website_url,external_account_identifier,address_2,attributes.Industry,attributes.Size,external_account_manager.name\n"
	cells := "Bikes,5,a@example.com,A,Q,1 Quay,Portland,OR,01234,us,https://a.example.com,crm-1,,Retail <b>,,\n"
	rows, _, err := validRows(t, "csv", head+cells, accountSchema(schema.Create))
	want := `account_name="Bikes" address_1="1 Quay" address_2="" attributes=[{"field_name":"Industry","field_value":"Retail <b>"}] city="Portland" country_code="US" email="a@example.com" external_account_identifier="crm-1" first_name="A" last_name="Q" phone="5" postal="01234" state="OR" website_url="https://a.example.com"`
	wantRow(t, rows, err, want)
}

func TestListsInEveryFormat(t *testing.T) {
	res := schema.Resource{Name: "customer", Fields: []schema.Field{{Name: "keywords", Type: schema.List, Use: schema.Create}}}
	for format, text := range map[string]string{
		"csv":    "keywords\na; b|interest ;;c\n",
		"tsv":    "keywords\n[\"a\", \"b|interest\",\"c\"]\n",
		"json":   `{"keywords":["a","b|interest","c"]}`,
		"ndjson": `{"keywords":"a;b|interest;c"}`,
		"yaml":   "keywords: [a, b|interest, c]\n",
	} {
		t.Run(format, func(t *testing.T) {
			rows, _, err := validRows(t, format, text, Schema{Resource: &res, Use: schema.Create, Validate: true})
			wantRow(t, rows, err, `keywords=["a","b|interest","c"]`)
		})
	}
}

// TestTextOfAList reads a list that is one text in each format: it may be the text of an array, and one without an item
// says nothing, while an array may be empty.
func TestTextOfAList(t *testing.T) {
	res := schema.Resource{Name: "customer", Fields: []schema.Field{{Name: "account_id", Type: schema.Int, Use: schema.Update}, {Name: "keywords", Type: schema.List, Use: schema.Update}}}
	for text, want := range map[string]string{"": "", " ": "", " ; ;": "", "[]": "[]", `["a",{"keyword":"b"}]`: `["a",{"keyword":"b"}]`} {
		quoted := string(record.Quote(text))
		for format, file := range map[string]string{
			"csv": "account_id,keywords\n1,\"" + strings.ReplaceAll(text, `"`, `""`) + "\"\n", "json": `{"account_id":1,"keywords":` + quoted + `}`, "yaml": "account_id: 1\nkeywords: " + quoted + "\n",
		} {
			t.Run(format+" "+text, func(t *testing.T) {
				rows, _, err := validRows(t, format, file, Schema{Resource: &res, Use: schema.Update, Validate: true})
				noError(t, err)
				if got := string(rows[0].Values.Get("keywords")); got != want {
					t.Errorf("got the keywords %q, want %q", got, want)
				}
			})
		}
	}
}

func TestInvalidColumnsAndValues(t *testing.T) {
	v1 := Schema{Resource: &schema.AccountsV1, Use: schema.Update, Validate: true, ReadOnly: true}
	mapped := func(from, to string) Schema {
		s := accountSchema(schema.Update)
		s.Map = map[string]string{from: to}
		return s
	}
	fixed := func(name, value string) Schema {
		s := createSchema()
		s.Constants = map[string]string{name: value}
		return s
	}
	for name, c := range map[string]struct {
		sch          Schema
		format, text string
		want         []string
	}{
		"unknown":             {createSchema(), "csv", "account_id,campain_id,keyword,type\n", []string{"line 1, campain_id: unknown column", `"campaign_id"`}},
		"unknown json":        {createSchema(), "json", "\n{\"keywrd\":\"a\"}", []string{"line 2, keywrd: unknown column", `"keyword"`}},
		"unknown nested":      {accountSchema(schema.Update), "json", `{"account_id":1,"external_account_manager":{"nam":"x"}}`, []string{"external_account_manager.nam: unknown", `"external_account_manager.name"`}},
		"no object":           {accountSchema(schema.Update), "json", `{"account_id":1,"external_account_manager":"Kim"}`, []string{"line 1, external_account_manager: ", "not an object"}},
		"object":              {accountSchema(schema.Update), "json", `{"account_id":1,"city":{}}`, []string{"line 1, city: ", "is an object"}},
		"twice":               {accountSchema(schema.Update), "csv", "account_id,zip,postal\n", []string{"line 1, postal: names the same field as \"zip\""}},
		"same name twice":     {accountSchema(schema.Update), "csv", "account_id,city,city\n", []string{"line 1, city: names the same"}},
		"no name":             {accountSchema(schema.Update), "csv", "account_id,,city\n1,,Rome\n1,x,Rome\n", []string{"line 3, column 2: "}},
		"no name, required":   {updateSchema(), "csv", "status,\n1,5\n", []string{"line 1, rank_id: missing", "line 1, column 2: a column without a name"}},
		"no name, a cell":     {accountSchema(schema.Update), "csv", "account_id,city,,\n1,Rome,,\n2,Rome,,Lake Road\n", []string{"line 3, column 4: "}},
		"read only, create":   {createSchema(), "csv", "account_id,campaign_id,keyword,type,rank_id\n", []string{"line 1, rank_id: can't be set on create"}},
		"not updatable, v1":   {v1, "csv", "account_id,website_url\n", []string{"line 1, website_url: can't be updated"}},
		"leading dot":         {createSchema(), "csv", "account_id,campaign_id,keyword,type,.x\n", []string{"line 1, .x: unknown column"}},
		"tabs in csv":         {createSchema(), "csv", "account_id\tkeyword\n", []string{"line 1, campaign_id: missing", "line 1, keyword_type: missing"}},
		"missing columns":     {createSchema(), "csv", "account_id,keyword\n1,a\n", []string{"line 1, campaign_id: missing", "line 1, keyword_type: missing"}},
		"missing key":         {updateSchema(), "csv", "status\n1\n", []string{"line 1, rank_id: missing"}},
		"missing cells":       {createSchema(), "csv", keywordHead + ",,,target\n", []string{"line 2, account_id: missing", "line 2, campaign_id: missing", "line 2, keyword: missing"}},
		"missing members":     {createSchema(), "json", `{"keyword":"a","account_id":""}`, []string{"line 1, account_id: missing", "line 1, campaign_id: missing", "line 1, keyword_type: missing"}},
		"missing key cell":    {updateSchema(), "csv", "rank_id,status\n,1\n", []string{"line 2, rank_id: missing"}},
		"map, no column":      {mapped("Client", "account_name"), "csv", "account_id,Cliant\n", []string{"Client: no such column", `"Cliant"`}},
		"map, no member":      {mapped("Client", "account_name"), "json", `[{"account_id":1}]`, []string{"Client: no such column"}},
		"map, no field":       {mapped("Client", "acount_name"), "csv", "account_id,Client\n", []string{"acount_name", `"account_name"`}},
		"constant, field":     {fixed("acount_id", "1"), "csv", "", []string{"acount_id", `"account_id"`}},
		"constant, value":     {fixed("account_id", "x"), "csv", "", []string{`account_id: "x" is not a whole number`}},
		"contradiction":       {fixed("account_id", "1"), "csv", "campaign_id,keyword,type,account_id\n1,a,target, 1\n1,b,target,2\n", []string{`line 3, account_id: "2" contradicts the flag's value "1"`}},
		"int":                 {createSchema(), "csv", keywordHead + "1,1,a,target\n1.5,1,b,target\n", []string{`line 3, account_id: "1.5" is not a whole number`}},
		"int, missing too":    {createSchema(), "csv", keywordHead + "x,,b,target\n", []string{"line 2, account_id: ", "line 2, campaign_id: missing"}},
		"choice":              {createSchema(), "csv", "account_id,campaign_id,keyword,type\n1,1,a,both\n", []string{`line 2, type: "both" is not one of target, interest`}},
		"e-mail":              {accountSchema(schema.Update), "csv", "account_id,email\n1,nobody\n", []string{`line 2, email: "nobody" is not an e-mail address`}},
		"attributes, no list": {accountSchema(schema.Update), "csv", "account_id,attributes\n1,{}\n", []string{`line 2, attributes: "{}" is an object`}},
		"attributes twice":    {accountSchema(schema.Update), "csv", "account_id,attributes,attributes.a\n1,[],x\n", []string{`line 2, attributes.a: "attributes" already sets the attributes`}},
		"attribute, a list":   {accountSchema(schema.Update), "json", `{"account_id":1,"attributes":{"a":[1]}}`, []string{"attributes.a: ", "is an array"}},
		"half a pair":         {v1, "csv", "account_id,external_account_identifier.field_name,external_account_identifier.field_value\n1,,7\n", []string{"line 2, external_account_identifier.field_value: ", "are required together"}},
		"pair twice":          {v1, "json", `{"account_id":1,"external_account_identifier.field_name":"a","external_account_identifier.field_value":"b","external_account_identifier":"c=d"}`, []string{"already sets it"}},
		"escaped, shortened":  {createSchema(), "csv", keywordHead + "\x1b[31m" + strings.Repeat("é", 100) + ",1,b,target\n", []string{`account_id: "\x1b[31m`, `…" is not`}},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := validRows(t, c.format, c.text, c.sch)
			wantError(t, err, c.want...)
			if len(err.Error()) > 400 || strings.ContainsRune(err.Error(), 0x1b) {
				t.Errorf("got error %q, want at most 400 bytes without control characters", err)
			}
		})
	}
}

func TestConstantsFillEmptyCells(t *testing.T) {
	sch := createSchema()
	sch.Constants = map[string]string{"account_id": "1", "keyword_type": "target"}
	rows, _, err := validRows(t, "csv", "account_id,campaign_id,keyword,type\n,101,red shoes,\n", sch)
	wantRow(t, rows, err, shoe)
}

func TestTenThousandIssuesAreKept(t *testing.T) {
	text := keywordHead + strings.Repeat("1,1,,target\n", 10_045)
	_, report, err := validRows(t, "csv", text, createSchema())
	issues := issuesOf(t, err)
	if len(issues.Issues) != 10_000 || issues.More != 45 || report.Invalid != 10_045 || issues.Fatal {
		t.Errorf("got %d issues, %d more, fatal %t, %d invalid rows; want 10,000, 45, false, 10,045", len(issues.Issues), issues.More, issues.Fatal, report.Invalid)
	}
	if lines := strings.Split(err.Error(), "\n"); !slices.Equal(lines, []string{"keyword: 10000 rows, the first line 2: missing", "and 45 more"}) {
		t.Errorf("got the lines %q, want one for all issues that are kept and one for the others", lines)
	}
	if got := issues.Issues[0]; got.Line != 2 || got.Column != "keyword" || got.Reason != "missing" {
		t.Errorf("got the issue %+v, want line 2, keyword: missing", got)
	}
}

func TestIssuesShowNoPassword(t *testing.T) {
	sch := Schema{Resource: &schema.Credentials, Use: schema.Create, Validate: true, Identity: withoutPassword}
	head := "reseller_account_id,account_id,campaign_id,credentials_types_id,username,password\n"
	for _, text := range []string{
		head + "1,1,101,4,u,sesame\n1,1,101,4,u,other\n",
		head + "1,1,101,4,u,ses\xe9ame\n",
		head + "1,1,101,4,u,sesame,\n",
		head + "1,1,101,x,u,sesame\n",
	} {
		t.Run(fmt.Sprintf("%q", strings.TrimPrefix(text, head)), func(t *testing.T) {
			_, _, err := validRows(t, "csv", text, sch)
			for _, issue := range issuesOf(t, err).Issues {
				if s := fmt.Sprintf("%+v %s", issue, issue); strings.Contains(s, "ses") && !strings.Contains(s, "reseller") || strings.Contains(s, "other") {
					t.Errorf("got the issue %s, want no password in it", s)
				}
			}
		})
	}
	_, _, err := validRows(t, "ndjson", `{"reseller_account_id":1,"account_id":1,"campaign_id":101,"credentials_types_id":4,"username":"u","password":["sesame"]}`, sch)
	wantError(t, err, "line 1, password: is an array")
	if got := fmt.Sprintf("%+v", issuesOf(t, err).Issues); strings.Contains(got, "sesame") {
		t.Errorf("got the issues %s, want no password in them", got)
	}
}

func TestDuplicatesAndConflicts(t *testing.T) {
	for name, c := range map[string]struct {
		sch        Schema
		text       string
		duplicates int
		conflict   string
	}{
		"whole":            {Schema{Resource: &schema.Notes, Use: schema.Update, Validate: true}, "campaign_id,writer_instructions\n1,a\n1,b\n1,a\n", 1, ""},
		"keyword":          {createSchema(), keywordHead + "1,1,Red  SHOES,target\n1,1, red shoes,target\n1,2,red shoes,interest\n", 1, ""},
		"keyword, unicode": {createSchema(), keywordHead + "1,1,Stra\u00dfe Caf\u00e9,target\n1,1,STRASSE cafe\u0301,target\n", 1, ""},
		"keyword types":    {createSchema(), keywordHead + "1,1,red shoes,target\n1,1,b,target\n1,1,Red shoes,interest\n", 0, "line 4: contradicts line 2"},
		"rank":             {updateSchema(), "rank_id,status\n5,1\n5,activate\n6,0\n", 1, ""},
		"rank statuses":    {updateSchema(), "rank_id,status\n5,1\n5,0\n", 0, "line 3: contradicts line 2"},
		"account":          {accountSchema(schema.Update), "account_id,city\n5,a\n5,a\n5,b\n5,A\n", 0, "line 3: contradicts line 4"},
	} {
		t.Run(name, func(t *testing.T) {
			_, report, err := validRows(t, "csv", c.text, c.sch)
			if report.Duplicates != c.duplicates || (err != nil) != (c.conflict != "") {
				t.Errorf("got %d duplicates, error %v; want %d, %q", report.Duplicates, err, c.duplicates, c.conflict)
			}
			notes := slices.DeleteFunc(report.Notes, func(note string) bool { return !strings.Contains(note, "repeats") })
			if err != nil {
				wantError(t, err, c.conflict)
			} else if len(notes) != c.duplicates {
				t.Errorf("got the notes %q, want one for each of %d duplicates", notes, c.duplicates)
			}
		})
	}
}

func TestThreeDuplicatesAreNoted(t *testing.T) {
	_, report, err := validRows(t, "csv", "account_id;campaign_id;keyword;type\n"+strings.Repeat("1;1;a;target\n", 6), createSchema())
	if err != nil || report.Duplicates != 5 || len(report.Notes) != 5 {
		t.Fatalf("got %d duplicates, notes %q, error %v; want 5 and 5 notes", report.Duplicates, report.Notes, err)
	}
	for i, want := range []string{"semicolons", "line 3 repeats line 2", "line 4", "line 5", "2 more"} {
		if !strings.Contains(report.Notes[i], want) {
			t.Errorf("got the note %q, want one with %q", report.Notes[i], want)
		}
	}
}

// withoutPassword identifies a row by all fields but its password, which must agree.
func withoutPassword(v Values, id, content []byte) ([]byte, []byte) {
	rest := slices.DeleteFunc(slices.Clone(v), func(v Value) bool { return v.Name == "password" })
	return AppendValues(id, rest), v.Get("password").AppendText(content)
}

// TestCampaignsOfTwoAccounts names campaigns of two accounts by one word: it stands for another campaign in each, and is looked up once
// for each.
func TestCampaignsOfTwoAccounts(t *testing.T) {
	sch, lookups := createSchema(), 0
	sch.References = &References{Find: func(_, _ string, account int64) (int64, string, error) {
		lookups++
		return 100 + account, "", nil
	}}
	rows, _, err := validRows(t, "csv", keywordHead+"1,name:Main,a,target\n2,name:Main,a,target\n1,name:main,b,target\n", sch)
	var got []string
	for _, row := range rows {
		got = append(got, row.Values.Get("campaign_id").Text())
	}
	if want := []string{"101", "102", "101"}; err != nil || !slices.Equal(got, want) || lookups != 2 {
		t.Errorf("got the campaigns %q by %d look-ups and %v, want %q by 2", got, lookups, err, want)
	}
}
