package cli

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"reseller/client/phrase"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/output/textwidth"
)

// Fit returns a text of the help whose lines fit the terminal, if it is written to one. Elsewhere, and on a terminal
// that is wide enough, the text stays as it is.
func (o *Output) Fit(text string) string {
	if !o.s.ToTerminal() {
		return text
	}
	width := max(o.s.Width(), minHelp)
	for line := range strings.SplitSeq(text, "\n") {
		if textwidth.Of(line) > width {
			return FitLines(text, width)
		}
	}
	return text
}

const (
	minHelp    = 40 // columns to which a help is fitted at least
	minMeaning = 24 // columns for the meaning beside a word; with fewer, it goes below
)

// FitLines breaks the lines of a help that are wider than a terminal between words. The lines of a paragraph are filled
// again. The meaning beside a word stays in its column. Examples, which users copy, are not broken.
func FitLines(text string, width int) string {
	var b strings.Builder
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	examples := false
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		examples = line == "Examples:" || examples && line != ""
		indent, column := textColumn(line)
		for !examples && i+1 < len(lines) && continues(line, lines[i+1], column) {
			i++
			line += " " + strings.TrimLeft(lines[i], " ")
		}
		if width-column < minMeaning {
			column = indent + 2
		}
		for !examples && textwidth.Of(line) > width {
			at := strings.LastIndexByte(textwidth.Prefix(line, width+1), ' ')
			if at <= column {
				break
			}
			b.WriteString(strings.TrimRight(line[:at], " ") + "\n")
			line = strings.Repeat(" ", column) + strings.TrimLeft(line[at:], " ")
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

const listMark = "- "

// textColumn returns the number of spaces in front of a line, and the column of its text: of the meaning beside a word, or of the
// text behind the mark of an item, if the line has one of these.
func textColumn(line string) (indent, column int) {
	text := strings.TrimLeft(line, " ")
	indent = len(line) - len(text)
	if strings.HasPrefix(text, listMark) {
		return indent, indent + len(listMark)
	}
	if _, meaning, ok := strings.Cut(text, "  "); ok && indent > 0 {
		return indent, len(line) - len(strings.TrimLeft(meaning, " "))
	}
	return indent, indent
}

// continues reports whether next goes on with the text of line, which begins at a column. Short lines, which a list
// may have, and commands stand for themselves.
func continues(line, next string, column int) bool {
	indent, nextColumn := textColumn(next)
	isCommand := strings.HasPrefix(strings.TrimLeft(line, " "), "reseller ") || strings.HasPrefix(strings.TrimLeft(next, " "), "reseller ")
	return next != "" && indent == column && nextColumn == indent && !isCommand && len(line) > minHelp && !strings.HasSuffix(line, ":")
}

// The help of a command shows at most maxFlags flags in at most maxLines lines of a terminal of usual width. What goes
// beyond that is in the help of all flags.
const (
	maxFlags   = 12
	maxLines   = 40
	UsualWidth = 80
)

// Help returns the help of a command: all of it where it is short, else its purpose, two examples and the flags of a
// working day.
func (o *Output) Help(c *cobra.Command) string {
	text, flags := HelpText(c), c.LocalNonPersistentFlags()
	if o.s.AllHelp || len(flagRows(flags)) <= maxFlags && strings.Count(FitLines(text, UsualWidth), "\n") <= maxLines {
		return text
	}
	purpose, _, _ := strings.Cut(cmp.Or(c.Long, c.Short), "\n\n")
	var b strings.Builder
	writeHead(&b, c, purpose, 2)
	if !c.HasParent() {
		return b.String() + learnMore
	}
	usual := usualFlags(flags)
	writeFlags(&b, "Flags", usual)
	what := "all flags"
	if len(flagRows(usual)) == len(flagRows(flags)) {
		what = "the whole help"
	}
	return b.String() + "\nLearn more:\n" + Rows([][2]string{{c.CommandPath() + " --help --all", what}, {"reseller help flags", "flags of every command"}})
}

// CutAllHelp returns a command line without --all if that is beside --help, and reports whether it was: it then asks for the
// help of all flags. Elsewhere, --all is a flag of some commands.
func CutAllHelp(args []string) ([]string, bool) {
	flags := args
	if end := slices.Index(args, "--"); end >= 0 {
		flags = args[:end]
	}
	at := slices.Index(flags, "--all")
	if at < 0 || !slices.Contains(flags, "--help") && !slices.Contains(flags, "-h") && flags[0] != "help" {
		return args, false
	}
	return slices.Delete(slices.Clone(args), at, at+1), true
}

func HelpText(c *cobra.Command) string {
	var b strings.Builder
	writeHead(&b, c, cmp.Or(c.Long, c.Short), math.MaxInt)
	for _, section := range sections(c.LocalNonPersistentFlags()) {
		writeFlags(&b, section.title, section.set)
	}
	if !c.HasParent() {
		writeFlags(&b, "Flags of every command", c.PersistentFlags())
		b.WriteString(learnMore)
	} else {
		b.WriteString("\n`reseller help flags` shows the flags of every command.\n")
	}
	return b.String()
}

func writeHead(b *strings.Builder, c *cobra.Command, purpose string, examples int) {
	fmt.Fprintf(b, "%s\n\nUsage:\n  %s\n", purpose, strings.Join(usageLines(c), "\n  "))
	writeCommands(b, c)
	if c.Example != "" {
		b.WriteString("\nExamples:\n")
		for line := range strings.SplitSeq(c.Example, "\n") {
			if examples > 0 {
				fmt.Fprintf(b, "  %s\n", line)
			}
			if !strings.HasSuffix(line, "\\") { // the example does not go on
				examples--
			}
		}
	}
}

// shared are the flags that mean the same on many commands, below their headings in the help of all flags. The flags of a
// working day are marked with a plus.
var shared = []struct{ title, flags string }{
	{"Rows of a file", "+file input-format sheet visible-rows encoding +map map-file save-map +keyword-separator ignore-unknown strict +example +on-invalid empty shard"},
	{"Records", "+where +search +limit"},
	{"Sending", "no-validate batch-size concurrency fail-fast restart settle-time verify resend-unknown resend-sent send-all no-skip-existing update-existing repeat allow-similar allow-rename to-other-server prune-limit request-string api-version"},
	{"Outcome", "+output-dir +results +rejects unknown +failures summary-file +chart chart-file open exit-code"},
}

// Essential is the annotation of a flag without which the command can't do its work, as a field that the service requires.
const Essential = "essential"

type flagSection struct {
	title string
	set   *pflag.FlagSet
}

// sections returns the flags below their headings: those of the command alone, and those that it shares.
func sections(flags *pflag.FlagSet) []flagSection {
	own := flagSection{"Flags", pflag.NewFlagSet("", pflag.ContinueOnError)}
	all := []flagSection{own}
	placed := map[string]*pflag.FlagSet{}
	for _, s := range shared {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		all = append(all, flagSection{s.title, set})
		for name := range strings.FieldsSeq(s.flags) {
			placed[strings.TrimPrefix(name, "+")] = set
		}
	}
	flags.VisitAll(func(flag *pflag.Flag) { cmp.Or(placed[flag.Name], own.set).AddFlag(flag) })
	return all
}

// usualFlags returns the flags of a working day: --file, the essential ones, those that only this command has, and some of those
// that it shares with others.
func usualFlags(flags *pflag.FlagSet) *pflag.FlagSet {
	rank := map[string]int{"file": 1}
	for _, s := range shared {
		for name := range strings.FieldsSeq(s.flags) {
			if usual, ok := strings.CutPrefix(name, "+"); ok {
				rank[usual] = cmp.Or(rank[usual], 4)
			} else {
				rank[name] = 5
			}
		}
	}
	var ordered []*pflag.Flag
	flags.VisitAll(func(flag *pflag.Flag) {
		if _, ok := flag.Annotations[Essential]; ok {
			rank[flag.Name] = 2
		}
		rank[flag.Name] = cmp.Or(rank[flag.Name], 3)
		if !flag.Hidden && flag.Name != "help" && rank[flag.Name] < 5 {
			ordered = append(ordered, flag)
		}
	})
	slices.SortStableFunc(ordered, func(a, b *pflag.Flag) int { return cmp.Compare(rank[a.Name], rank[b.Name]) })
	usual := pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, flag := range ordered[:min(len(ordered), maxFlags)] {
		usual.AddFlag(flag)
	}
	return usual
}

const learnMore = `
Learn more:
  reseller COMMAND --help  how to use a command; --all shows all flags
  reseller help TOPIC      flags, environment, formatting, jq, exit-codes, files
  reseller help guide      the guides, such as spreadsheets, reports and ci
`

func writeCommands(b *strings.Builder, c *cobra.Command) {
	width := 0
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			width = max(width, len(sub.Name()))
		}
	}
	for _, g := range append(c.Groups(), &cobra.Group{Title: "Commands"}) {
		title := "\n" + g.Title + ":\n"
		for _, sub := range c.Commands() {
			if sub.GroupID == g.ID && sub.IsAvailableCommand() {
				fmt.Fprintf(b, "%s  %-*s  %s\n", title, width, sub.Name(), sub.Short)
				title = ""
			}
		}
	}
}

