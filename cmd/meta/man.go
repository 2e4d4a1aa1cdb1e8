package meta

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"reseller/client/atomicfile"
	"reseller/client/phrase"
	"reseller/client/trust"
	"reseller/cmd/cli"
)

// writeManPages writes the manual pages of all commands and topics to a folder, which is
// created if there is none.
func writeManPages(session *cli.Session, root *cobra.Command, dir string) error {
	if dir == "" {
		return cli.Usagef("--man: the path is empty")
	}
	if err := trust.MakeFolder(dir, 0o755); err != nil {
		return err
	}
	pages := map[string]string{}
	add := func(path, section, short, text string) {
		pages[cli.ManName(path)+"."+section] = cli.ManPage(path, section, session.Version, short, text)
	}
	visit(root, func(c *cobra.Command) {
		text := cli.HelpText(c)
		if c.HasParent() {
			text += "\n" + root.Name() + "(1) has the options of every command.\n"
		}
		add(c.CommandPath(), "1", c.Short, text)
	})
	for _, t := range topics() {
		add(root.Name()+" "+t.name, "7", t.title(), t.text(root))
	}
	for name, text := range pages {
		if err := atomicfile.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	session.Note("wrote %s to %s", phrase.Count(len(pages), "page", "pages"), dir)
	return nil
}
