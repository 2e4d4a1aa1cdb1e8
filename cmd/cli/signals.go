package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

const signalDebounce = 200 * time.Millisecond

// Signals returns a context that the first interrupt ends, so that a command
// stops in good order. The second one ends the program by exit, at once.
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
		// One that asks twice in a moment, as timeout asks the process and then
		// its group, asks once.
		for begun := time.Now(); time.Since(begun) < signalDebounce; {
			<-signals
		}
		exit(first.ExitCode())
	}()
	// A reader that goes away shows as an error of the write, not as a death.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return ctx
}