func usageLines(c *cobra.Command) []string {
	var lines []string
	if c.HasAvailableSubCommands() {
		lines = append(lines, c.CommandPath()+" COMMAND")
	}
	if !c.HasAvailableSubCommands() || flagRows(c.LocalNonPersistentFlags()) != nil { // a group with flags is a command as well
		lines = append(lines, c.UseLine())
	}
	return lines
}

// flagRows returns the flags that the help shows, each with its value and its text. Names
// without a short form are indented by its width.
func flagRows(set *pflag.FlagSet) [][2]string {
	set.SortFlags = false
	var rows [][2]string
	set.VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden || flag.Name == "help" {
			return
		}
		name := "    --" + flag.Name
		if flag.Shorthand != "" {
			name = "-" + flag.Shorthand + ", --" + flag.Name
		}
		if flag.Value.Type() != "bool" && flag.NoOptDefVal == "" {
			name += " " + ValueWord(flag)
		}
		_, usage := pflag.UnquoteUsage(flag)
		rows = append(rows, [2]string{name, usage})
	})
	return rows
}

func FlagRows(set *pflag.FlagSet) string { return Rows(flagRows(set)) }

func writeFlags(b *strings.Builder, title string, set *pflag.FlagSet) {
	if rows := flagRows(set); rows != nil {
		fmt.Fprintf(b, "\n%s:\n%s", title, Rows(rows))
	}
}

