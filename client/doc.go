// Package client is a typed library for the reseller service. It covers accounts in two versions, credentials, status
// changes, keywords and their budget estimate, campaigns and their notes, reports, the login, service plans and business
// profiles. "The contract" in these comments is the service's interface document; it mentions the login, plans and business
// profiles, but does not describe them.
//
// # Reads
//
// A call that reads one thing, such as Client.Account, returns a struct. A call that reads a list, such as Client.Accounts,
// returns structs one at a time, as they arrive. The structs embed Received, which holds the record (package record) with every
// field that the service sent, even if the struct has no such field. Dates
// are strings as the service sends them. The types Integer, Number, String and Boolean also accept values that the service
// sends as another JSON type, such as a number in a string.
//
// # Writes
//
// Requests take ids as int64 and dates as YYYY-MM-DD. The service has no idempotency keys: if OutcomeUnknown is true for the
// error of a write, the service may have carried the write out, and sending it again may carry it out twice. Package bulk
// loads any number of rows exactly once.
//
// # Other calls
//
// A Call is any operation of package schema with its parameters and body. Client.Do, Client.Record, Client.List and
// Client.Raw send calls.
//
// # Errors
//
// Every call may return one of these:
//
//   - *Error: the service refused the call. The statuses 401 and 403 are about the
//     token; the comment of each call lists the others. errors.Is tells its
//     kind: ErrUnauthorized, ErrNotFound, ErrNotOffered or ErrRefused.
//   - *NetworkError: there was no response, or the response broke off. errors.Is tells it
//     as ErrNoResponse, and as ErrTimeout if the call took longer than Options.Timeout.
//   - *UnreadableError: the response is not what the contract promises.
//   - *GuardError: the call was not sent. *TokenSourceError: neither, or it was answered with 401.
//   - *RedirectError: the service redirected the call, which was not followed.
//   - the cause of the context's end (context.Cause).
package client
