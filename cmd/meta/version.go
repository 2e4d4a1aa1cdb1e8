package meta

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
	"reseller/output"
	"reseller/output/encode"
)

// BuildVersion returns the version of this program: that which the release build has set,
// or that of the build information.
func BuildVersion(set string, info *debug.BuildInfo) string {
	if set != "" {
		return set
	}
	if info != nil && info.Main.Version != "(devel)" {
		set = strings.TrimPrefix(info.Main.Version, "v")
	}
	return cmp.Or(set, "dev")
}

// source returns the commit that this program was built from, and its time; both are empty
// if it was not built in a checkout. "+dirty" says that files differed from the commit.
func source(info *debug.BuildInfo) (commit, date string) {
	settings := map[string]string{}
	if info != nil {
		for _, setting := range info.Settings {
			settings[setting.Key] = setting.Value
		}
	}
	if commit = settings["vcs.revision"]; commit == "" {
		return "", ""
	}
	if settings["vcs.modified"] == "true" {
		commit += "+dirty"
	}
	return commit, settings["vcs.time"]
}

type build struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	Commit  string `json:"commit"`
	Date    string `json:"date"`
}

func Version(f *cli.Frame) *cobra.Command {
	return f.SetPrinted(&cobra.Command{
		Use:   "version",
		Short: "Show the version of this program",
		Long: "Show the version of this program, and the commit and date that it was built from. Formats other than table\n" +
			"include the Go version, operating system and architecture that it was built for.",
		Example: `reseller version
reseller version -o json
reseller version --jq .version`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return WriteVersion(c.Context(), f.Session, f.Output) },
	}, build{})
}

// WriteVersion prints the version. It takes the format from the flag or the variable only, since it must not read
// the configuration file.
func WriteVersion(ctx context.Context, session *cli.Session, to *cli.Output) error {
	format, err := session.Flags.Format()
	if format == "" && err == nil {
		format, err = output.ParseFormat(session.Var("RESELLER_OUTPUT"))
	}
	if err != nil {
		return err
	}
	info, _ := debug.ReadBuildInfo()
	commit, date := source(info)
	if format == encode.Table {
		line := "reseller " + session.Version
		if commit != "" {
			line += fmt.Sprintf(" (%s, %.10s)", commit, date)
		}
		return to.Line(line)
	}
	rec := cli.RecordOf(build{session.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH, commit, date})
	session.Flags.Output = string(format)
	return to.PrintRecords(ctx, "", true, []string{"version", "go", "os", "arch", "commit", "date"}, rec)
}
