// Package bulk is the engine of bulk jobs: it sends the rows of a file in batches,
// each row exactly once, over an interface that may lose responses and has no
// idempotency keys.
//
// Before it sends a batch, the engine makes the intent to send it durable, and afterwards
// it records the outcome (packages job and wal). It reconciles rows with an unknown
// outcome: it reads the service back, and sends only those rows again that are proven
// absent. It bisects batches that the service refuses as a whole, until each invalid row
// is refused alone.
//
// The engine does not know the service: an Operation sends the rows and reads the service
// back.
//
// To load a file, open it with rows.Open, call Validate on the source, take a job
// with Begin, and call Run with Rows of the operation, or with the steps of rows that need
// several writes. DryRun shows what Run would send. Package loads has the
// operations of the reseller service, and Load.Run does all of this in one call.
package bulk
