package reports

import (
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
}

func drawCharts(session *cli.Session, to *cli.Output, c *cobra.Command, build func() figures) error {
	hasFile := c.Flags().Changed("chart-file")
	if session.Flags.Open && !hasFile {
		return cli.Usagef("--open requires --chart-file")
	}
	if !session.Flags.Chart && !hasFile {
		return nil
	}
	d := &charts{figures: build(), session: session}
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
	to.Observe, to.Draw = d.Add, d.draw
	if !hasFile {
		return nil
	}
	var err error
	if d.File, err = session.OpenFile(output.OpenFile, session.Flags.ChartFile); err == nil {
		session.AtEnd(d.Abort) // which does nothing to a file that was written
	}
	return err
}

// draw draws the charts to the output and to their file, which it returns, and notes what they leave out.
func (d *charts) draw(out *cli.Out) (*output.File, error) {
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
		if _, err := d.Write(chart.Render(drawn, d.format)); err != nil {
			return nil, err
		}
	}
	if !d.session.Flags.Chart {
		return d.File, nil
	}
	w, width, color := out.Text()
	_, err := io.WriteString(w, chart.Text(drawn, width, color))
	return d.File, err
}
