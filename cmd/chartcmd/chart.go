// Package chartcmd lets a command show its records as a chart: the flags --chart
// and --chart-file, and what charts of tables have in common.
package chartcmd

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"reseller/client/record"
	"reseller/cmd/cli"
	"reseller/output"
	"reseller/output/chart"
)

// defaultWidth is the width of a chart that does not go to a terminal.
const defaultWidth = 80

// A Builder makes charts of the records that a command prints.
type Builder interface {
	Add(rec record.Record) // a record that is printed; it is valid until the next
	Page() chart.Page      // what was seen, drawn when all is printed
}

// AddFlags declares --chart and --chart-file.
func AddFlags(f *cli.Factory, c *cobra.Command) {
	c.Flags().BoolVar(&f.Flags.Chart, "chart", false, "show a chart instead of the table")
	c.Flags().StringVar(&f.Flags.ChartFile, "chart-file", "", "write the chart to `FILE`, too: .html (with the numbers), .svg or .png")
}

// Enable notes what makes the charts that c was asked for, and finds flags that
// can't go with them.
func Enable(f *cli.Factory, c *cobra.Command, drawing func() Builder) error {
	file := c.Flags().Changed("chart-file")
	if !f.Flags.Chart && !file {
		return nil
	}
	r := &request{f: f, builder: drawing(), replaces: f.Flags.Chart}
	if file {
		var err error
		if r.format, err = chart.FormatOf(f.Flags.ChartFile); err != nil {
			return err
		}
		if output.SameFile(f.Flags.OutputFile, f.Flags.ChartFile) {
			return cli.Usagef("--output-file and --chart-file name the same file")
		}
		r.path = f.Flags.ChartFile
	}
	if f.Flags.Raw {
		return cli.Usagef("--raw prints the response unchanged, so it can't be drawn as a chart")
	}
	if r.replaces {
		if err := f.NoRecords("--chart shows a chart instead of the table"); err != nil {
			return err
		}
	}
	f.Observer = r
	return nil
}

// A request is the chart that a command was asked for. It is drawn when all
// records were printed.
type request struct {
	f        *cli.Factory
	builder  Builder
	replaces bool // only the chart is printed
	path     string
	format   chart.Format
	file     *output.File // nil where no file was asked for
	width    int
	color    bool
	missing  string // what the chart lacks because calls failed
}

// CallsFailed implements Observer. A builder that shows failures itself has
// the method KnowsFailures.
func (r *request) CallsFailed(failed, total int) {
	if _, knows := r.builder.(interface{ KnowsFailures() }); !knows {
		r.missing = fmt.Sprintf("%d of %d failed, and what they have is not in the picture, or not whole", failed, total)
	}
}

// Open begins the chart's file before anything is asked of the service.
func (r *request) Open(width int, color bool) (err error) {
	r.width, r.color = cmp.Or(width, defaultWidth), color
	if r.path != "" {
		r.file, err = output.OpenFile(r.path)
	}
	return err
}

// Observe implements Observer.
func (r *request) Observe(rec record.Record) { r.builder.Add(rec) }

// Replaces implements Observer.
func (r *request) Replaces() bool { return r.replaces }

// Write writes the charts to w and to their file, and notes what they leave
// out. The file is in place only after Commit.
func (r *request) Write(w io.Writer) error {
	page := r.builder.Page()
	if r.missing != "" && len(page.Charts) > 0 {
		page.Charts[0].Omitted = append(page.Charts[0].Omitted, r.missing)
	}
	for _, c := range page.Charts {
		for _, left := range c.Omitted {
			r.f.Note("%s: %s", c.Title, left)
		}
	}
	if r.file != nil {
		if r.format == chart.PNG {
			if lacking := chart.MissingGlyphs(page); lacking != "" {
				r.f.Note("a PNG has no letters for %s: .svg and .html show them", lacking)
			}
		}
		drawn, err := chart.Render(page, r.format)
		if err != nil {
			return err
		}
		if _, err := r.file.Write(drawn); err != nil {
			return err
		}
	}
	if !r.replaces {
		return nil
	}
	_, err := io.WriteString(w, chart.Text(page, r.width, r.color))
	return err
}

// Commit puts the chart's file in place.
func (r *request) Commit() error {
	if r.file == nil {
		return nil
	}
	return r.file.Commit()
}

// Abort leaves the chart's file as it was. After Commit it does nothing.
func (r *request) Abort() {
	if r.file != nil {
		r.file.Abort()
	}
}
