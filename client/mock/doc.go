// Package mock is the reseller service with a database of its own: an [http.Handler] for tests, trials and CI. It keeps the rules
// of the interface document and shares no code with the client, so that a test against the mock finds the client's mistakes.
//
// A test calls [New], which serves a mock with a new database until the test ends, and other programs call [Start]. With [Open], a
// program serves the handler itself, gets tokens from [Service.Token], and calls [Service.Wait] before it removes the database. Records that one request creates are in
// the lists of the next request. Many services, in one process or in several, can share one database file.
//
// # Faults
//
// [Options] can delay responses, limit the rate of requests, and make requests fail that a [fault.Schedule] chooses. The package
// [reseller/client/mock/fault] describes the ways in which a request can fail.
//
// # How a request is answered
//
// The [fault.Middleware] reads the request and asks its schedule for a fault. Service.handle finds the route, verifies the token,
// and passes a call to the handler of the route. The handler reads the body, runs one transaction and returns a response. The
// middleware sends the response after the database has been closed.
//
// To add a list, describe its record in seed.go, and add its table to tables there, by listed, which makes its route. If faults
// shall hide records of the list, add its path to listIDs in fault/stale.go and the newest id to recordNewestIDs.
package mock
