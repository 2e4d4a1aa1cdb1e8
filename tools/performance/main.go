//go:build linux

// Command performance has the tools of bench.sh: a service on loopback that
// answers at once, and a clock for whole processes.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
)

const usage = `usage: performance serve
       performance race ROUNDS COMMAND [ARGUMENT...]`

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
	}
	return errors.New(usage)
}
