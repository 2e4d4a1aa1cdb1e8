package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"reseller/client"
	"reseller/client/crash"
	"reseller/cmd/form"
)

// signalDebounce is the time within which the same signal twice counts as one.
const signalDebounce = 200 * time.Millisecond

// Signals returns a context that the first interrupt cancels, so that the command can
// clean up: it waits for the writes in progress, and tells its outcome. The second interrupt
// ends these too, so that the outcome is told before the CI system kills the process, which
// interrupts it first and terminates it some seconds later. The third one calls exit. SIGQUIT
// shows what all goroutines are doing and calls exit at once. Until something asks for the end
// of the context, there is nothing to clean up, and a signal ends the process.
func Signals(exit func(code int)) context.Context {
	// Without this, writing to a closed pipe would kill the process. With it, the write
	// returns an error.
	signal.Ignore(syscall.SIGPIPE)
	abort, giveUp := context.WithCancel(context.Background())
	ctx, cancel := context.WithCancelCause(client.WithAbort(context.Background(), abort))
	return &signalContext{ctx, sync.OnceFunc(func() {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // as before, but programs that the command starts don't ignore it too
		signals := make(chan os.Signal, 4)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT)
		if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
			signal.Notify(signals, syscall.SIGHUP)
		}
		go func() {
			defer crash.Recover()
			var first, last os.Signal
			var since time.Time // when last came
			for next := range signals {
				switch {
				case next == syscall.SIGQUIT:
					form.Restore()
					showStacks()
					exit(Interrupted{Signal: next}.ProcessExitCode())
				case first == nil:
					first = next
					cancel(Interrupted{Signal: first})
				case next == last && time.Since(since) < signalDebounce: // a program such as timeout signals the process and then its group
					continue
				case abort.Err() == nil:
					giveUp()
				default:
					exit(Interrupted{Signal: first}.ProcessExitCode())
				}
				last, since = next, time.Now()
			}
		}()
	})}
}

// A signalContext watches for signals from the first time that something may wait for it, or asks whether it has ended. A tenth
// of the time of a short command would go into the threads for that.
type signalContext struct {
	context.Context
	watch func()
}

func (c *signalContext) Done() <-chan struct{} {
	c.watch()
	return c.Context.Done()
}

func (c *signalContext) Err() error {
	c.watch()
	return c.Context.Err()
}
