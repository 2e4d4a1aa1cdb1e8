package complete

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
	"reseller/output/textwidth"
)

// bashRequest is the hidden command that the script for bash runs.
const bashRequest = "__complete_bash"

// What bash does with the words, by the values of its variable COMP_TYPE.
const (
	insertCommon = "9"  // It inserts what the words have in common, and shows none.
	showOnly     = "63" // It shows the words, and inserts nothing.
	insertNext   = "37" // It inserts one after the other.
	insertAll    = "42"
)

// newBash returns the command `reseller __complete_bash LINE TYPE BREAKS COLUMNS`. LINE is the command line up to the cursor as it was
// typed; TYPE, BREAKS and COLUMNS are COMP_TYPE, COMP_WORDBREAKS and COLUMNS of bash. The command prints a line with options for compopt,
// and then the words for COMPREPLY, a line each. It reads and writes the quotes of bash, which does neither for a program's
// words; for the shell to evaluate the line would be to run what is written in it.
func newBash() *cobra.Command {
	return &cobra.Command{
		Use: bashRequest, Hidden: true, DisableFlagParsing: true, Args: cli.ExactArgs("LINE", "TYPE", "BREAKS", "COLUMNS"),
		RunE: func(c *cobra.Command, args []string) error {
			line, root, out := splitBash(args[0], args[2]), c.Root(), c.OutOrStdout()
			options, words := "default", []word(nil)
			if !line.isFile {
				var found bytes.Buffer
				root.SetOut(&found)
				root.SetErr(io.Discard)
				root.SetArgs(Arguments(root, append([]string{cobra.ShellCompRequestCmd}, line.words...)))
				if err := root.ExecuteContext(c.Context()); err != nil {
					return err
				}
				options, words = parse(found.String())
			}
			columns, _ := strconv.Atoi(args[3])
			lines := append([]string{options}, line.reply(words, args[1], columns)...)
			_, err := io.WriteString(out, strings.Join(lines, "\n")+"\n")
			return err
		},
	}
}

// A word is one that completes what was typed, with what is known about it.
type word struct{ text, about string }

// parse returns the options for compopt and the words of an output of cobra: words on a line each, with a description behind a
// tab, and a directive on the last line.
func parse(found string) (options string, words []word) {
	lines := strings.Split(strings.TrimSuffix(found, "\n"), "\n")
	last := len(lines) - 1
	number, _ := strconv.Atoi(strings.TrimPrefix(lines[last], ":"))
	directive := cobra.ShellCompDirective(number)
	var on []string
	for _, option := range []struct {
		name string
		set  bool
	}{
		{"default", directive&(noFiles|cobra.ShellCompDirectiveFilterDirs) == 0},
		{"dirnames", directive&cobra.ShellCompDirectiveFilterDirs != 0},
		{"nospace", directive&cobra.ShellCompDirectiveNoSpace != 0},
		{"nosort", directive&cobra.ShellCompDirectiveKeepOrder != 0},
	} {
		if option.set {
			on = append(on, option.name)
		}
	}
	for _, line := range lines[:last] {
		text, about, _ := strings.Cut(line, "\t")
		words = append(words, word{text, about})
	}
	return strings.Join(on, " "), words
}

// reply returns what bash needs of the words that complete the line, for what it does with them.
func (l *bashLine) reply(words []word, does string, columns int) []string {
	flag, typed := cutFlag(l.words[len(l.words)-1])
	var matching []word
	var rests []string // of the matching words, behind what was typed
	widest := 0
	for _, w := range words {
		if rest, ok := cutFolded(w.text, typed); ok {
			matching, rests = append(matching, w), append(rests, rest)
			widest = max(widest, textwidth.Of(w.text))
		}
	}
	var lines []string
	switch common := commonPrefix(rests); {
	case does == showOnly:
		for _, w := range matching {
			lines = append(lines, describe(w.text, w.about, widest, columns))
		}
	case len(matching) == 1:
		return []string{l.quoted(flag+matching[0].text, true)}
	case does == insertNext || does == insertAll:
		for _, w := range matching {
			lines = append(lines, l.quoted(flag+w.text, false))
		}
	case does == insertCommon && common == "":
		// Without a word, bash leaves the line as it is.
	case does == insertCommon:
		// The first two are enough: bash inserts what they have in common, which must not end within an escape.
		lines = []string{l.quoted(flag+typed+common, false)}
		for _, rest := range rests {
			if rest != common {
				return append(lines, l.quoted(flag+typed+rest, false))
			}
		}
	default: // It inserts what the words have in common, and shows them.
		for i, w := range matching {
			text := l.quoted(flag+typed+rests[i], false)
			if l.quote == 0 { // else a space is a part of the word
				text = describe(text, w.about, widest, columns)
			}
			lines = append(lines, text)
		}
		if whole := l.quoted(flag+typed+common, false); len(lines) > 1 && commonPrefix(lines) != whole {
			lines = append(lines, whole) // else what they have in common ends within an escape
		}
	}
	return lines
}

// describe returns a word with its description, if the line has room for it.
func describe(text, about string, widest, columns int) string {
	room := columns - max(widest, textwidth.Of(text)) - len("  ()")
	if about == "" || room < 8 {
		return text
	}
	return text + strings.Repeat(" ", max(widest-textwidth.Of(text), 0)) + "  (" + textwidth.Truncate(about, room) + ")"
}

// commonPrefix returns the longest beginning that all texts have in common, in whole characters.
func commonPrefix(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	common := texts[0]
	for _, text := range texts[1:] {
		end := 0
		for i, r := range common {
			if !strings.HasPrefix(text[min(i, len(text)):], string(r)) {
				break
			}
			end = i + len(string(r))
		}
		common = common[:end]
	}
	return common
}

// cutFlag cuts a word behind the equals sign of a flag.
func cutFlag(text string) (flag, value string) {
	if i := strings.Index(text, "="); i > 0 && text[0] == '-' {
		return text[:i+1], text[i+1:]
	}
	return "", text
}

// cutFolded returns what follows in a text behind its beginning, which must be prefix but for case and white space.
func cutFolded(text, prefix string) (rest string, ok bool) {
	folded := fold(prefix)
	if folded == "" {
		return text, true
	}
	for i, r := range text {
		if i += len(string(r)); fold(text[:i]) == folded {
			return text[i:], true
		}
	}
	return "", false
}
