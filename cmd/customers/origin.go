package customers

import (
	"bufio"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"reseller/client/safetext"
	"reseller/cmd/cli"
)

// originPrefix begins the comment in the first line of a yaml file that export has written.
const originPrefix = "exported from "

// originOf returns words for the server and the reseller of the command.
func originOf(ctx context.Context, f *cli.Factory) (string, error) {
	to, err := f.Destination(ctx)
	if err != nil || to.Subject == "" {
		return to.BaseURL, err
	}
	return to.BaseURL + " for reseller " + to.Subject, nil
}

// otherOrigin notes and returns from where a file, or a file of a folder, was exported, if that is not the server and the
// reseller of the command. It is empty if no file says so.
func otherOrigin(ctx context.Context, f *cli.Factory, path string) (other string, err error) {
	here, err := originOf(ctx, f)
	if err != nil || path == "-" {
		return "", err
	}
	err = filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
		if ext := strings.ToLower(filepath.Ext(file)); err != nil || !entry.Type().IsRegular() || ext != ".yaml" && ext != ".yml" {
			return nil // what can't be read is told when its rows are
		}
		opened, err := os.Open(file)
		if err != nil {
			return nil
		}
		defer func() { _ = opened.Close() }()
		line, _ := bufio.NewReader(io.LimitReader(opened, 4096)).ReadString('\n')
		if from, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "# "+originPrefix); ok && from != here {
			other = safetext.Shorten(from)
			f.Note("%s was exported from %s, and this is %s", file, other, here)
			return fs.SkipAll
		}
		return nil
	})
	return other, err
}
