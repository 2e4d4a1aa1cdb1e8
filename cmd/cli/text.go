package cli

import (
	"io"

	"reseller/client/safetext"
	"reseller/output"
)

// Text prints the text of a command that prints no records. It reads no settings, so
// it does not fail if they are invalid.
func (f *Factory) Text(write func(io.Writer) error) error {
	return f.text(output.OpenFile, write)
}

func (f *Factory) text(open func(path string) (*output.File, error), write func(io.Writer) error) error {
	if f.Flags.JQ != "" || len(f.Flags.Sort) > 0 || len(f.Flags.Columns) > 0 {
		return Usagef("--jq, --columns and --sort need records, and this command prints text")
	}
	return f.Written(open, write)
}

// Written calls write with stdout or --output-file, which open opens and which is replaced only if write
// succeeds.
func (f *Factory) Written(open func(path string) (*output.File, error), write func(io.Writer) error) error {
	file := output.Direct(f.Out)
	if f.Flags.OutputFile != "" {
		var err error
		if file, err = open(f.Flags.OutputFile); err != nil {
			return err
		}
	}
	defer file.Abort()
	if err := write(file); err != nil {
		return err
	}
	return file.Commit()
}

// SecretLine prints a line with a token. A file that it is written to is readable by
// its owner only.
func (f *Factory) SecretLine(text string) error {
	return f.text(output.OpenSecret, func(w io.Writer) error {
		_, err := io.WriteString(w, text+"\n")
		return err
	})
}

// Line prints one line of text.
func (f *Factory) Line(text string) error {
	return f.Text(func(w io.Writer) error {
		if f.ToTerminal() {
			text = safetext.Escape(text)
		}
		_, err := io.WriteString(w, text+"\n")
		return err
	})
}