// Rows lays out pairs in two columns, of which the first one has at most 40 characters where it can.
func Rows(pairs [][2]string) string {
	width := 0
	for _, p := range pairs {
		width = max(width, len(p[0]))
	}
	width = min(width, 40)
	var b strings.Builder
	for _, p := range pairs {
		text := strings.ReplaceAll(p[1], "\n", "\n"+strings.Repeat(" ", width+4))
		fmt.Fprintf(&b, "  %-*s  %s\n", width, p[0], text)
	}
	return b.String()
}

// Placeholder is the annotation of a flag whose value the help shows as this word,
// which need not occur in the usage text.
const Placeholder = "placeholder"

// ValueWord returns the word that stands for a flag's value: that of the annotation
// or that in back-quotes in its usage text, else one for its type.
func ValueWord(flag *pflag.Flag) string {
	if words := flag.Annotations[Placeholder]; words != nil {
		return words[0]
	}
	if strings.Contains(flag.Usage, "`") {
		word, _ := pflag.UnquoteUsage(flag)
		return word
	}
	switch flag.Value.Type() {
	case "int64", "int", "float64":
		return "N"
	case "duration":
		return "DURATION"
	case "stringSlice":
		return "LIST"
	}
	return "VALUE"
}

// Words is the annotation of a flag with the words that shells offer as its value.
const Words = "words"

// Offer sets the words that shells offer as the value of a flag. A function that cobra knows would keep each command in memory.
func Offer(c *cobra.Command, flag string, words ...string) {
	_ = c.Flags().SetAnnotation(flag, Words, words)
}

// SetCompletionResource sets the resource that a command prints, whose columns
// --columns and --sort complete.
func (s *Session) SetCompletionResource(c *cobra.Command, res *schema.Resource) *cobra.Command {
	s.completionResources[c] = res
	return s.SetPrinted(c, res)
}

// Fields are some of the fields of a type whose values a command prints.
type Fields struct {
	Of    any
	Names []string
}

// SetPrinted sets what a command prints with -o json, in place of its completion resource: a resource, or values of types of
// this program.
func (s *Session) SetPrinted(c *cobra.Command, values ...any) *cobra.Command {
	s.printed[c] = values
	return c
}

// Printed returns what a command prints with -o json, nothing if that is a text.
func (s *Session) Printed(c *cobra.Command) []any { return s.printed[c] }

func (s *Session) ColumnsOf(c *cobra.Command) []string {
	res := s.completionResources[c]
	if res == nil {
		return nil
	}
	return phrase.Each(res.Columns(), func(c schema.Column) string { return c.Name })
}

// IsInert reports whether the completion can offer a text of the service or of a file: no shell gives a meaning to any of its
// characters, so it stays one word wherever a script inserts it, in whole or in part.
func IsInert(word string) bool {
	for i, r := range word {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && (i == 0 || !strings.ContainsRune("._-", r)) {
			return false
		}
	}
	return word != "" && word == safetext.Escape(word)
}
