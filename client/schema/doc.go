// Package schema describes the service's interface (the contract) as data. It holds the fields of each resource, the operations,
// and the contract itself as an OpenAPI document. It converts the text of a flag or a cell to a validated JSON value, and values
// to the JSON body of a write. It makes no calls.
//
// Each resource of the contract ("Resources and their fields") is a variable, such as AccountsV2 or Keywords. Its fields are in
// the order of the records that reads return; fields that only writes have are placed as in the body of a create. Each operation
// of the contract ("Endpoints") is a variable, too, such as OpKeywordsCreate.
//
//go:generate go test . -run TestTypesAreGenerated -update
package schema
