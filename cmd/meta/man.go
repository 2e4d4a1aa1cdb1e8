package meta

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/atomicfile"
	"reseller/client/phrase"
	"reseller/client/trust"
	"reseller/cmd/cli"
)

// writeManPages writes the manual pages of all commands and topics to a folder, which is
// created if there is none.
func writeManPages(session *cli.Session, root *cobra.Command, dir string) error {
	if err := trust.MakeFolder(dir, 0o755); err != nil {
		return err
	}
	pages := map[string]string{}
	add := func(path, section, short, text string) {
		pages[manName(path)+"."+section] = manPage(path, section, session.Version, short, text)
	}
	visit(root, func(c *cobra.Command) {
		text := cli.HelpText(c)
		if c.HasParent() {
			text += "\n" + root.Name() + "(1) has the options of every command.\n"
		}
		add(c.CommandPath(), "1", c.Short, text)
	})
	for _, t := range topics() {
		add(root.Name()+" "+t.name, "7", t.title, t.filled(root))
	}
	for name, text := range pages {
		if err := atomicfile.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	session.Note("wrote %s to %s", phrase.Count(len(pages), "page", "pages"), dir)
	return nil
}

// manWidth is the width to which the text of a manual page is fitted, since man does not break it: that of a terminal of usual
// width without the indent.
const manWidth = cli.UsualWidth - 8

// manPage returns the manual page of a command or a topic in the man macros of roff: its help, whose headings are lines of
// capital letters or end with a colon, with its usage in front and the pages of the commands above it at the end. It has no date,
// so that two builds of the same sources have the same page.
func manPage(path, section, version, short, text string) string {
	program, _, _ := strings.Cut(path, " ")
	name := roffText(manName(path))
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s %s \"\" \"%s %s\"\n.nh\n.ad l\n.SH NAME\n%s \\- %s\n",
		strings.ToUpper(name), section, program, roffText(version), name, roffText(short))
	if before, rest, ok := strings.Cut(text, "\n\nUsage:\n"); ok {
		usage, after, _ := strings.Cut(rest, "\n\n")
		fmt.Fprintf(&b, ".SH SYNOPSIS\n.nf\n%s\n.fi\n", roffText(strings.ReplaceAll(strings.TrimSpace(usage), "\n  ", "\n")))
		text = before + "\n\n" + after
	}
	b.WriteString(".SH DESCRIPTION\n.nf\n")
	heading := regexp.MustCompile(`^([A-Z]{3}[A-Z -]*( \(.*\))?|[A-Z][a-z]+( [a-z]+){0,3}:)$`)
	for line := range strings.Lines(cli.FitLines(text, manWidth)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case heading.MatchString(line):
			fmt.Fprintf(&b, ".fi\n.SH %s\n.nf\n", roffText(strings.ToUpper(strings.TrimSuffix(line, ":"))))
		case strings.HasPrefix(line, "."):
			b.WriteString(`\&` + roffText(line) + "\n")
		default:
			b.WriteString(roffText(line) + "\n")
		}
	}
	b.WriteString(".fi\n")
	for see, i := ".SH SEE ALSO\n", strings.LastIndexByte(path, ' '); i > 0; see, i = ",\n", strings.LastIndexByte(path, ' ') {
		path = path[:i]
		fmt.Fprintf(&b, "%s\\fB%s\\fR(1)", see, roffText(manName(path)))
	}
	return strings.ReplaceAll(strings.TrimRight(b.String(), "\n")+"\n", "\n\n.fi", "\n.fi") // man sets a line in front of each heading
}

// manName returns the name of the manual page of a command or topic: its words, joined.
func manName(path string) string { return strings.ReplaceAll(path, " ", "-") }

var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "'", `\(aq`, "^", `\(ha`, "~", `\(ti`, `"`, `\(dq`)

// roffText returns a text in which nothing is a request or an escape of roff, unless it begins a line with a dot.
func roffText(text string) string { return roffEscapes.Replace(text) }
