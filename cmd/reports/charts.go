package reports

import (
	"cmp"
	"io"

	"github.com/spf13/cobra"

	"reseller/client/record"
	"reseller/cmd/cli"
	"reseller/output"
	"reseller/output/chart"
)

type figures interface {
	Add(record.Record)
	Page() chart.Page // runs after the last record
}

// charts are the charts of what a command prints, for --chart and --chart-file.
type charts struct {
	figures
	*output.File // of --chart-file
	session      *cli.Session
	format       chart.Format // empty without --chart-file
	width        int
	color        bool
}

func drawCharts(session *cli.Session, to *cli.Output, c *cobra.Command, build func() figures) error {
	hasFile := c.Flags().Changed("chart-file")
	if session.Flags.Open && !hasFile {
		return cli.Usagef("--open requires --chart-file")
	}
	if !session.Flags.Chart && !hasFile {
		return nil
	}
	d := &charts{figures: build(), session: session, File: output.Direct(io.Discard)}
	if hasFile {
		var err error
		if d.format, err = chart.FormatOf(session.Flags.ChartFile); err != nil {
			return err
		}
	}
	if session.Flags.Raw {
		return cli.Usagef("--raw prints the response unchanged, so it can't be drawn as a chart")
	}
	if session.Flags.Chart {
		if err := to.NoRecords("--chart shows a chart instead of the table", "leave out --chart for the table; --chart-file writes a chart beside it", ""); err != nil {
			return err
		}
	}
	to.Observer = d
	return nil
}

// Open creates the chart's file before the service is called.
func (d *charts) Open(width int, color bool) (err error) {
	d.width, d.color = cmp.Or(width, 80), color
	if d.format != "" {
		d.File, err = d.session.OpenFile(output.OpenFile, d.session.Flags.ChartFile)
	}
	return err
}

// Write draws the charts to w and to their file, and notes what they leave out.
func (d *charts) Write(w io.Writer) error {
	drawn := d.Page()
	for _, c := range drawn.Charts {
		for _, left := range c.Omitted {
			d.session.Note("%s: %s", c.Title, left)
		}
	}
	if d.format != "" {
		if lacking := chart.MissingGlyphs(drawn); d.format == chart.PNG && lacking != "" {
			d.session.Note("a PNG can't show %s; use .svg", lacking)
		}
		if _, err := d.File.Write(chart.Render(drawn, d.format)); err != nil {
			return err
		}
	}
	if !d.session.Flags.Chart {
		return nil
	}
	_, err := io.WriteString(w, chart.Text(drawn, d.width, d.color))
	return err
}
