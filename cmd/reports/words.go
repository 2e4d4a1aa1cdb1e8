package reports

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/spf13/cobra"

	"reseller/client/phrase"
	"reseller/client/words"
	"reseller/cmd/cli"
)

type ownWords struct {
	path string
	all  *words.Words // nil if there is no file
}

func (o *ownWords) read(ctx context.Context, session *cli.Session) error {
	if o.path == "" {
		return nil
	}
	return parseFile(ctx, session, "--words", o.path, words.MaxFile, func(text []byte) (err error) {
		o.all, err = words.Parse(text)
		return err
	})
}

// parseFile reads the file of a flag.
func parseFile(ctx context.Context, session *cli.Session, flag, path string, limit int64, parse func([]byte) error) error {
	text, err := session.ReadInput(ctx, path, limit)
	if err == nil {
		err = parse(text)
	}
	if err != nil {
		return cli.Usagef("%s %s: %v", flag, path, unnamed(err))
	}
	return nil
}

func (o *ownWords) in(language string) (*words.Words, error) {
	if o.all != nil && o.all.Language == language {
		return o.all, nil
	}
	w, ok := words.In(language)
	if !ok {
		return nil, fmt.Errorf("language %q: use %s, or --words FILE", language, phrase.Or(words.Languages))
	}
	return w, nil
}

func unnamed(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	return err
}

func newWordsCmd(f *cli.Frame) *cobra.Command {
	language := words.Languages[0]
	c := &cobra.Command{
		Use:   "words",
		Short: "Print the words of the pages that customers get",
		Long: "Print the file with every word of the pages that `reports summary` makes, in one of the languages of the program. To make\n" +
			"pages in another language, or in words of your own, write it to a file, change the words and the language (a tag such\n" +
			"as it or pt-BR, which also gives the form of numbers and the plural forms), and pass it to `reports summary --words`.\n" +
			"A file with a key that is unknown or missing is refused with the key's name, as is a place such as {n} that a text\n" +
			"lacks or that the program does not know.",
		Example: "reseller reports words --language de --output-file german.yaml",
		Args:    cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if !slices.Contains(words.Languages, language) {
				return cli.Usagef("--language %q: use %s", language, phrase.Or(words.Languages))
			}
			return f.Output.Text(string(words.Source(language)))
		},
	}
	c.Flags().StringVar(&language, "language", language, "print the words in `LANGUAGE`: "+phrase.Or(words.Languages))
	return c
}
