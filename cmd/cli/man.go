package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// ManPage returns the manual page of a command, in section 1, in the man macros of roff.
// It has no date, so that two builds of the same sources have the same page.
func ManPage(c *cobra.Command, version string) string {
	var b strings.Builder
	manHeader(&b, c.CommandPath(), "1", version, c.Short)
	b.WriteString(".SH SYNOPSIS\n.nf\n")
	for _, line := range usageLines(c) {
		b.WriteString(roffLine(line) + "\n")
	}
	b.WriteString(".fi\n")
	if c.Long != "" {
		b.WriteString(".SH DESCRIPTION\n")
		writeManText(&b, c.Long, 0)
	}
	var see []string
	for parent := c.Parent(); parent != nil; parent = parent.Parent() {
		see = append(see, manReference(parent.CommandPath()))
	}
	if c.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n%s\n%s\n", manReference(sub.CommandPath()), roffLine(sub.Short))
			}
		}
	}
	flags := flagRows(c.LocalNonPersistentFlags())
	if !c.HasParent() {
		flags = append(flags, flagRows(c.PersistentFlags())...)
	}
	if len(flags) > 0 {
		b.WriteString(".SH OPTIONS\n")
		for _, flag := range flags {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roffText(strings.TrimSpace(flag[0])), roffLine(flag[1]))
		}
	}
	if c.HasParent() {
		fmt.Fprintf(&b, ".PP\n%s has the options of every command.\n", manReference(c.Root().Name()))
	}
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n%s", manLiteral(c.Example))
	}
	if len(see) > 0 {
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", strings.Join(see, ",\n"))
	}
	return b.String()
}

// ManTopic returns the manual page of a help topic, in section 7. In its text, a line of
// capital letters is a heading.
func ManTopic(program, name, version, short, text string) string {
	var b strings.Builder
	manHeader(&b, program+" "+name, "7", version, short)
	b.WriteString(".SH DESCRIPTION\n")
	heading := regexp.MustCompile(`^[A-Z]{3}[A-Z -]*( \(.*\))?$`)
	indent := 0
	var part []string
	flush := func() {
		writeManText(&b, strings.Join(part, "\n"), indent)
		part = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		if heading.MatchString(line) {
			flush()
			fmt.Fprintf(&b, ".SH %s\n", roffText(line))
			indent = 2
			continue
		}
		part = append(part, line)
	}
	flush()
	fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", manReference(program))
	return b.String()
}

// ManName returns the name of the manual page of a command or topic: its words, joined.
func ManName(path string) string { return strings.ReplaceAll(path, " ", "-") }

func manReference(path string) string {
	return fmt.Sprintf(`\fB%s\fR(1)`, roffText(ManName(path)))
}

func manHeader(b *strings.Builder, path, section, version, short string) {
	program, _, _ := strings.Cut(path, " ")
	fmt.Fprintf(b, ".TH %s %s \"\" \"%s %s\"\n.nh\n.ad l\n.SH NAME\n%s \\- %s\n",
		roffText(strings.ToUpper(ManName(path))), section, program, roffText(version), roffText(ManName(path)), roffText(short))
}

// writeManText writes a text whose paragraphs begin in the column indent. Its lines are
// filled, but for tables of terms and lines that are indented deeper, which are literal.
func writeManText(b *strings.Builder, text string, indent int) {
	term := regexp.MustCompile(`^( +)(\S+(?: \S+)*) {2,}(\S.*)$`) // and, after two spaces or more, its description
	for block := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		lines := strings.Split(strings.Trim(block, "\n"), "\n")
		b.WriteString(".PP\n")
		for i := 0; i < len(lines); i++ {
			depth := len(lines[i]) - len(strings.TrimLeft(lines[i], " "))
			switch row := term.FindStringSubmatch(lines[i]); {
			case row != nil:
				fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roffText(row[2]), roffLine(row[3]))
				for i+1 < len(lines) && strings.HasPrefix(lines[i+1], row[1]+"   ") {
					i++
					b.WriteString(roffLine(strings.TrimSpace(lines[i])) + "\n")
				}
			case depth > indent:
				b.WriteString(manLiteral(lines[i]))
			default:
				b.WriteString(roffLine(lines[i][depth:]) + "\n")
			}
		}
	}
}

func manLiteral(text string) string {
	var b strings.Builder
	b.WriteString(".RS 4\n.nf\n")
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(roffLine(line) + "\n")
	}
	b.WriteString(".fi\n.RE\n")
	return b.String()
}

var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "'", `\(aq`, "^", `\(ha`, "~", `\(ti`, `"`, `\(dq`)

// roffText returns a text in which nothing is a request or an escape of roff, for a place
// that is not the begin of a line.
func roffText(text string) string { return roffEscapes.Replace(text) }

// roffLine returns a text likewise, for the begin of a line.
func roffLine(text string) string {
	if strings.HasPrefix(text, ".") {
		return `\&` + roffText(text)
	}
	return roffText(text)
}
