package cli

import (
	"path/filepath"
	"runtime"
)

// CacheDir returns the folder for what this program may forget, empty if the environment names none.
func (s *Streams) CacheDir() string {
	return userFolder(runtime.GOOS, s.Env, "XDG_CACHE_HOME", ".cache")
}

// userFolder returns the user's folder for files of this program on an operating system: that
// in the folder of the variable, else in LocalAppData on Windows, else in the folder below the
// home folder. It is empty if the environment names none of them.
func userFolder(system string, env func(string) (string, bool), variable, below string) string {
	// By the XDG specification, relative paths are ignored.
	if dir, ok := env(variable); ok && filepath.IsAbs(dir) {
		return filepath.Join(dir, "reseller")
	}
	if system == "windows" {
		if dir, ok := env("LocalAppData"); ok && dir != "" {
			return filepath.Join(dir, "reseller")
		}
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if home, ok := env(name); ok && home != "" {
			return filepath.Join(home, below, "reseller")
		}
	}
	return ""
}
