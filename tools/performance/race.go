//go:build linux

package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A result is the cost of one run of a command, with the child processes that it
// waited for.
type result struct {
	wall, cpu time.Duration
	peak      int64 // KiB of its largest process
}

// race runs the commands in turn, so that other work of the machine slows all of
// them down alike. For each it prints the medians: wall and CPU time in
// milliseconds, peak memory in KiB. The output of the commands is discarded.
func race(ctx context.Context, out io.Writer, rounds int, commands []string) error {
	results := make([][]result, len(commands))
	for round := range rounds + 1 {
		for i, command := range commands {
			r, err := runOnce(ctx, command)
			if err != nil {
				return err
			}
			if round > 0 { // the first round fills the caches
				results[i] = append(results[i], r)
			}
		}
	}
	for _, runs := range results {
		fmt.Fprintf(out, "%.3f %.3f %d\n", milliseconds(runs, func(r result) time.Duration { return r.wall }),
			milliseconds(runs, func(r result) time.Duration { return r.cpu }),
			median(runs, func(r result) int64 { return r.peak }))
	}
	return nil
}

// runOnce runs a command, in a shell only if the command needs one.
func runOnce(ctx context.Context, command string) (result, error) {
	words := strings.Fields(command)
	if strings.ContainsAny(command, `|<>'"$;&`) {
		words = []string{"sh", "-c", command}
	}
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	devNull, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return result{}, err
	}
	defer func() { _ = devNull.Close() }()
	var stderr bytes.Buffer
	c.Stdout, c.Stderr = devNull, &stderr
	start := time.Now()
	if err := c.Run(); err != nil {
		return result{}, fmt.Errorf("%s: %w: %s", command, err, stderr.String())
	}
	return resultOf(c.ProcessState, time.Since(start)), nil
}

// resultOf returns what a process has cost that ran for a time.
func resultOf(state *os.ProcessState, wall time.Duration) result {
	kilobytes := int64(state.SysUsage().(*syscall.Rusage).Maxrss) //nolint:unconvert // an int32 on 32-bit machines
	return result{wall, state.UserTime() + state.SystemTime(), kilobytes}
}

func milliseconds(runs []result, of func(result) time.Duration) float64 {
	return float64(median(runs, of).Microseconds()) / 1000
}

func median[T cmp.Ordered](runs []result, of func(result) T) T {
	values := make([]T, len(runs))
	for i, r := range runs {
		values[i] = of(r)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
