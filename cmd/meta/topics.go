package meta

import (
	"cmp"
	"embed"
	"strings"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
	"reseller/config"
	"reseller/docs"
	"reseller/output/encode"
)

//go:embed topics
var pages embed.FS

// A topic is a help page about something other than a command. The first line of its page is its title, and the text
// comes after an empty line.
type topic struct{ name, page string }

func topics() []topic {
	list := []topic{{"flags", "flags of every command\n\n{{flags}}\n"}}
	for _, name := range []string{"environment", "formatting", "jq", "exit-codes", "files"} {
		page, _ := pages.ReadFile("topics/" + name + ".txt") // an embedded file can be read
		list = append(list, topic{name, string(page)})
	}
	return list
}

func (t topic) title() string {
	title, _, _ := strings.Cut(t.page, "\n")
	return title
}

// text returns the text of a topic, with tables of the settings and formats of the program in place of the names
// between {{ and }}.
func (t topic) text(root *cobra.Command) string {
	_, text, _ := strings.Cut(t.page, "\n\n")
	var keys, settings [][2]string
	for _, key := range config.Keys {
		help := key.Help
		switch {
		case len(key.Values) > 0:
			help += ":\n" + strings.Join(key.Values, ", ")
		case key.Type != "text":
			help += " (" + key.Type + ")"
		}
		if key.Default != "" {
			help += "; default " + key.Default
		}
		keys = append(keys, [2]string{key.Name, help})
		settings = append(settings, [2]string{key.Env(), key.Name + ", " + cmp.Or(key.Flag, "no flag")})
	}
	var formats [][2]string
	for _, name := range encode.Names() {
		formats = append(formats, [2]string{name, encode.Format(name).Help()})
	}
	return strings.NewReplacer(
		"{{settings}}\n", cli.Rows(settings), "{{keys}}\n", cli.Rows(keys),
		"{{flags}}\n", cli.FlagRows(root.PersistentFlags()), "{{formats}}\n", cli.Rows(formats), "{{format-names}}", strings.Join(encode.Names(), ", "),
	).Replace(text)
}

// A guide is a page of docs for users. Guides have names of their own, since some are those
// of commands.
type guide struct{ name, title, text string }

func guides() (list []guide) {
	entries, _ := docs.Guides.ReadDir(".") // an embedded folder can be read
	for _, entry := range entries {
		text, _ := docs.Guides.ReadFile(entry.Name())
		title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		list = append(list, guide{strings.TrimSuffix(entry.Name(), ".md"), title, string(text)})
	}
	return list
}
