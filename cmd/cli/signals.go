package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"reseller/client"
	"reseller/client/crash"
	"reseller/cmd/form"
)

const signalDebounce = 200 * time.Millisecond

// Signals returns a context that the first interrupt cancels, so that the command can
// clean up: it waits for the writes in progress, and tells its outcome. The second interrupt
// ends these too, so that the outcome is told before the CI system kills the process, which
// interrupts it first and terminates it some seconds later. The third one calls exit. SIGQUIT
// shows what all goroutines are doing and calls exit at once.
func Signals(exit func(code int)) context.Context {
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGQUIT)
	go func() {
		defer crash.Recover()
		signaled := Interrupted{Signal: <-quit}
		form.Restore()
		showStacks()
		exit(signaled.ProcessExitCode())
	}()
	abort, giveUp := context.WithCancel(context.Background())
	ctx, cancel := context.WithCancelCause(client.WithAbort(context.Background(), abort))
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		defer crash.Recover()
		first := <-signals
		cancel(Interrupted{Signal: first})
		last := nextSignal(signals, first)
		giveUp()
		nextSignal(signals, last)
		exit(Interrupted{Signal: first}.ProcessExitCode())
	}()
	// Without this, writing to a closed pipe would kill the process. With it, the write
	// returns an error.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return ctx
}

// nextSignal waits for the signal that follows the last one. A program such as timeout signals the
// process and then its process group: the same signal twice within a moment counts as one.
func nextSignal(signals <-chan os.Signal, last os.Signal) os.Signal {
	for started := time.Now(); ; {
		if next := <-signals; next != last || time.Since(started) >= signalDebounce {
			return next
		}
	}
}
