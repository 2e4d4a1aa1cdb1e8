package cli

import (
	"io"

	"reseller/client/safetext"
	"reseller/output"
)

// Text prints the text of a command that prints no records. It reads no settings, so
// it does not fail if they are invalid.
func (o *Output) Text(text string) error { return o.text(output.OpenFile, text) }

// Line prints one line of text.
func (o *Output) Line(text string) error {
	if o.s.ToTerminal() {
		text = safetext.Escape(text)
	}
	return o.Text(text + "\n")
}

// SecretLine prints a line with a token. A file that it is written to is readable by
// its owner only.
func (o *Output) SecretLine(text string) error { return o.text(output.OpenSecret, text+"\n") }

func (o *Output) text(open func(path string) (*output.File, error), text string) error {
	if o.s.Flags.JQ != "" || len(o.s.Flags.Sort) > 0 || len(o.s.Flags.Columns) > 0 {
		return Usagef("--jq, --columns and --sort need records, and this command prints text")
	}
	return o.Written(open, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// Written calls write with stdout or --output-file, which open opens and which is replaced only if write
// succeeds.
func (o *Output) Written(open func(path string) (*output.File, error), write func(io.Writer) error) error {
	file := output.Direct(o.s.Out)
	if o.s.Flags.OutputFile != "" {
		var err error
		if file, err = open(o.s.Flags.OutputFile); err != nil {
			return err
		}
	}
	defer file.Abort()
	if err := write(file); err != nil {
		return err
	}
	return file.Commit()
}
