package campaigns

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/loads"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

const maxText = 8 << 20

type textFiles []textFile

type textFile struct {
	field schema.Field
	path  string
	given bool
}

func (t *textFiles) addTo(c *cobra.Command) {
	*t = make(textFiles, len(loads.NoteFields()))
	for i, field := range loads.NoteFields() {
		file := &(*t)[i]
		file.field = field
		c.Flags().StringVar(&file.path, cli.FlagName(field.Name)+"-file", "", "read "+field.Name+" from `FILE`, or from stdin if FILE is -")
	}
}

// check reports flags that contradict each other, and records which were given.
func (t textFiles) check(c *cobra.Command) error {
	stdin := ""
	for i := range t {
		file, flag := &t[i], cli.FlagName(t[i].field.Name)
		file.given = c.Flags().Changed(flag + "-file")
		switch {
		case !file.given:
			continue
		case c.Flags().Changed(flag):
			return cli.Usagef("--%s and --%s-file can't be used together", flag, flag)
		case file.path == "":
			return cli.Usagef("--%s-file: the path is empty", flag)
		case file.path == "-" && stdin != "":
			return cli.Usagef("--%s-file - and --%s-file - both read stdin", stdin, flag)
		case file.path == "-":
			stdin = flag
		}
	}
	return nil
}

func (t textFiles) read(ctx context.Context, session *cli.Session, values schema.Values) error {
	for _, file := range t {
		if !file.given {
			continue
		}
		text, err := readText(ctx, session, file.path)
		if err == nil { // without the repairs of a cell, which would drop line breaks at the end
			values[file.field.Name], err = file.field.FromText(text, true)
		}
		if err != nil {
			return &cli.ExitError{Code: cli.ExitUsage, Err: fmt.Errorf("--%s-file: %w", cli.FlagName(file.field.Name), err)}
		}
	}
	return nil
}

// readText reads a file, or stdin if path is -, without a byte order mark and without
// a trailing newline.
func readText(ctx context.Context, session *cli.Session, path string) (string, error) {
	b, err := session.ReadInput(ctx, path, maxText)
	if err != nil {
		return "", err
	}
	text := strings.TrimPrefix(string(b), "\ufeff")
	if line, ok := strings.CutSuffix(text, "\n"); ok {
		text = strings.TrimSuffix(line, "\r")
	}
	return text, nil
}
