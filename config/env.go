package config

import (
	"cmp"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"reseller/client/nearest"
)

// Env is the environment of the process, which is injected: nothing in this package reads the real one.
type Env struct {
	// Lookup returns a variable. An empty one counts as unset.
	Lookup func(string) (string, bool)
	// GOOS is the operating system, runtime.GOOS if empty.
	GOOS string
}

// Misspelt returns which of some variables are probably meant as ours, each with the one that is meant. Others are
// those of the program that are no settings.
func Misspelt(environ, others []string) (pairs [][2]string) {
	const prefix = "RESELLER_"
	names := append([]string{"CONFIG", "PROFILE", "TOKEN", "TOKEN_HOST", "USERNAME", "PASSWORD"}, others...)
	for _, key := range Keys {
		names = append(names, strings.TrimPrefix(key.Env(), prefix))
	}
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		word, ours := strings.CutPrefix(name, prefix)
		if !ours || slices.Contains(names, word) {
			continue
		}
		if near := nearest.Name(word, names); near != "" && nearest.Distance(word, near) <= 2 { // and no part of a name
			pairs = append(pairs, [2]string{name, prefix + near})
		}
	}
	return pairs
}

// Get returns a variable, empty if it is not set.
func (e Env) Get(name string) string {
	if e.Lookup != nil {
		if text, ok := e.Lookup(name); ok {
			return text
		}
	}
	return ""
}

func (e Env) goos() string { return cmp.Or(e.GOOS, runtime.GOOS) }

// home returns the user's home folder, empty if the environment names none.
func (e Env) home() string { return e.Get("HOME") }

// path returns the path of the configuration file, empty if the environment names no place for one.
func (e Env) path() string {
	if path := e.Get("RESELLER_CONFIG"); path != "" {
		return path
	}
	below := ".config"
	if e.goos() == "darwin" {
		below = "Library/Application Support"
	}
	if dir := e.Folder("XDG_CONFIG_HOME", "AppData", below); dir != "" {
		return filepath.Join(dir, "config.yaml")
	}
	return ""
}

// Folder returns the user's folder for files of this program: that in the folder of a variable, else, on Windows, of another one,
// else in the folder below the home folder. It is empty if the environment names none of them.
func (e Env) Folder(variable, onWindows, below string) string {
	if dir := e.Get(variable); filepath.IsAbs(dir) { // by the XDG specification, relative paths are ignored
		return filepath.Join(dir, "reseller")
	}
	if dir := e.Get(onWindows); dir != "" && e.goos() == "windows" {
		return filepath.Join(dir, "reseller")
	}
	if home := cmp.Or(e.home(), e.Get("USERPROFILE")); home != "" {
		return filepath.Join(home, below, "reseller")
	}
	return ""
}
