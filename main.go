// Command reseller is the command line of a search-marketing reseller service.
package main

import (
	"os"
	"runtime/debug"

	"reseller/cmd"
	"reseller/cmd/cli"
	"reseller/cmd/meta"
)

// version is set by the release build.
var version string

func main() {
	growStack(0)
	info, _ := debug.ReadBuildInfo()
	os.Exit(cmd.Main(cli.Signals(os.Exit), os.Args[1:], cli.Process(), meta.BuildVersion(version, info)))
}

// growStack makes room on the stack for what most commands need. Whenever a stack grows, the runtime reads the tables of all
// functions that are on it, which are few yet.
//
//go:noinline
func growStack(n int) {
	if n > 0 {
		var room [20 << 10]byte
		_ = append(room[:0], version...)
	}
}
