package schema

// The synonyms of fields that several resources have, or that are declared in two versions.
var (
	accountNameSynonyms     = []string{"company", "company name", "business", "business name", "customer", "customer name", "client", "client name"}
	phoneSynonyms           = []string{"telephone", "tel", "mobile"}
	postalSynonyms          = []string{"zip code", "postcode", "postal code"}
	websiteSynonyms         = []string{"website", "site", "url", "web", "domain", "homepage"}
	externalAccountSynonyms = []string{"crm id", "customer id", "customer no", "customer number", "client id", "client no", "client number", "external id", "reference", "record id"}
)

// KeywordListSynonyms are names that people give a column with several keywords in each cell.
var KeywordListSynonyms = []string{"keyword", "search term", "search terms", "search phrase", "search phrases", "query", "queries"}
