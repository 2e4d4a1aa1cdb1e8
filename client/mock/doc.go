// Package mock is the reseller service on a database of its own: an [http.Handler] for
// tests, trials and CI. It keeps the rules of the interface document and shares no code
// with the client, so that a mistake of the client shows instead of being made twice.
//
// A program serves it in its own process with [New] and [net/http/httptest.NewServer],
// and takes a token from [Service.Token]. What one request creates the next one lists;
// many services, in one process or in several, can share one database file.
//
// # Faults
//
// [Options] can delay responses, limit the rate of requests, and let requests fail: a
// share of them (FailRate), or those that a [fault.Schedule] chooses, in the ways that
// the package [reseller/client/mock/fault] describes.
//
// # How a request is answered
//
// The [fault.Middleware] reads the request and asks its schedule for a fault. Service.handle
// finds the route, verifies the token and calls the handler of the route with a call.
// The handler reads the body, runs one transaction and returns a response, which the
// middleware sends when the database is closed again.
//
//	service.go     options, and the path of a request
//	routes.go      all operations, as data
//	router.go      which operation a request is for
//	call.go        what a handler is given
//	auth.go        tokens and the login
//	accounts.go …  one file a resource: its record, its table, its handlers
//	seed.go        the tables and records of a new database
//	api            requests, responses, errors, bodies
//	database       the file, its transactions and its tables
//	synthetic      data without records: ranks, reports, estimates
//	fault          what goes wrong on purpose
//
// To add a list: describe the record and its table in a file of its own, create the
// table in createTables, and add a route with listAll to routes. For the faults that
// hide records, add its path in fault/stale.go and its ids in recordNewestIDs.
package mock
