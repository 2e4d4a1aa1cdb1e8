// Package schema describes the service's interface (the contract) as data: the
// fields of each resource, the operations, how the text of a flag or cell becomes
// a JSON value and is validated, the JSON body of a write, and the contract itself
// as an OpenAPI document. It makes no calls.
//
// Each resource of the contract ("Resources and their fields") is a variable, such
// as AccountsV2 or Keywords. Its fields stand in the order of the record that reads
// show; those that are only written follow where the body of a create has them.
// Each operation of the contract ("Endpoints") is a variable too, such as
// OpKeywordsCreate.
package schema
