package config

import (
	"path/filepath"
	"runtime"
)

// Env is what the process gives. It is injected, so that nothing in this
// package reads the machine it happens to run on.
type Env struct {
	// Lookup finds an environment variable; an empty one counts as unset.
	Lookup func(string) (string, bool)
	// GOOS is the operating system; empty means the one of this program.
	GOOS string
}

func (e Env) get(name string) (string, bool) {
	if e.Lookup == nil {
		return "", false
	}
	text, ok := e.Lookup(name)
	return text, ok && text != ""
}

func (e Env) goos() string {
	if e.GOOS == "" {
		return runtime.GOOS
	}
	return e.GOOS
}

// path is the configuration file, or empty where the environment names no
// place for one (a service without HOME).
func (e Env) path() string {
	if path, ok := e.get("RESELLER_CONFIG"); ok {
		return path
	}
	// The XDG specification has relative paths ignored.
	if dir, ok := e.get("XDG_CONFIG_HOME"); ok && filepath.IsAbs(dir) {
		return filepath.Join(dir, "reseller", "config.yaml")
	}
	variable, below := "HOME", ".config"
	switch e.goos() {
	case "windows":
		variable, below = "AppData", ""
	case "darwin":
		below = filepath.Join("Library", "Application Support")
	}
	dir, ok := e.get(variable)
	if !ok {
		return ""
	}
	return filepath.Join(dir, below, "reseller", "config.yaml")
}
