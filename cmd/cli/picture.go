package cli

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"reseller/client/record"
	"reseller/output"
	"reseller/output/chart"
)

// pipeWidth is how wide a chart is where no terminal says.
const pipeWidth = 80

// A Drawing makes charts of the records that a command prints.
type Drawing interface {
	See(rec record.Record) // a record that is printed; it is valid until the next
	Page() chart.Page      // what was seen, drawn when all is printed
}

// ChartFlags declares --chart and --chart-file.
func (f *Factory) ChartFlags(c *cobra.Command) {
	c.Flags().BoolVar(&f.Flags.Chart, "chart", false, "show a chart in the terminal in place of the table")
	c.Flags().StringVar(&f.Flags.ChartFile, "chart-file", "", "write the chart to this file too: .html with the numbers, .svg or .png")
}

// Draws notes what makes the charts that c was asked for, and finds flags that
// can't go with them.
func (f *Factory) Draws(c *cobra.Command, drawing func() Drawing) error {
	file := c.Flags().Changed("chart-file")
	if !f.Flags.Chart && !file {
		return nil
	}
	p := &picture{f: f, drawing: drawing(), replaces: f.Flags.Chart}
	if file {
		var err error
		if p.format, err = chart.FormatOf(f.Flags.ChartFile); err != nil {
			return err
		}
		if output.SameFile(f.Flags.OutputFile, f.Flags.ChartFile) {
			return Usagef("--output-file and --chart-file name the same file")
		}
		p.path = f.Flags.ChartFile
	}
	if f.Flags.Raw {
		return Usagef("--raw prints the answer as it came, so no chart can be made of it")
	}
	if p.replaces {
		if err := f.NoRecords("--chart shows a chart in place of the table"); err != nil {
			return err
		}
	}
	f.picture = p
	return nil
}

// NoRecords finds flags that are about the records that are printed; why says
// what there is in their place.
func (f *Factory) NoRecords(why string) error {
	for _, name := range []string{"output", "columns", "sort", "jq", "no-header", "csv-safe"} {
		if f.Flags.changed(name) && (name != "output" || f.Flags.Output != string(output.Table)) {
			return Usagef("%s, so it can't go with --%s", why, name)
		}
	}
	return nil
}

// A picture is drawn when the data is whole.
type picture struct {
	f        *Factory
	drawing  Drawing
	replaces bool // nothing but the chart is printed
	path     string
	format   chart.Format
	file     *output.File // nil where no file was asked for
	width    int
	color    bool
	lacks    string // what the charts don't have because it failed
}

// failed notes that calls failed, of which a drawing knows nothing.
func (p *picture) failed(n, of int) {
	if p == nil || n == 0 {
		return
	}
	if _, knows := p.drawing.(interface{ KnowsFailures() }); !knows {
		p.lacks = fmt.Sprintf("%d of %d failed, and what they have is not in the picture, or not whole", n, of)
	}
}

// open begins the file before anything is asked of the service.
func (p *picture) open() (err error) {
	if p.path != "" {
		p.file, err = output.OpenFile(p.path)
	}
	return err
}

// Print prints records as the Printer does; a picture sees them too, or has
// them to itself.
func (o *Out) Print(ctx context.Context, shape output.Shape, list iter.Seq2[record.Record, error]) error {
	if o.picture == nil {
		return o.Printer.Print(ctx, shape, list)
	}
	seen := func(yield func(record.Record, error) bool) {
		for rec, err := range list {
			if err == nil {
				o.picture.drawing.See(rec)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
	if !o.picture.replaces {
		return o.Printer.Print(ctx, shape, seen)
	}
	for _, err := range seen {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// draw writes the charts to stdout and to their file, and tells what they
// leave out. Nothing is in place before the file is committed.
func (p *picture) draw(w io.Writer) error {
	page := p.drawing.Page()
	if p.lacks != "" && len(page.Charts) > 0 {
		page.Charts[0].Left = append(page.Charts[0].Left, p.lacks)
	}
	for _, c := range page.Charts {
		for _, left := range c.Left {
			p.f.Note("%s: %s", c.Title, left)
		}
	}
	if p.file != nil {
		if p.format == chart.PNG {
			if lacking := chart.Lacking(page); lacking != "" {
				p.f.Note("a PNG has no letters for %s: .svg and .html show them", lacking)
			}
		}
		drawn, err := chart.File(page, p.format)
		if err != nil {
			return err
		}
		if _, err := p.file.Write(drawn); err != nil {
			return err
		}
	}
	if !p.replaces {
		return nil
	}
	_, err := io.WriteString(w, chart.Text(page, p.width, p.color))
	return err
}
