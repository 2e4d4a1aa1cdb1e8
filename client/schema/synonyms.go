package schema

// The synonyms of fields that several resources have, or that are declared in two versions.
var (
	accountNameSynonyms     = []string{"company", "company name", "business", "business name", "customer", "customer name", "client", "client name"}
	firstNameSynonyms       = []string{"given name", "contact first", "contact first name"}
	lastNameSynonyms        = []string{"surname", "family name", "contact last", "contact last name"}
	emailSynonyms           = []string{"mail", "email address"}
	phoneSynonyms           = []string{"telephone", "tel", "mobile"}
	address1Synonyms        = []string{"address line 1", "street", "address", "street address"}
	address2Synonyms        = []string{"address line 2", "suite", "unit"}
	citySynonyms            = []string{"town"}
	stateSynonyms           = []string{"province", "region", "county", "state region", "state province"}
	postalSynonyms          = []string{"zip code", "postcode", "postal code"}
	countrySynonyms         = []string{"country region"}
	websiteSynonyms         = []string{"website", "site", "url", "web", "domain", "homepage"}
	externalAccountSynonyms = []string{"crm id", "customer id", "customer no", "customer number", "client id", "client no", "client number", "external id", "reference", "record id"}
)

// KeywordListSynonyms are what people call a column with several keywords in each cell.
var KeywordListSynonyms = []string{"keyword", "search term", "search terms", "search phrase", "search phrases", "query", "queries"}
