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

// textFiles are the paths of the flags that read a text of the notes from a file, in the order of loads.NoteFields.
type textFiles []string

func (t *textFiles) addTo(c *cobra.Command) {
	*t = make(textFiles, len(loads.NoteFields()))
	for i, field := range loads.NoteFields() {
		c.Flags().StringVar(&(*t)[i], cli.FlagName(field.Name)+"-file", "", "read "+field.Name+" from `FILE`, or from stdin if FILE is -")
	}
}

// check checks the flags before a file is read, which may wait for a person at stdin.
func (t textFiles) check(c *cobra.Command) error {
	stdin := ""
	if c.Flag("file").Value.String() == "-" {
		stdin = "file"
	}
	for i, field := range loads.NoteFields() {
		flag := cli.FlagName(field.Name)
		switch {
		case !c.Flags().Changed(flag + "-file"):
		case c.Flags().Changed(flag):
			return cli.Usagef("--%s and --%s-file can't be used together", flag, flag)
		case t[i] == "-" && stdin != "":
			return cli.Usagef("--%s - and --%s-file - both read stdin", stdin, flag)
		case t[i] == "-":
			stdin = flag + "-file"
		}
	}
	return nil
}

func (t textFiles) read(c *cobra.Command, session *cli.Session, values schema.Values) error {
	for i, field := range loads.NoteFields() {
		if t[i] == "" {
			continue
		}
		flag := cli.FlagName(field.Name)
		text, err := readText(c.Context(), session, t[i])
		if err == nil { // without the repairs of a cell, which would drop line breaks at the end
			values[field.Name], err = field.FromText(text, true)
		}
		if err != nil {
			return &cli.ExitError{Code: cli.ExitUsage, Err: fmt.Errorf("--%s-file: %w", flag, err)}
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
