package output

import (
	"cmp"
	"context"
	"fmt"
	"runtime/metrics"
	"time"

	"reseller/client/crash"
)

// The bounds of the memory that jq programs use. The values of a response may take many
// times the room of its text: 32 MB of zeros in an array are 16 million values.
var (
	maxJQInput   int64 = 128 << 20             // bytes of the values of an input
	maxJQList    int64 = 1 << 30               // the same of a list, for which a program may take 4 bytes for each byte of text
	maxJQGrowth  int64 = 128 << 20             // bytes that a program may take beside its input
	watchMemoryT       = 10 * time.Millisecond // how often the memory is looked at
)

// bounded runs a program until it ends, its context ends, or the memory that is in use has
// grown too much. Nothing can end a single call of the program, such as that of tojson, which
// may take any time and memory. It is left alone, since the process is about to end.
func (q *query) bounded(ctx context.Context, program func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	_, before := memoryInUse()
	ended := make(chan error, 1)
	go func() {
		q.turn.Lock()
		defer q.turn.Unlock()
		defer crash.Recover()
		ended <- program(ctx)
	}()
	ticker := time.NewTicker(watchMemoryT)
	defer ticker.Stop()
	for {
		select {
		case err := <-ended:
			if ctx.Err() == nil {
				return err
			}
		case <-ctx.Done():
			q.turn.Lock()
			defer q.turn.Unlock()
			return cmp.Or(q.out.flush(), context.Cause(ctx))
		case <-ticker.C:
			limit := max(maxJQInput, min(4*q.text.Load(), maxJQList)) + maxJQGrowth
			if live, used := memoryInUse(); live > before+limit || used > before+limit+maxJQGrowth {
				cancel(fmt.Errorf("jq: the program and its input take more than %d MB of memory; one that begins with .[] takes one record at a time", limit>>20))
			}
		}
	}
}

// compute does work that may take any time and memory, and returns the cause if the context ended
// meanwhile: then the program may do nothing more.
func (q *query) compute(ctx context.Context, work func()) error {
	q.turn.Unlock()
	work()
	q.turn.Lock()
	return context.Cause(ctx)
}

// memoryInUse returns the bytes of all values that the last collection of garbage found to be in use, and of all with their
// garbage and of the stacks. It does not wait for the goroutines, of which one may be copying a gigabyte.
func memoryInUse() (live, used int64) {
	m := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(m)
	return int64(m[0].Value.Uint64()), int64(m[1].Value.Uint64() + m[2].Value.Uint64())
}
