package schema

import "net/http"

var keywordTypes = []string{"target", "interest"}

// keywordStatusWords are further words for the statuses of keywords: those for accounts, and what became of a keyword.
var keywordStatusWords = map[string]string{"active": "activate", "activated": "activate", "deactivated": "deactivate"}

// Keywords are the keywords of campaigns (contract: Keyword). Their type is keyword_type in writes and type in reads.
var Keywords = Resource{Name: "keyword", Fields: []Field{
	{Name: "rank_id", Type: Int, Use: Read | DefaultColumn | Update | Key | RecordID, Help: "id of the keyword record", Example: "1001"},
	{Name: "account_id", Type: Int, Use: Read | DefaultColumn | Create | Required | Constant | Identity, Help: "id of the account", Example: "1"},
	{Name: "campaign_id", Type: Int, Use: Read | DefaultColumn | Create | Required | Constant | Identity, Help: "id of the campaign", Example: "101"},
	{Name: "keyword", Use: Read | DefaultColumn | Create | Required | TextLine | Title | Identity, Content: KeywordText, Help: "text of the keyword", Example: "red shoes", ColumnSynonyms: []string{"search term", "search phrase", "query"}},
	{Name: "keyword_type", ReadAs: "type", Type: Choice, Use: Read | DefaultColumn | Create | Required | Update | Key | Constant, Help: "type of the keyword", Enum: keywordTypes, Example: "target"},
	{Name: "status", Type: Choice, Use: Read | DefaultColumn | Update | Key | Constant, Help: "status of the keyword", Enum: []string{"activate", "deactivate"}, Values: []string{"1", "0"}, Synonyms: map[string]string{"true": "activate", "false": "deactivate"}, ReadWords: keywordStatusWords, Example: "activate"},
	{Name: "rank_google_organic", Type: Int, Use: Read | DefaultColumn, Shown: unranked, Help: "rank among the organic results; 999 if it does not rank"},
	{Name: "rank_google_map", Type: Int, Use: Read | DefaultColumn, Shown: unranked, Help: "rank on the map; 999 if it does not rank"},
}}

// KeywordsCreated is the response to adding keywords: one object for all of them.
var KeywordsCreated = Resource{Name: "keyword", Fields: []Field{
	{Name: "account_id", Type: Int, Use: Read | DefaultColumn},
	{Name: "campaign_id", Type: Int, Use: Read | DefaultColumn},
	{Name: "keyword", Use: Read | DefaultColumn},
	{Name: "keyword_type", Use: Read | DefaultColumn, Aliases: []string{"type"}},
}}

// KeywordsDelete are the keywords to delete, by their ids. The other fields are read-only,
// so that a list of keywords can be the file.
var KeywordsDelete = readOnlyKeywords()

func readOnlyKeywords() Resource {
	res := Keywords.For(Read)
	for i := range res.Fields {
		res.Fields[i].Use &= Read | DefaultColumn | Title | RecordID
	}
	res.Field("rank_id").Use |= Create | Required | Key | Identity
	return *res
}

// KeywordsUpdated are the results of each keyword in the response to an update or a delete.
var KeywordsUpdated = Resource{Name: "keyword", Fields: []Field{
	{Name: "rank_id", Type: Int, Use: Read | DefaultColumn | RecordID},
	{Name: "status_code", Type: Int, Use: Read | DefaultColumn},
	{Name: "status_message", Use: Read | DefaultColumn},
}}

const pathKeywords = "/api/v1/keywords"

var (
	OpKeywordsCreate = Operation{"keywords.create", "add keywords", http.MethodPost, pathKeywords, ShapeObject, &KeywordsCreated, false}
	OpKeywordsUpdate = Operation{"keywords.update", "update keywords", http.MethodPut, pathKeywords, ShapeList, &KeywordsUpdated, false}
	OpKeywordsDelete = Operation{"keywords.delete", "delete keywords", http.MethodDelete, pathKeywords, ShapeList, &KeywordsUpdated, false}
	OpKeywordsList   = Operation{"keywords.list", "list keywords", http.MethodGet, pathKeywords, ShapeList, &Keywords, false}
	OpKeywordsGet    = Operation{"keywords.get", "get keyword", http.MethodGet, pathKeywords + "/{rank_id}", ShapeObject, &Keywords, false}
)

// IsBatch reports whether the body of an operation has many keywords. None of their fields is a secret, so the bodies need
// not be searched for secrets. What the one object that is created in answer shows of them is left open.
func (o *Operation) IsBatch() bool {
	return o == &OpKeywordsCreate || o == &OpKeywordsUpdate || o == &OpKeywordsDelete
}
