package rows

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reseller/client/bulk/columns"
	"reseller/client/schema"
)

// TestColumnNamesAreDistinct checks that no name and no synonym means two fields of a
// resource.
func TestColumnNamesAreDistinct(t *testing.T) {
	for _, res := range []*schema.Resource{
		&schema.AccountsV1, &schema.AccountsV2, &schema.BusinessProfiles, &schema.Campaigns, &schema.Credentials, &schema.Estimates,
		&schema.Keywords, &schema.KeywordsDelete, &schema.Notes, &schema.Plans, &schema.StatusChange,
	} {
		t.Run(res.Name, func(t *testing.T) {
			s, field := Schema{Resource: res}, map[string]string{}
			for _, known := range s.columnNames() {
				name, exact := known[0], known[1]
				if f := res.Field(exact); f != nil {
					exact = f.Name
				}
				if before, ok := field[columns.Fold(name)]; ok && before != exact || columns.Fold(name) == "" {
					t.Errorf("got %q for both %s and %s, want one field", name, before, exact)
				}
				field[columns.Fold(name)] = exact
			}
		})
	}
}

func TestColumnsAreFoundByLetters(t *testing.T) {
	res := schema.Resource{Name: "thing", Fields: []schema.Field{
		{Name: "name", Use: schema.Create, ColumnSynonyms: []string{"label", "größe", "नाम"}},
		{Name: "label_2", ReadAs: "second", Use: schema.Create, Aliases: []string{"other_label"}, ColumnSynonyms: []string{"name 2"}},
		{Name: "name_2", Use: schema.Read},
		{Name: "pair", Type: schema.Pair, Use: schema.Create, ColumnSynonyms: []string{"couple"}},
		{Name: "boss.name", Use: schema.Create},
	}}
	s := Schema{Resource: &res, Use: schema.Create}
	noError(t, s.prepare())
	for column, want := range map[string]string{
		"NAME": "name", " Name: ": "name", "Label": "name", "GRÖSSE": "name", "gro\u0308ße": "name", "Groesse": "", "नाम": "name", "नम": "",
		"Label 2": "label_2", "Second": "label_2", "OTHER-LABEL": "label_2", "Name 2": "can't be set on create", "name2": "can't be set on create",
		"\u260e\ufe0f label": "name", "Pair": "pair", "Pair Field Name": "pair.field_name", "couple": "pair", "Boss Name": "boss.name", "boss": "",
		".name": "", "#": "", "%": "", "Error": "error", "HTTP status": "http_status", "attributes.name": "",
	} {
		t.Run(column, func(t *testing.T) {
			b, why := s.byName(strings.TrimSpace(column))
			got := why
			if b != nil {
				got = b.key
			}
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestWideHeaders counts what it costs to look up a column that no field takes: a sheet has 16,384 of them, and a
// resource a hundred names, each of which needs several allocations to be folded.
func TestWideHeaders(t *testing.T) {
	s := Schema{Resource: &schema.AccountsV2, Use: schema.Create, IgnoreUnknown: true}
	noError(t, s.prepare())
	b := newBinder(&s)
	if got := testing.AllocsPerRun(20, func() { b.lookup("Kündigungsfrist 17") }); got > 100 {
		t.Errorf("got %v allocations, want 100 at most", got)
	}
}

// TestMapTakesTheNearestName checks which of similar columns a name of a mapping means.
func TestMapTakesTheNearestName(t *testing.T) {
	for name, c := range map[string]struct {
		mapping map[string]string
		file    string // a map file
		text    string
		want    string
	}{
		"same letters":        {map[string]string{"the-city": "city"}, "", "account_id,The City\n1,x\n", `account_id=1 city="x"`},
		"another has it":      {map[string]string{"The City": "city", "THE_CITY": "state"}, "", "account_id,The City,the city,THE_CITY\n1,x,y,z\n", "unknown column"},
		"an exact name":       {map[string]string{"E-Mail": ""}, "", "account_id,E-Mail,email\n1,x,a@example.com\n", `account_id=1 email="a@example.com"`},
		"not an exact name":   {map[string]string{"E-Mail": "city"}, "", "account_id,email\n1,a@example.com\n", "E-Mail: no such column in the file"},
		"an exact name, case": {map[string]string{"CITY": "state"}, "", "account_id,city\n1,x\n", `account_id=1 state="x"`},
		"flag before file":    {map[string]string{"the city": "state"}, "columns: {The City: city}", "account_id,The City\n1,x\n", `account_id=1 state="x"`},
		"no letters":          {map[string]string{"%": "city"}, "", "account_id,%\n1,x\n", `account_id=1 city="x"`},
		"other symbols":       {map[string]string{"#": "city"}, "", "account_id,%\n1,x\n", "%: unknown column"},
		"file, empty cell":    {nil, "columns: {Where: [city, state]}\nvalues: {state: {'': OR}}", "account_id,Where\n1,\n", `account_id=1 state="OR"`},
		"split, no-break":     {nil, "columns: {Where: [city, state]}", "account_id,Where\n1,New York\u00a0NY \n", `account_id=1 city="New York" state="NY"`},
		"split, a part twice": {nil, "columns: {Where: [city, state]}", "account_id,Where,State\n1,a b,c\n", `State: names the same field as "Where"`},
		"plain value":         {nil, "values: {city: {PDX: Portland}}", "account_id,city\n1,PDX\n", `account_id=1 city="Portland"`},
		"read-only value":     {nil, "values: {campaign_id: {x: '5'}}", "account_id,campaign_id\n1,x\n", "account_id=1 (campaign_id=5)"},
		"attribute's value":   {nil, "columns: {Trade: attributes.Industry}\nvalues: {attributes.Industry: {R: Retail}}", "account_id,Trade\n1, R\n", `account_id=1 attributes.Industry="Retail"`},
	} {
		t.Run(name, func(t *testing.T) {
			sch := accountSchema(schema.Update)
			sch.Map = c.mapping
			if c.file != "" {
				var err error
				if sch.MapFile, err = columns.Parse("map.yaml", []byte(c.file)); err != nil {
					t.Fatal(err)
				}
			}
			rows, _, err := validRows(t, "csv", c.text, sch)
			if !strings.Contains(c.want, "account_id=") {
				wantError(t, err, c.want)
				return
			}
			wantRow(t, rows, err, c.want)
		})
	}
}

// TestPassedOverColumnsKeepSecrets checks that the cells of columns which are passed over
// are written to other files, unless one may be a password.
func TestPassedOverColumnsKeepSecrets(t *testing.T) {
	for name, c := range map[string]struct {
		format, text string
		secret       bool
		added, want  string
	}{
		"plain":      {"csv", "account_id,Team,city\n1,blue,x\n", false, "", "account_id,Team,city,error\n1,blue,x,no\n"},
		"secret":     {"csv", "account_id,Team,Portal password,city\n1,blue,sesame,x\n", true, "", "account_id,Team,Portal password,city,error\n1,,,x,no\n"},
		"ndjson":     {"ndjson", `{"account_id":1,"team":{"name":"blue","pwd":"sesame"},"token":"sesame","error":"old"}`, false, "", `{"account_id":1,"team":{"name":"blue","pwd":""},"token":"","error":"no"}` + "\n"},
		"same name":  {"csv", "account_id,error,Team\n1,old,blue\n", false, "", "account_id,Team,error\n1,blue,no\n"},
		"added name": {"csv", "account_id,task_id,Team\n1,7,blue\n", false, "task_id", "account_id,Team,error,task_id\n1,blue,no,9\n"},
	} {
		t.Run(name, func(t *testing.T) {
			sch := accountSchema(schema.Update)
			sch.IgnoreUnknown = true
			s, err := source(t, c.format, c.text, sch)
			noError(t, err)
			if got := s.Layout.HoldsSecrets(); got != c.secret {
				t.Errorf("got HoldsSecrets %t, want %t", got, c.secret)
			}
			added := strings.Fields("error " + c.added)
			w := NewWriter(s, filepath.Join(t.TempDir(), "out"), added...)
			for row, err := range s.All() {
				if err == nil {
					err = w.Write(*row, []string{"no", "9"}[:len(added)]...)
				}
				noError(t, err)
			}
			noError(t, w.Commit())
			if got, err := os.ReadFile(w.Path()); err != nil || string(got) != c.want {
				t.Errorf("got %q (%v), want %q", got, err, c.want)
			}
		})
	}
}

// TestMappingInForce checks what Mapping and MappingKey say of a file.
func TestMappingInForce(t *testing.T) {
	file, err := columns.Parse("map.yaml", []byte("columns: {City: city, Zip code: postal, Where: [address_1, address_2], Old: phone}\nvalues: {city: {a: b}, email: {x: y}}"))
	noError(t, err)
	sch := accountSchema(schema.Update)
	sch.Map, sch.MapFile, sch.IgnoreUnknown = map[string]string{"account_id": "account_id", "ST": "state"}, file, true
	for format, text := range map[string]string{
		"csv":    "account_id,City,Zip code,Where,ST,Surname,MRR,first_name\n1,a,2,a b,OR,Quist,5,Ada\n",
		"ndjson": `{"account_id":1,"City":"a","Zip code":2,"Where":"a b","ST":"OR","Surname":"Quist","MRR":5,"first_name":"Ada"}`,
	} {
		t.Run(format, func(t *testing.T) {
			s := validSource(t, format, text, sch)
			var got bytes.Buffer
			noError(t, s.Mapping.Write(&got))
			want := "columns:\n  City: city\n  MRR: \"\"\n  Old: phone\n  ST: state\n  Surname: last_name\n  Where: [address_1, address_2]\n  Zip code: postal\n  account_id: account_id\n" +
				"values:\n  city:\n    a: b\n  email:\n    x: \"y\"\n"
			if got.String() != want {
				t.Errorf("got the mapping\n%s\nwant\n%s", got.String(), want)
			}
			key := map[string]string{"account_id": "account_id", "ST": "state", "Where": "[address_1, address_2]", "MRR": "", "values of city": `{"a":"b"}`}
			if got := s.MappingKey; !maps.Equal(got, key) {
				t.Errorf("got the key %q, want %q", got, key)
			}
		})
	}
}
