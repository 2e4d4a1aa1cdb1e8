// Package bulk is the engine of bulk jobs: it sends the rows of a file in batches,
// each row exactly once, over an interface that may lose responses and has no
// idempotency keys.
//
// Before a batch is sent, the intent to send it is durable, and the outcome of each
// call is recorded (packages job and wal). Rows with an unknown outcome are reconciled:
// the service is read back, and only rows that are proven absent are sent again.
// Batches that are refused as a whole are bisected until each invalid row is refused
// alone.
//
// The engine knows nothing of the service: an Operation says how rows are sent and how
// the service is read back.
//
// To load a file, open it with rows.Open, call Validate on the source, take a job
// with Begin, and call Run. RunSteps is for rows that need several writes, DryRun
// shows what would be sent. Package loads has the operations of the reseller
// service, and Load.Run does all of this in one call.
package bulk
