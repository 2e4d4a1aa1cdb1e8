package cli

import (
	"path/filepath"
	"testing"

	"reseller/config"
)

func TestUserFolder(t *testing.T) {
	for name, c := range map[string]struct {
		system string
		env    map[string]string
		want   string
	}{
		"variable":                  {"linux", map[string]string{"XDG_STATE_HOME": "/x", "HOME": "/h"}, "/x/reseller"},
		"variable on Windows":       {"windows", map[string]string{"XDG_STATE_HOME": "/x", "LocalAppData": "/l"}, "/x/reseller"},
		"relative variable":         {"linux", map[string]string{"XDG_STATE_HOME": "x", "HOME": "/h"}, "/h/.local/state/reseller"},
		"home":                      {"darwin", map[string]string{"HOME": "/h", "LocalAppData": "/l"}, "/h/.local/state/reseller"},
		"LocalAppData on Windows":   {"windows", map[string]string{"LocalAppData": "/l", "HOME": "/h", "USERPROFILE": "/u"}, "/l/reseller"},
		"Windows without it":        {"windows", map[string]string{"USERPROFILE": "/u"}, "/u/.local/state/reseller"},
		"empty variables":           {"linux", map[string]string{"XDG_STATE_HOME": "", "HOME": "/h"}, "/h/.local/state/reseller"},
		"an environment of nothing": {"linux", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			env := func(name string) (string, bool) { text, ok := c.env[name]; return text, ok }
			if got := filepath.ToSlash(config.Env{GOOS: c.system, Lookup: env}.Folder("XDG_STATE_HOME", "LocalAppData", ".local/state")); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
