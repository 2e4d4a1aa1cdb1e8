package output

import (
	"context"
	"fmt"
	"runtime/metrics"
	"time"

	"reseller/client/crash"
)

// The bounds of what jq programs hold in memory. The values of a response may take many
// times the room of its text: 32 MB of zeros in an array are 16 million values.
const (
	maxJQInput   = 128 << 20             // bytes of the values of an input
	maxJQList    = 1 << 30               // the same of a list, for which a program may take 4 bytes for each byte of text
	maxJQGrowth  = 128 << 20             // bytes by which a program may raise the memory of the process
	watchMemoryT = 10 * time.Millisecond // how often the memory is looked at
)

func newJQDecoder() jqDecoder { return jqDecoder{limit: maxJQInput} }

// A jqInputError says that the input of a jq program takes too much memory.
type jqInputError struct{ list bool }

func (e *jqInputError) Error() string {
	return fmt.Sprintf("the input of the jq program takes more than %d MB of memory", maxJQInput>>20)
}

// Advice implements the interface of errors with a hint.
func (e *jqInputError) Advice() string {
	if e.list {
		return "a program that begins with .[] takes one record at a time"
	}
	return "without --jq, the output is not held in memory"
}

// watchMemory returns a context that ends, with an error as its cause, when the memory
// that is in use has grown by more than maxJQGrowth. Nothing else can bound what a
// program such as [range(1e9)] makes.
func watchMemory(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		limit := max(live[0].Value.Uint64(), maxJQInput) + maxJQGrowth
		ticker := time.NewTicker(watchMemoryT)
		defer ticker.Stop()
		defer crash.Recover()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			if metrics.Read(live); live[0].Value.Uint64() > limit {
				cancel(fmt.Errorf("jq: the program takes more than %d MB of memory", maxJQGrowth>>20))
				return
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}
