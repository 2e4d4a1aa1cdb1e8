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

// A page is a help about something other than a command.
type page struct{ name, title, text string }

// topics returns the pages of `help TOPIC`.
func topics() []page {
	list := []page{{"flags", "flags of every command", "{{flags}}\n"}}
	for _, name := range []string{"environment", "formatting", "jq", "exit-codes", "files"} {
		text, _ := pages.ReadFile("topics/" + name + ".txt") // an embedded file can be read
		title, rest, _ := strings.Cut(string(text), "\n\n")
		list = append(list, page{name, title, rest})
	}
	return list
}

// filled returns the text of a topic, with tables of the settings and formats of the program in place of the names
// between {{ and }}.
func (p page) filled(root *cobra.Command) string {
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
	).Replace(p.text)
}

// guides returns the pages of docs for users. They have names of their own, since some are those of commands.
func guides() (list []page) {
	entries, _ := docs.Guides.ReadDir(".") // an embedded folder can be read
	for _, entry := range entries {
		text, _ := docs.Guides.ReadFile(entry.Name())
		title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		list = append(list, page{strings.TrimSuffix(entry.Name(), ".md"), title, string(text)})
	}
	return list
}
