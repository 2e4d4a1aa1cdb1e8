package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

const signalDebounce = 200 * time.Millisecond

// Signals returns a context that the first interrupt cancels, so that the command can
// clean up. The second interrupt calls exit.
func Signals(exit func(code int)) context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		first := Interrupted{Signal: <-signals}
		cancel(first)
		// A program such as timeout signals the process and then its process group. Both
		// within a moment count as one interrupt.
		for started := time.Now(); time.Since(started) < signalDebounce; {
			<-signals
		}
		exit(first.ProcessExitCode())
	}()
	// Without this, writing to a closed pipe would kill the process. With it, the write
	// returns an error.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return ctx
}
