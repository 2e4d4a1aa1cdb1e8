package customers

import (
	"slices"

	"reseller/client/portfolio"
	"reseller/client/schema"
)

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
		f.Name, f.Use, f.ColumnSynonyms = portfolio.CredentialsColumn(f.Name), schema.Create, slices.Clone(f.ColumnSynonyms)
		for j := range f.ColumnSynonyms {
			f.ColumnSynonyms[j] = portfolio.CredentialsColumn(f.ColumnSynonyms[j])
		}
	}
	return fields
}
