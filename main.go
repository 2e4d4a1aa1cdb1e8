// Command reseller is the command line of a search-marketing reseller service.
package main

import (
	"os"
	"runtime/debug"

	"reseller/cmd"
	"reseller/cmd/cli"
	"reseller/cmd/meta"
	_ "reseller/cmd/stack"
)

// version is set by the release build.
var version string

func main() {
	info, _ := debug.ReadBuildInfo()
	os.Exit(cmd.Main(cli.Signals(os.Exit), os.Args[1:], cli.Process(), meta.BuildVersion(version, info)))
}
