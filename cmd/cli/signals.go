package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"reseller/client/crash"
)

const signalDebounce = 200 * time.Millisecond

// Signals returns a context that the first interrupt cancels, so that the command can
// clean up. The second interrupt calls exit. SIGQUIT shows what all goroutines are doing
// and calls exit at once.
func Signals(exit func(code int)) context.Context {
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGQUIT)
	go func() {
		defer crash.Recover()
		signaled := Interrupted{Signal: <-quit}
		showStacks()
		exit(signaled.ProcessExitCode())
	}()
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		defer crash.Recover()
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
