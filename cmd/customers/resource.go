package customers

import (
	"slices"
	"strings"

	"reseller/client/portfolio"
	"reseller/client/schema"
)

// credentialsPrefix begins the names of the columns for a customer's credentials.
const credentialsPrefix = "credentials."

// customerResource returns the columns of a file of customers: an account, its
// credentials, the notes of its campaign, a plan and keywords.
func customerResource() *schema.Resource {
	res := portfolio.New().Resource().For(schema.Create)
	behind := slices.IndexFunc(res.Fields, func(f schema.Field) bool { return f.Name == portfolio.FieldKeywords }) + 1
	res.Fields = slices.Insert(res.Fields, behind, credentialFields()...)
	return res
}

// credentialFields returns the columns of a customer's credentials.
func credentialFields() []schema.Field {
	fields := schema.Credentials.For(schema.Create).Without("account_id", "campaign_id").Fields
	for i := range fields {
		f := &fields[i]
		f.Name, f.Use, f.ColumnSynonyms = CredentialsColumn(f.Name), schema.Create, slices.Clone(f.ColumnSynonyms)
		for j := range f.ColumnSynonyms {
			f.ColumnSynonyms[j] = credentialsPrefix + f.ColumnSynonyms[j]
		}
	}
	return fields
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
