package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"
)

const unreleased = "Unreleased"

// readNotes returns the section of CHANGELOG.md on a version. A version that has not been
// released, which a snapshot's is, has the changes since the last release.
func readNotes(version string) (string, error) {
	text, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		return "", err
	}
	return findNotes(string(text), version)
}

var isRelease = regexp.MustCompile(`^v?\d+\.\d+\.\d+$`)

func findNotes(changelog, version string) (string, error) {
	title := unreleased
	if isRelease.MatchString(version) {
		title = strings.TrimPrefix(version, "v")
	}
	for section := range strings.SplitSeq("\n"+changelog, "\n## ") {
		heading, notes, _ := strings.Cut(section, "\n")
		name, _, _ := strings.Cut(heading, " ")
		if strings.Trim(name, "[]") == title {
			if notes = strings.TrimSpace(notes); notes == "" {
				return "", fmt.Errorf("CHANGELOG.md says nothing of %s", title)
			}
			return notes + "\n", nil
		}
	}
	return "", fmt.Errorf("CHANGELOG.md has no section %s", title)
}

const maintainer = "The maintainers of reseller <maintainers@reseller.invalid>"

func debianChangelog(version, notes string, date time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "reseller (%s) stable; urgency=medium\n\n", strings.Replace(version, "-", "~", 1))
	for item := range strings.SplitSeq("\n"+notes, "\n- ") {
		item, _, _ = strings.Cut(item, "\n#") // headings between the items
		prefix, width := "  *", 3
		for _, word := range strings.Fields(item) {
			if width+1+len(word) > 79 {
				prefix, width = "\n   ", 3
			}
			fmt.Fprintf(&b, "%s %s", prefix, word)
			prefix, width = "", width+1+len(word)
		}
		if prefix == "" { // the item has words
			b.WriteString("\n")
		}
	}
	fmt.Fprintf(&b, "\n -- %s  %s\n", maintainer, date.UTC().Format(time.RFC1123Z))
	return b.String()
}
