package onboard

import (
	"strings"

	"reseller/client/schema"
)

// credentialsPrefix begins the names of the columns for a customer's credentials.
const credentialsPrefix = "credentials."

// customerResource returns the columns of a file of customers: an account, its
// credentials, the notes of its campaign, a plan and keywords.
func customerResource() *schema.Resource {
	fields := copyFields(&schema.AccountsV2, schema.Create, "")
	fields = append(fields, schema.Field{
		Name: "keywords", Type: schema.List, Use: schema.Create, Content: schema.KeywordText, Example: "city bikes;cargo bikes|interest",
		Help: "keywords separated by ;, each as text or text|type", ColumnSynonyms: schema.KeywordListSynonyms,
	})
	for _, f := range copyFields(&schema.Credentials, schema.Create, credentialsPrefix) {
		if f.Name != credentialsPrefix+"account_id" && f.Name != credentialsPrefix+"campaign_id" {
			fields = append(fields, asOptional(f))
		}
	}
	for _, f := range copyFields(&schema.Notes, schema.Update, "") {
		if f.Name != "campaign_id" {
			fields = append(fields, asOptional(f))
		}
	}
	for _, f := range copyFields(&schema.Plans, schema.Create, "") {
		if f.Name == "service_plan_id" {
			f.Example = "3"
		}
		if f.Name != "account_id" && f.Name != "campaign_id" {
			fields = append(fields, asOptional(f))
		}
	}
	return &schema.Resource{Name: "customer", Fields: fields}
}

// copyFields returns copies of the fields that have a use, with prefix before
// their names and synonyms.
func copyFields(r *schema.Resource, u schema.Use, prefix string) []schema.Field {
	var out []schema.Field
	for _, f := range r.Having(u) {
		field := *f
		field.Name, field.ColumnSynonyms = prefix+f.Name, nil
		for _, synonym := range f.ColumnSynonyms {
			field.ColumnSynonyms = append(field.ColumnSynonyms, prefix+synonym)
		}
		out = append(out, field)
	}
	return out
}

// asOptional returns the field as one that a customer may have.
func asOptional(f schema.Field) schema.Field {
	f.Use = schema.Create
	return f
}

// credentialValues returns the values of a customer's credentials, by the fields of
// schema.Credentials.
func credentialValues(customer schema.Values) schema.Values {
	out := schema.Values{}
	for name, value := range customer {
		if field, ok := strings.CutPrefix(name, credentialsPrefix); ok {
			out[field] = value
		}
	}
	return out
}

// CredentialsColumn returns the column for a field of schema.Credentials.
func CredentialsColumn(field string) string { return credentialsPrefix + field }
