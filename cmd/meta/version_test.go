package meta

import (
	"runtime/debug"
	"testing"
)

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
