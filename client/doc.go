// Package client is a typed library for the reseller service: accounts in two
// versions, credentials, status changes, keywords and their budget estimate,
// campaigns and their notes, reports, the login, and the plans and business
// profiles that the interface document (the contract) names without showing.
//
// # Reads
//
// A call for one thing, such as Client.Account, returns a struct. A call for a
// list, such as Client.Accounts, returns the records as the service sends them
// (package record), one at a time; Each decodes them into structs. The structs
// embed Received, which has the record: with every field that the service sent,
// also those that the struct does not have. Dates are strings as the service sends
// them, and numbers may come as strings.
//
// # Writes
//
// Requests take ids as int64 and dates as YYYY-MM-DD. The service has no
// idempotency keys: after an error for which OutcomeUnknown is true, a write may
// have been carried out, and sending it again may carry it out twice. Package bulk
// loads any number of rows exactly once.
//
// # Other calls
//
// A Call is any operation of package schema with its parameters and body.
// Client.Do, Client.Record, Client.List and Client.Raw send it.
//
// # Errors
//
// Every call may return one of these:
//
//   - *Error: the service refused the call. 401 and 403 are about the token;
//     the comment of each call says what else to expect. IsNotFound is true for 404.
//   - *NetworkError: there was no answer, or it stopped. ErrTimeout is inside it
//     when the time was up.
//   - *UnreadableError: the answer is not what the contract promises.
//   - *RedirectError, *GuardError, *TokenSourceError: the call was not sent.
//   - the cause of the context's end.
package client
