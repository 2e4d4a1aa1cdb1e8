package schema_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/format"
	"os"
	"strings"
	"testing"

	"reseller/client/schema"
)

var update = flag.Bool("update", false, "write the types of package client again")

// A generated is a struct of package client, which has the fields that a resource has for a use.
type generated struct {
	name string
	res  *schema.Resource
	use  schema.Use
	doc  string
	// fields are the types, tags and comments of fields for which the rules of goField do not hold, by their JSON names.
	fields map[string]string
	plain  bool // the record of a response, which is not kept beside the fields
}

var generatedTypes = []generated{
	{"Account", &schema.AccountsV2, schema.Read, `An Account is an account in version 2 (contract: Account (version 2)). An older form
of the record, which has active, phone_number and zip for status, phone and postal,
is decoded into the same fields.`, nil, false},
	{"AccountIDs", &schema.AccountCreated, schema.Read, `AccountIDs is the response to a create, and to an update in version 1 (contract:
Account (version 1), Account (version 2)). An id that the response lacks is 0.`, nil, true},
	{"AccountCreate", &schema.AccountsV2, schema.Create, `AccountCreate is the body of a create in version 2 (contract: Account (version 2)).
All strings are required and are sent even if they are empty. CountryCode has two
letters. AccountID is 0, or the id of an existing account that gets another
campaign.`, nil, false},
	{"AccountUpdate", &schema.AccountsV2, schema.Update, `AccountUpdate is the body of an update in version 2 (contract: Account (version 2)).
A field that is nil is not sent, and the account keeps its value. An empty string is
stored as an empty string. Managers and Attributes replace the present ones as a
whole, so an empty list that is not nil removes all attributes.`, map[string]string{"attributes": "FieldValues,omitzero"}, false},
	{"StatusTask", &schema.StatusChanged, schema.Read, `StatusTask is the response to a change of status and to an update in version 2: the
new status, and the task that carries the change out (contract: Account status
change). The response to an update may be empty.`, nil, true},
	{"CredentialsCreate", &schema.Credentials, schema.Create, `CredentialsCreate is the body of a call that stores credentials (contract: Account
credentials). All fields are required. Credentials can't be read back.`, nil, false},
	{"Keyword", &schema.Keywords, schema.Read, `A Keyword is a keyword of a campaign (contract: Keyword). A rank of 999 means that
the keyword does not rank.`, map[string]string{"status": "Integer // 1 if it is active, 0 if it is deactivated"}, false},
	{"NewKeyword", schema.Keywords.Without("account_id", "campaign_id"), schema.Create, `A NewKeyword is one keyword to add (contract: Keyword). KeywordType is "target" or
"interest".`, nil, true},
	{"KeywordsAdded", &schema.KeywordsCreated, schema.Read, `KeywordsAdded is the response to adding keywords (contract: Keyword): one object for
all of them, without their new rank_ids.`, nil, true},
	{"KeywordChange", &schema.Keywords, schema.Update, `A KeywordChange is the change of one keyword in an update (contract: Keyword). RankID,
KeywordType ("target" or "interest") and Status ("activate" or "deactivate") are
required.`, nil, false},
	{"EstimateRequest", &schema.Estimates, schema.Create, `An EstimateRequest is the body of a budget estimate (contract: Keyword budget
estimate). URL is required. Other fields are not sent if they are empty; the
service's defaults are the market us, the language en and 50 keywords. MaxKeywords
is 1 to 1000.`, map[string]string{"max_keywords": "int,omitempty"}, false},
	{"EstimatedBudget", &schema.Resource{Fields: values(membersOf(schema.Estimates.Having(schema.Read), "estimated_budget"))}, schema.Read, `An EstimatedBudget is the cost of all keywords of an estimate. The contract does not
show its fields.`, nil, true},
	{"EstimateKeyword", &schema.EstimateKeywords, schema.Read, `An EstimateKeyword is one keyword of an estimate. The contract does not show its
fields.`, map[string]string{
		"monthly_trends":              "[]String // one for each of twelve months",
		"incremental_traffic_metrics": "json.RawMessage // as the service sent it",
	}, true},
	{"Campaign", &schema.Campaigns, schema.Read, `A Campaign is a campaign of an account (contract: Campaign and campaign notes). The
contract shows only the two ids; any other field may be missing.`, map[string]string{
		"campaign_stage_id": "Integer // 1 to 5", "campaign_stage_name": "String // Cold, Warm, Proposal, Neg/Review or Closed/Won",
		"campaign_start_date": "String // such as 2024-07-06T19:09:14Z",
		"decline_gmb":         "Boolean", "decline_reviews": "Boolean", "decline_blog": "Boolean",
		"status": "String // 0 or 1; empty if the record lacks it",
	}, false},
	{"CampaignNotes", &schema.Notes, schema.Read, `CampaignNotes are the notes of one campaign (contract: Campaign and campaign notes).
An update must send all three fields.`, nil, false},
	{"Plan", &schema.Plans, schema.Read, `A Plan is a service plan of a campaign. The contract does not describe it.`,
		map[string]string{"attached_date": "String // empty if the record lacks it", "status": "String // empty if the record lacks it"}, false},
	{"PlanAttach", &schema.PlanAttached, schema.Read, `PlanAttach is the body of the call that attaches a service plan to a campaign. The
response has the same three fields, or none.`, nil, true},
	{"BusinessProfile", &schema.BusinessProfiles, schema.Create, `BusinessProfile is the body of a request for access to a business profile.`, map[string]string{
		"ticket_id": "int64", "gpid": "string", "nob": "string", "address": "string", "website_url": "string", "access_confirmed": "bool",
	}, false},
	{"BusinessProfileTask", &schema.BusinessProfiles, schema.Read, `BusinessProfileTask is the response to a request for access to a business profile.`, nil, true},
	{"KeywordReportRow", &schema.KeywordReport, schema.Read, `A KeywordReportRow is a keyword with its current ranks and their history. A rank of
999 means that the keyword does not rank.`, map[string]string{"histogram": "[]RankOnDay"}, false},
	{"TrafficRow", &schema.TrafficReport, schema.Read, `A TrafficRow is the number of visits on one day.`, nil, false},
	{"WorkflowRow", &schema.WorkflowReport, schema.Read, `A WorkflowRow is a task of a campaign.`, map[string]string{"completion_date": "String // empty if the task is not completed"}, false},
	{"BacklinkRow", &schema.BacklinkReport, schema.Read, `A BacklinkRow is the only row of the backlinks report.`, nil, false},
	{"LostBacklinkRow", &schema.LostBacklinkReport, schema.Read, `A LostBacklinkRow is a backlink that no longer exists.`, nil, false},
	{"ReferringBacklinkRow", &schema.ReferringBacklinkReport, schema.Read, `A ReferringBacklinkRow is the number of referring backlinks on one day.`, nil, false},
	{"ProvisionedBacklinkRow", &schema.ProvisionedBacklinkReport, schema.Read, `A ProvisionedBacklinkRow is a backlink that the service provides.`, nil, false},
}

