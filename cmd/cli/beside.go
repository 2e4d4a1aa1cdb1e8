package cli

import (
	"io"

	"reseller/output"
)

// Beside is a second printer to where out goes, for data of another shape than
// the one that --columns and --sort are about: it passes them over.
func (f *Factory) Beside(out *Out) (*output.Printer, error) {
	options := output.Options{Format: out.Format, NoHeader: f.Flags.NoHeader, CSVSafe: f.Flags.CSVSafe}
	toTerminal := out.term != nil
	if toTerminal {
		options.TTY, options.Width = true, f.Width()
	}
	options.Color = f.color(toTerminal)
	return output.New(out.file, options)
}

// Gap sets what was printed apart from what follows by an empty line.
func (o *Out) Gap() error {
	_, err := io.WriteString(o.file, "\n")
	return err
}
