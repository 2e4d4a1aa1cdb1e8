//go:build linux

// Command performance has the tools of bench.sh: a service on loopback that
// answers at once, a clock for whole processes, a bulk job that only reads and
// sends, and a load of a service that fails.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
)

const usage = `usage: performance serve
       performance race ROUNDS COMMAND...
       performance load FILE URL
       performance endure ROWS CAMPAIGNS PROGRAM`

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 1 && args[0] == "serve":
		return serve(ctx, os.Stdout)
	case len(args) > 2 && args[0] == "race":
		rounds, err := strconv.Atoi(args[1])
		if err != nil || rounds < 1 {
			return fmt.Errorf("%q is no number of rounds", args[1])
		}
		return race(ctx, os.Stdout, rounds, args[2:])
	case len(args) == 3 && args[0] == "load":
		return load(ctx, args[1], args[2])
	case len(args) == 4 && args[0] == "endure":
		rows, rowsErr := strconv.Atoi(args[1])
		campaigns, campaignsErr := strconv.Atoi(args[2])
		if err := errors.Join(rowsErr, campaignsErr); err != nil {
			return err
		}
		return endure(ctx, os.Stdout, rows, campaigns, args[3])
	}
	return errors.New(usage)
}
