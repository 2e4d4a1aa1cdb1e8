package schema

import "strings"

// credentialsPrefix stands before the fields of a customer's credentials.
const credentialsPrefix = "credentials."

// Customers are what it takes to have a customer: an account, credentials,
// the campaign's notes, a plan and keywords. One command alone needs them, so
// they are made when that is called.
func Customers() *Resource {
	fields := copyFields(&AccountsV2, Create, "")
	fields = append(fields, Field{
		Name: "keywords", Type: List, Use: Create, Example: "city bikes;cargo bikes|interest",
		Help: "texts searched for, set apart by ; where text|interest sets the type",
	})
	for _, f := range copyFields(&Credentials, Create, credentialsPrefix) {
		if f.Name != credentialsPrefix+"account_id" && f.Name != credentialsPrefix+"campaign_id" {
			fields = append(fields, asOptional(f))
		}
	}
	for _, f := range copyFields(&Notes, Update, "") {
		if f.Name != "campaign_id" {
			fields = append(fields, asOptional(f))
		}
	}
	for _, f := range copyFields(&Plans, Create, "") {
		if f.Name == "service_plan_id" {
			f.Example = "3"
		}
		if f.Name != "account_id" && f.Name != "campaign_id" {
			fields = append(fields, asOptional(f))
		}
	}
	return &Resource{Name: "customer", Fields: fields}
}

// copyFields are copies of the fields that have a use, their names behind prefix.
func copyFields(r *Resource, u Use, prefix string) []Field {
	var out []Field
	for _, f := range r.Having(u) {
		field := *f
		field.Name = prefix + f.Name
		out = append(out, field)
	}
	return out
}

// asOptional is a field that a customer may have.
func asOptional(f Field) Field {
	f.Use = Create
	return f
}

// Credentials are the values of a customer's credentials, by the fields of
// Credentials.
func (v Values) Credentials() Values {
	out := Values{}
	for name, value := range v {
		if field, ok := strings.CutPrefix(name, credentialsPrefix); ok {
			out[field] = value
		}
	}
	return out
}

// InCredentials is the name that a field of Credentials has in Customers.
func InCredentials(field string) string { return credentialsPrefix + field }
