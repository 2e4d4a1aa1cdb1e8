package meta

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
	"reseller/config"
)

// TestTopicsAreComplete finds every setting and exit code of the program in its help topics.
func TestTopicsAreComplete(t *testing.T) {
	texts := map[string]string{}
	for _, topic := range topics() {
		texts[topic.name] = topic.filled(&cobra.Command{})
	}
	text := texts["environment"]
	for _, key := range config.Keys {
		t.Run("environment/"+key.Name, func(t *testing.T) {
			for _, word := range []string{key.Name, key.Env(), key.Help, key.Default} {
				if !strings.Contains(text, word) {
					t.Errorf("got no %q in:\n%s", word, text)
				}
			}
		})
	}
	for code := cli.ExitOK; code <= cli.ExitChanges; code++ {
		t.Run(fmt.Sprint("exit-codes/", code), func(t *testing.T) {
			if text := texts["exit-codes"]; !strings.Contains(text, fmt.Sprintf("\n  %d ", code)) {
				t.Errorf("got no line of %d in:\n%s", code, text)
			}
		})
	}
	for name, text := range texts {
		t.Run("lines/"+name, func(t *testing.T) {
			if strings.Contains(text, "{{") {
				t.Errorf("got a name between braces that is not replaced in:\n%s", text)
			}
			for i, line := range strings.Split(text, "\n") {
				if len([]rune(line)) > 125 || strings.TrimRight(line, " ") != line {
					t.Errorf("line %d: got %q, want at most 125 characters and no space at the end", i+1, line)
				}
			}
		})
	}
}

func TestBuildVersion(t *testing.T) {
	built := func(version string) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}}
	}
	for name, c := range map[string]struct {
		set  string
		info *debug.BuildInfo
		want string
	}{
		"of the release build":         {"1.2.3", built("v1.2.4"), "1.2.3"},
		"of the build information":     {"", built("v1.2.4"), "1.2.4"},
		"of sources without a version": {"", built("(devel)"), "dev"},
		"of no information":            {"", nil, "dev"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := BuildVersion(c.set, c.info); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestSource(t *testing.T) {
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "4520a83b"}
	date := debug.BuildSetting{Key: "vcs.time", Value: "2026-11-22T19:04:17Z"}
	for name, c := range map[string]struct {
		settings         []debug.BuildSetting
		wantCommit, want string
	}{
		"a commit":            {[]debug.BuildSetting{commit, date, {Key: "vcs.modified", Value: "false"}}, "4520a83b", date.Value},
		"changed files":       {[]debug.BuildSetting{commit, date, {Key: "vcs.modified", Value: "true"}}, "4520a83b+dirty", date.Value},
		"outside of checkout": {[]debug.BuildSetting{{Key: "GOOS", Value: "linux"}}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			gotCommit, got := source(&debug.BuildInfo{Settings: c.settings})
			if gotCommit != c.wantCommit || got != c.want {
				t.Errorf("got %q, %q, want %q, %q", gotCommit, got, c.wantCommit, c.want)
			}
		})
	}
}
