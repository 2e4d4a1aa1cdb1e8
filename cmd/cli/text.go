package cli

import (
	"fmt"
	"io"
	"strings"

	"reseller/client/safetext"
	"reseller/output"
)

// Text is the way out of commands whose data is text of this program's own in
// whatever format: it reads no settings, so that it can't fail for them.
func (f *Factory) Text(write func(io.Writer) error) error {
	if err := f.Flags.Check(); err != nil {
		return err
	}
	if f.Flags.JQ != "" || f.Flags.Sort != "" || len(f.Flags.Columns) > 0 {
		return Usagef("--jq, --columns and --sort need records, and this command prints text")
	}
	return f.Written(write)
}

// Written has a function write the data to stdout or to --output-file, whole
// or not at all.
func (f *Factory) Written(write func(io.Writer) error) error {
	file := output.Direct(f.Out)
	if f.Flags.OutputFile != "" {
		var err error
		if file, err = output.OpenFile(f.Flags.OutputFile); err != nil {
			return err
		}
	}
	defer file.Abort()
	if err := write(file); err != nil {
		return err
	}
	return file.Commit()
}

// SecretLine is Line for a token: where it goes into a file, nobody else may read
// that.
func (f *Factory) SecretLine(text string) error {
	return f.Text(func(w io.Writer) error {
		if file, ok := w.(*output.File); ok {
			if err := file.Private(); err != nil {
				return err
			}
		}
		_, err := io.WriteString(w, text+"\n")
		return err
	})
}

// Line is Text of one line.
func (f *Factory) Line(text string) error {
	return f.Text(func(w io.Writer) error {
		if f.OutTTY && f.Flags.OutputFile == "" {
			text = safetext.Escape(text)
		}
		_, err := io.WriteString(w, text+"\n")
		return err
	})
}

// Plural puts a number before what it counts.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// OrList joins words as in "a, b or c".
func OrList(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