// TestTypesAreGenerated checks that types.go has what the fields of package schema say. With -update it writes the file.
func TestTypesAreGenerated(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("// Code generated from package schema by TestTypesAreGenerated; DO NOT EDIT.\n\npackage client\n\nimport \"encoding/json\"\n")
	for _, g := range generatedTypes {
		fmt.Fprintf(&b, "\n// %s\ntype %s struct {\n", strings.ReplaceAll(g.doc, "\n", "\n// "), g.name)
		if g.use == schema.Read && !g.plain {
			b.WriteString("Received\n")
		}
		writeFields(&b, &g, g.res.Having(g.use))
		b.WriteString("}\n")
	}
	want, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("../types.go", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile("../types.go"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("types.go is not what package schema says: run go generate ./client/schema (%v)", err)
	}
}

// writeFields writes the fields of a struct. The members of an object become a struct, except for those of a Person.
func writeFields(b *bytes.Buffer, g *generated, fields []*schema.Field) {
	seen := map[string]bool{}
	for _, field := range fields {
		object, _, isMember := strings.Cut(field.ReadName(), ".")
		name, typ := goField(field, g.use)
		if strings.HasPrefix(g.name, "Estimate") && g.use == schema.Read && typ == "Number" || typ == "Integer" && g.name == "EstimatedBudget" {
			typ = "String" // the service sends most numbers of an estimate as strings that need not be numbers
		}
		if other, ok := g.fields[name]; ok {
			typ = other
		}
		switch {
		case seen[name]: // another member of the same object
		case isMember && !strings.HasSuffix(object, "_manager"):
			fmt.Fprintf(b, "%s struct {\n", goName(object))
			writeFields(b, g, membersOf(fields, object))
			fmt.Fprintf(b, "} `json:\"%s\"`\n", object)
		default:
			typ, comment, _ := strings.Cut(typ, " //")
			typ, omit, omits := strings.Cut(typ, ",")
			if omits {
				omit = "," + omit
			}
			if comment != "" {
				comment = " //" + comment
			}
			fmt.Fprintf(b, "%s %s `json:\"%s%s\"`%s\n", goName(name), typ, name, omit, comment)
		}
		seen[name] = true
	}
}

// membersOf returns the members of an object among fields, by their names in the object.
func membersOf(fields []*schema.Field, object string) (members []*schema.Field) {
	for _, field := range fields {
		if name, ok := strings.CutPrefix(field.Name, object+"."); ok {
			member := *field
			member.Name = name
			members = append(members, &member)
		}
	}
	return members
}

func values(fields []*schema.Field) (out []schema.Field) {
	for _, field := range fields {
		out = append(out, *field)
	}
	return out
}

// readTypes and writeTypes are the Go types of fields that are not texts.
var (
	readTypes = map[schema.Type]string{
		schema.Int: "Integer", schema.Float: "Number", schema.Bool: "Boolean", schema.Attributes: "FieldValues",
	}
	writeTypes = map[schema.Type]string{
		schema.Int: "int64", schema.Bool: "bool", schema.List: "[]string", schema.Attributes: "FieldValues",
	}
)

// goField returns the JSON name of a field and its Go type, with omitempty and a comment where they belong to it.
func goField(f *schema.Field, use schema.Use) (name, typ string) {
	if use == schema.Read {
		name, _, isMember := strings.Cut(f.ReadName(), ".")
		typ := cmp.Or(readTypes[f.Type], "String")
		switch words := f.Enum; {
		case isMember:
			typ = "Person"
		case f.Values != nil:
			words = f.Values
			fallthrough
		case words != nil:
			typ += " // " + strings.Join(words, " or ")
		}
		return name, typ
	}
	mayLack := !f.Has(schema.Key)
	if use == schema.Create {
		f = f.ForCreate()
		mayLack = !f.Has(schema.Required)
	}
	typ = cmp.Or(writeTypes[f.Type], "string")
	name, _, isMember := strings.Cut(f.Name, ".")
	switch {
	case isMember:
		typ = "*Person"
	case mayLack && use == schema.Update && typ == "string":
		typ = "*string"
	}
	if mayLack {
		typ += ",omitempty"
	}
	return name, typ
}

// goName returns the Go name of a JSON name.
func goName(name string) string {
	initialisms := map[string]string{"id": "ID", "url": "URL", "cpc": "CPC", "gmb": "GMB", "ppc": "PPC", "gpid": "GPID", "nob": "NOB"}
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		if initials, ok := initialisms[word]; ok {
			b.WriteString(initials)
		} else {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}
