package bulk

import (
	"context"
	"time"

	"reseller/client/transport"
)

// Options say how rows are sent.
type Options struct {
	BatchSize      int                                              // the most rows of a call; 0 means 100
	Concurrency    int                                              // calls at the same time; 0 means 8
	Retries        int                                              // rounds in which rows are sent again
	OnInvalid      string                                           // Skip loads the valid rows; otherwise one invalid row stops the load
	ResendExisting bool                                             // send rows that the service holds already
	UpdateExisting bool                                             // converge rows that the service holds with other content
	ResendUnknown  bool                                             // send rows with an unknown outcome again, even if they can't be read back
	Rejects        string                                           // the path of the file for refused and invalid rows; the file is created if there are any
	Results        string                                           // the path of the file for loaded rows, with the fields that the service set; empty for none
	Progress       func(done, total int)                            // receives the number of rows that are done; called by one goroutine at a time; may be nil
	Note           func(text string)                                // receives notes for the user; may be nil
	Count          func() (requests, retries int)                   // returns the counts of the client; nil counts calls as requests
	Sleep          func(ctx context.Context, d time.Duration) error // waits; tests replace it
}

// withDefaults returns the options with defaults for what is not set, and with the
// operation's limit of the batch size.
func (o Options) withDefaults(op Operation) Options {
	if o.BatchSize <= 0 {
		o.BatchSize = defaultBatchSize
	}
	if op.MaxBatch > 0 {
		o.BatchSize = min(o.BatchSize, op.MaxBatch)
	}
	if o.Concurrency <= 0 {
		o.Concurrency = defaultConcurrency
	}
	if o.Sleep == nil {
		o.Sleep = transport.Sleep
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	return o
}

// Skip is the value of Options.OnInvalid that loads only the valid rows.
const Skip = "skip"

const (
	defaultBatchSize   = 100
	defaultConcurrency = 8
)
