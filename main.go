// Command reseller is the command line of a search-marketing reseller service.
package main

import (
	"os"

	"reseller/cmd"
	"reseller/cmd/cli"
)

// version is set by the release build.
var version = "dev"

func main() {
	os.Exit(cmd.Main(cli.Signals(os.Exit), os.Args[1:], cli.Process(), version))
}
