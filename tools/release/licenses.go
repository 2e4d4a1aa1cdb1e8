package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

type module struct {
	title string // its path and version
	dir   string
	below []string // the folders of its packages that are linked
}

// thirdPartyLicenses returns the licences of Go and of all modules that are linked into the
// program for any of the systems that it is released for.
func thirdPartyLicenses() (string, error) {
	modules, err := linkedModules()
	if err != nil {
		return "", err
	}
	goRoot, err := output("go", os.Environ(), "env", "GOROOT")
	if err != nil {
		return "", err
	}
	modules = append([]module{{title: "Go and its standard library " + runtime.Version(), dir: strings.TrimSpace(goRoot)}}, modules...)
	var b strings.Builder
	b.WriteString("The program contains the following, under these licences.\n")
	for _, m := range modules {
		texts, err := licenseTexts(m)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\n%s\n%s\n", strings.Repeat("=", 78), m.title)
		for _, text := range texts {
			fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")))
		}
	}
	return b.String(), nil
}

// linkedModules returns the modules that are linked for the systems of .goreleaser.yaml; the processor makes no difference. CI
// compares them with those of all programs.
func linkedModules() ([]module, error) {
	modules := map[string]module{}
	for _, system := range []string{"linux", "darwin", "windows", "freebsd"} {
		if err := addModules(modules, system); err != nil {
			return nil, err
		}
	}
	return slices.SortedFunc(maps.Values(modules), func(a, b module) int { return strings.Compare(a.title, b.title) }), nil
}

func addModules(modules map[string]module, system string) error {
	list, err := output("go", append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system),
		"list", "-deps", "-f", "{{$dir := .Dir}}{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}\t{{$dir}}{{end}}{{end}}", ".")
	if err != nil {
		return err
	}
	for line := range strings.Lines(list) {
		if parts := strings.Split(strings.TrimSpace(line), "\t"); len(parts) == 3 {
			m := modules[parts[0]]
			modules[parts[0]] = module{parts[0], parts[1], append(m.below, parts[2])}
		}
	}
	return nil
}

var licenseName = regexp.MustCompile(`(?i)^(un)?licen[cs]e|^copying|^notice|^ofl`)

// licenseTexts returns the licences and notices of a module, each once: those in its folder, in the folders of its
// linked packages, whatever is between them, and in folders for licences and fonts beside these.
func licenseTexts(m module) ([]string, error) {
	folders := map[string]bool{m.dir: true}
	for _, dir := range m.below {
		for ; len(dir) > len(m.dir); dir = filepath.Dir(dir) {
			folders[dir] = true
		}
	}
	var texts []string
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		for _, pattern := range []string{"*", "[lL]icen[cs]es/*", "fonts/*"} {
			paths, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil {
				return nil, err
			}
			for _, path := range paths {
				if info, err := os.Stat(path); err != nil || info.IsDir() || filepath.Ext(path) == ".go" ||
					!licenseName.MatchString(filepath.Base(path)) && !strings.HasPrefix(pattern, "[") {
					continue
				}
				text, err := os.ReadFile(path)
				if err != nil {
					return nil, err
				}
				if !slices.Contains(texts, string(text)) {
					texts = append(texts, string(text))
				}
			}
		}
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("%s: the module has no licence", m.title)
	}
	return texts, nil
}
