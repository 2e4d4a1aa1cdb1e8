package campaigns

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/schema"
	"reseller/cmd/cli"
)

// longestText is the most that is read of one text.
const longestText = 8 << 20

// textFiles are the flags that take a text of the notes from a file.
type textFiles struct {
	paths [len(texts)]string
	given [len(texts)]bool
}

func (t *textFiles) addTo(c *cobra.Command) {
	for i, name := range texts {
		c.Flags().StringVar(&t.paths[i], schema.FlagOf(name)+"-file", "", "read "+name+" from this file, or from stdin with -")
	}
}

// check finds flags that can't go together, and notes which were given.
func (t *textFiles) check(c *cobra.Command) error {
	stdin := ""
	for i, name := range texts {
		flag := schema.FlagOf(name)
		t.given[i] = c.Flags().Changed(flag + "-file")
		switch {
		case !t.given[i]:
			continue
		case c.Flags().Changed(flag):
			return cli.Usagef("--%s and --%s-file can't be given together", flag, flag)
		case t.paths[i] == "":
			return cli.Usagef("--%s-file: the path is empty", flag)
		case t.paths[i] == "-" && stdin != "":
			return cli.Usagef("--%s-file - and --%s-file - both read stdin", stdin, flag)
		case t.paths[i] == "-":
			stdin = flag
		}
	}
	return nil
}

// read puts the texts of the files into values.
func (t *textFiles) read(ctx context.Context, stdin io.Reader, values schema.Values) error {
	for i, name := range texts {
		if !t.given[i] {
			continue
		}
		text, err := cli.WithContext(ctx, func() (string, error) { return readText(stdin, t.paths[i]) })
		if err == nil {
			values[name], err = schema.Notes.Field(name).FromText(text, true)
		}
		if err != nil {
			return &cli.ExitError{Code: cli.ExitUsage, Err: fmt.Errorf("--%s-file: %w", schema.FlagOf(name), err)}
		}
	}
	return nil
}

// readText reads a file, or stdin for -, without the byte order mark that it
// may begin with and the line end that it may end with.
func readText(stdin io.Reader, path string) (string, error) {
	r := stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return "", err
		}
		defer func() { _ = file.Close() }()
		r = file
	}
	b, err := io.ReadAll(io.LimitReader(r, longestText+1))
	if err != nil {
		return "", err
	}
	if len(b) > longestText {
		return "", fmt.Errorf("%s is longer than %d MB", path, longestText>>20)
	}
	text := strings.TrimPrefix(string(b), "\ufeff")
	if line, ok := strings.CutSuffix(text, "\n"); ok {
		text = strings.TrimSuffix(line, "\r")
	}
	return text, nil
}
