// Command reseller is the command line of a search-marketing reseller service.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"reseller/cmd"
	"reseller/cmd/cli"
)

// version is set by the release build.
var version = "dev"

func main() { os.Exit(run()) }

// run hands streams, arguments and signals in and the exit code out. The first
// signal asks the command to end in good order, the second ends it.
func run() int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		first := cli.Interrupted{Signal: <-signals}
		cancel(first)
		<-signals
		os.Exit(first.ExitCode())
	}()
	// A reader that goes away shows as an error of the write, not as a death.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return cmd.Main(ctx, os.Args[1:], cli.Process(), version)
}
