package bulkcmd

import (
	"io"

	"reseller/client/bulk/decode"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/cmd/cli"
	"reseller/output"
	"reseller/output/encode"
	"reseller/output/summaryfile"
)

var (
	summaryColumns = []string{"job", "operation", "rows", "sent", "present", "differs", "duplicates", "invalid", "refused", "unknown", "requests", "retries", "seconds", "remaining"}
	stepColumns    = []string{"customers_complete", "steps", "steps_done"}
	verifyColumns  = []string{"doubled", "missing"}
	endColumns     = []string{"exit_code", "state"}
	planColumns    = []string{"operation", "rows", "send", "present", "differs", "refused", "duplicates", "invalid", "calls"}
)

func shapeOf(names []string) output.Shape {
	s := output.Shape{Single: true}
	for _, name := range names {
		s.Columns = append(s.Columns, output.Column{Name: name})
	}
	return s
}

// isForPeople reports whether the summary is printed as a table whose columns the program chooses.
func isForPeople(f *cli.Factory) bool {
	format, _ := f.Format()
	return format == encode.Table && f.Flags.JQ == "" && len(f.Flags.Columns) == 0
}

// tellOutcome keeps the sentence that says what is done, and tells it: above a table, and as a note beside what programs
// read, unless the load succeeded.
func tellOutcome(f *cli.Factory, out *cli.Out, sentence string, succeeded bool) (err error) {
	switch f.Summary.Outcome = sentence; {
	case sentence == "":
	case isForPeople(f) && !f.Flags.NoHeader:
		w, _, _ := out.Text()
		_, err = io.WriteString(w, safetext.Escape(sentence)+"\n\n")
	case !succeeded:
		f.Note("%s", sentence)
	}
	return err
}

// summaryRecord returns the summary as it is printed. A table has the figures only, unless the user names its columns:
// faults and refused rows, which are lists, were told on stderr.
func summaryRecord(f *cli.Factory, shape output.Shape, s summaryfile.Summary) record.Record {
	rec := cli.RecordOf(s)
	if !isForPeople(f) {
		return rec
	}
	names := make([]string, len(shape.Columns))
	for i, column := range shape.Columns {
		names[i] = column.Name
	}
	return rec.Only(names...)
}

// summaryRow returns a row of the summary.
func summaryRow(issue decode.Issue, status int) summaryfile.Row {
	return summaryfile.Row{
		File: issue.File, Line: cli.OrNull(issue.Line), Row: cli.OrNull(issue.Row), Record: cli.OrNull(issue.Record),
		HTTPStatus: cli.OrNull(status), Reason: safetext.Cut(issue.Reason, safetext.MaxMessage),
	}
}
