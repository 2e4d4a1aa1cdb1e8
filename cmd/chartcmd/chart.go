// Package chartcmd lets a command print its records as a chart: the flags --chart and
// --chart-file, and helpers for charts of tables.
package chartcmd

import (
	"cmp"
	"io"

	"github.com/spf13/cobra"

	"reseller/client/record"
	"reseller/cmd/cli"
	"reseller/output"
	"reseller/output/chart"
)

const defaultWidth = 80

// A Builder makes charts of the records that a command prints.
type Builder interface {
	Add(rec record.Record) // rec is valid until Add returns
	Page() chart.Page      // runs after the last record
}

func AddFlags(session *cli.Session, c *cobra.Command) {
	c.Flags().BoolVar(&session.Flags.Chart, "chart", false, "show a chart instead of the table")
	c.Flags().StringVar(&session.Flags.ChartFile, "chart-file", "", "also write the chart to `FILE`: .svg or .png")
	session.Flags.AddOpen(c)
}

// Enable draws a chart of the command's records if its flags ask for one. build
// returns the builder of the chart.
func Enable(session *cli.Session, to *cli.Output, c *cobra.Command, build func() Builder) error {
	file := c.Flags().Changed("chart-file")
	if session.Flags.Open && !file {
		return cli.Usagef("--open requires --chart-file")
	}
	if !session.Flags.Chart && !file {
		return nil
	}
	r := &request{session: session, Builder: build(), File: output.Direct(io.Discard)}
	if file {
		var err error
		if r.format, err = chart.FormatOf(session.Flags.ChartFile); err != nil {
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
	to.Observer = r
	return nil
}

type request struct {
	Builder
	*output.File // of --chart-file
	session      *cli.Session
	format       chart.Format // empty without --chart-file
	width        int
	color        bool
}

// Open creates the chart's file before the service is called.
func (r *request) Open(width int, color bool) (err error) {
	r.width, r.color = cmp.Or(width, defaultWidth), color
	if r.format != "" {
		r.File, err = r.session.OpenFile(output.OpenFile, r.session.Flags.ChartFile)
	}
	return err
}

// Write draws the charts to w and to the chart's file, and prints notes about what
// they leave out.
func (r *request) Write(w io.Writer) error {
	charts := r.Page()
	for _, c := range charts.Charts {
		for _, left := range c.Omitted {
			r.session.Note("%s: %s", c.Title, left)
		}
	}
	if r.format != "" {
		if r.format == chart.PNG {
			if lacking := chart.MissingGlyphs(charts); lacking != "" {
				r.session.Note("a PNG can't show %s; use .svg", lacking)
			}
		}
		drawn, err := chart.Render(charts, r.format)
		if err == nil {
			_, err = r.File.Write(drawn)
		}
		if err != nil {
			return err
		}
	}
	if !r.session.Flags.Chart {
		return nil
	}
	_, err := io.WriteString(w, chart.Text(charts, r.width, r.color))
	return err
}
