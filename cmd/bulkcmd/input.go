package bulkcmd

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/lookup"
	"reseller/output"
	"reseller/output/encode"
	"reseller/output/summaryfile"
)

type InputFlags struct {
	Path      string
	ListNeeds string // as in decode.Options

	format, example string
	sheet, encoding string
	source          *rows.Source // of the file, once it has been opened
	mapping         mappingFlags
	visible         bool
	onInvalid       string // empty if the command has no such flag
	sends           bool   // the command sends the rows
	command         *cobra.Command
}

func (in *InputFlags) Given() bool { return in.Path != "" || in.example != "" }

// AddIDsTo adds the flags to a command whose file has ids in csv, or another text whose columns have the names of fields.
func (in *InputFlags) AddIDsTo(c *cobra.Command, session *cli.Session, formats ...string) {
	c.PreRunE, in.command = in.check, c
	flags := c.Flags()
	flags.StringVarP(&in.Path, "file", "f", "", "read rows from `FILE`: a file, a folder of files, or - for stdin")
	flags.StringVar(&in.format, "input-format", "", "`FORMAT` of the file: "+phrase.Or(formats)+" (default: by the name of the file, or how it begins)")
	session.Flags.AddSummaryFile(c)
	cli.Offer(c, "input-format", formats...)
}

// AddTo adds the flags to a command whose file may be any table.
func (in *InputFlags) AddTo(c *cobra.Command, session *cli.Session, formats ...string) {
	in.AddIDsTo(c, session, formats...)
	flags := c.Flags()
	flags.StringVar(&in.sheet, "sheet", "", "`NAME` or number of the sheet of a workbook (default: the one with most of the required columns, or the first)")
	flags.BoolVar(&in.visible, "visible-rows", false, "leave out the rows of a sheet that are hidden or filtered out")
	flags.StringVar(&in.encoding, "encoding", "", "`ENCODING` of a text, such as windows-1252 (default: UTF-8, or UTF-16 with a byte-order mark)")
	in.mapping.addTo(c)
	flags.BoolVar(&session.Flags.Strict, "strict", false, "refuse cells that would be repaired, such as country names and white space around a text")
	flags.StringVar(&in.example, "example", "", "print a sample file in this `FORMAT`: "+phrase.Or(rows.TemplateFormats))
	cli.Offer(c, "encoding", decode.Encodings...)
	cli.Offer(c, "example", rows.TemplateFormats...)
}

// AddValidation adds the flags about invalid rows. stops says what stop means.
func (in *InputFlags) AddValidation(c *cobra.Command, session *cli.Session, stops string) {
	c.Flags().StringVar(&in.onInvalid, "on-invalid", "stop", "`ACTION` for invalid rows: stop ("+stops+") or skip (default stop)")
	c.Flags().BoolVar(&session.Flags.NoValidate, "no-validate", false, "do not validate values before sending them")
	cli.Offer(c, "on-invalid", "stop", bulk.Skip)
}

// Skips reports whether invalid rows are left out.
func (in *InputFlags) Skips() bool { return in.onInvalid == bulk.Skip }

// Refuse makes rows invalid that a comparison with the service has found to be so. It notes which, if invalid rows are
// skipped, and otherwise returns them as an error.
func (in *InputFlags) Refuse(session *cli.Session, outcome *cli.Outcome, faults []rows.Fault) error {
	n, err := in.source.RefuseRows(faults)
	countRows(outcome, in.source)
	return in.skipInvalid(session, outcome, err, n, in.source.Report.Send)
}

var fileFlags = []string{
	"input-format", "sheet", "encoding", "map", "map-file", "save-map", "ignore-unknown", "strict", "visible-rows",
	"rejects", "results", "unknown", "shard", "update-existing", "verify",
}

// check rejects flags without a value, and those that have no effect without a file.
func (in *InputFlags) check(c *cobra.Command, _ []string) error {
	for _, name := range fileFlags {
		switch flag := c.Flags().Lookup(name); {
		case flag == nil || !flag.Changed:
		case !in.Given():
			return cli.Usagef("--%s requires --file", name)
		case flag.Value.String() == "": // such as that of an unset variable: all shards would load everything
			return cli.Usagef("--%s: the value is empty", name)
		}
	}
	return nil
}

func (in *InputFlags) Example(session *cli.Session, to *cli.Output, res *schema.Resource, use schema.Use) (shown bool, err error) {
	if in.example == "" {
		return false, nil
	}
	if in.example == string(encode.XLSX) && session.ToTerminal() {
		return true, &cli.UsageError{Message: "--example xlsx: a terminal can't show it", Hint: "write it to a file with --output-file FILE.xlsx, or to a pipe"}
	}
	return true, to.Written(output.OpenFile, func(w io.Writer) error { return rows.WriteTemplate(res, use, in.example, w) })
}

// Rows returns the rows of the file. Constants are values of all rows. Duplicates are
// reported and omitted, and an invalid row is an error.
func (in *InputFlags) Rows(ctx context.Context, f *cli.Frame, spec rows.Schema, constants schema.Values) ([]rows.Row, error) {
	source, err := in.Source(ctx, f, spec, constants)
	if err != nil {
		return nil, err
	}
	defer func() { _ = source.Close() }()
	var all []rows.Row
	for row, err := range source.All() {
		if err != nil {
			return nil, err
		}
		all = append(all, rows.Clone(*row)...)
	}
	if len(all) == 0 {
		f.Note("%s has no rows", source.File.Name)
	}
	return all, nil
}

// Source opens the file and validates its rows: an invalid one is an error, unless --on-invalid skips it. Constants are
// values of all rows. The caller closes the source.
func (in *InputFlags) Source(ctx context.Context, f *cli.Frame, spec rows.Schema, constants schema.Values) (*rows.Source, error) {
	source, err := in.open(ctx, f, spec, constants)
	if err != nil {
		return nil, err
	}
	err = in.validate(ctx, f, nil)
	countRows(f.Outcome, source)
	if err != nil {
		_ = source.Close()
		return nil, err
	}
	return source, nil
}

func (in *InputFlags) open(ctx context.Context, f *cli.Frame, spec rows.Schema, constants schema.Values) (*rows.Source, error) {
	if err := cli.CheckOutputPath("--save-map", in.mapping.saveTo); err != nil {
		return nil, err
	}
	f.Outcome.Summary.Input = in.Path
	f.Outcome.RemoveOld()
	if in.onInvalid != "" && in.onInvalid != "stop" && in.onInvalid != bulk.Skip {
		return nil, cli.Usagef("--on-invalid: %q is neither stop nor skip", in.onInvalid)
	}
	if f.Flags.Strict && !spec.Validate {
		return nil, cli.Usagef("--strict and --no-validate can't be used together")
	}
	finder := lookup.ForWrite(f.Session)
	if spec.OnlyIDs {
		finder = lookup.New(f.Session)
	}
	spec.Strict, spec.VisibleRows, spec.References = f.Flags.Strict, in.visible, finder.References(ctx)
	if err := in.mapping.set(ctx, f.Session, f.Prompt, in.Path, &spec); err != nil {
		return nil, err
	}
	spec.Constants = map[string]string{}
	for name, v := range constants {
		spec.Constants[name] = v.Text()
	}
	source, err := cli.WithContext(ctx, func() (*rows.Source, error) {
		return rows.Open(decode.Options{Path: in.Path, Stdin: f.In, Format: in.format, Sheet: in.sheet, Encoding: in.encoding, OnlyTexts: spec.OnlyIDs, ListNeeds: in.ListNeeds}, spec)
	})
	if in.source = source; err == nil {
		f.Outcome.Summary.Files = source.File.Parts
	}
	return source, err
}

// Place returns words for the place of a row of the file, which has been opened: its line,
// or in a workbook its row, behind the name of its file in a folder.
func (in *InputFlags) Place(line int) string { return in.source.Place(line) }

func (in *InputFlags) Origin(row *rows.Row) *summaryfile.Row {
	origin := summaryRow(in.source.Issue(row, ""), 0)
	return &origin
}

// validate validates all rows, and reports what is invalid as an error, or as a note
// if invalid rows are skipped. It saves the mapping of the columns, if it is to be saved. refuse may make more rows invalid, and
// adds them to the error; it may be nil.
func (in *InputFlags) validate(ctx context.Context, f *cli.Frame, refuse func(context.Context, error) error) error {
	_, err := in.source.Validate(ctx)
	if replaced, failed := in.askRepeated(ctx, f, err); failed != nil {
		return failed
	} else if replaced {
		_, err = in.source.Validate(ctx)
	}
	if refuse != nil {
		err = refuse(ctx, err)
	}
	report := in.source.Report
	for _, note := range slices.Concat(in.source.File.Notes, report.Notes) {
		f.Note("%s", note)
	}
	if err == nil || decode.InvalidRow(err) {
		if saveErr := in.mapping.save(f.Session, in.source); saveErr != nil {
			return saveErr
		}
	}
	return in.skipInvalid(f.Session, f.Outcome, err, report.Invalid, report.Send)
}

// skipInvalid notes which rows of the shard are invalid, if they are skipped, and otherwise returns err, with a hint that
// they can be. n is the number of these rows, valid that of the others.
func (in *InputFlags) skipInvalid(session *cli.Session, outcome *cli.Outcome, err error, n, valid int) error {
	invalidRows, ok := errors.AsType[*decode.Error](err)
	if !ok || invalidRows.Fatal {
		return err
	}
	if in.onInvalid != bulk.Skip {
		if in.onInvalid != "" && valid > 0 && invalidRows.Hint == "" {
			invalidRows.Hint = "--on-invalid skip goes on with the valid rows"
			if slices.ContainsFunc(invalidRows.Issues, func(i decode.Issue) bool { return i.Reason == decode.NoText }) {
				invalidRows.Hint = "--encoding windows-1252 reads a csv of an older Excel"
			}
			if in.sends && !session.Flags.DryRun {
				invalidRows.Hint = "nothing was sent; " + invalidRows.Hint
			}
		}
		return err
	}
	if own := invalidRows.InShard(); n > 0 {
		outcome.AddFaults(own)
		session.Note("%s skipped", phrase.Count(n, "invalid row is", "invalid rows are"))
		for line := range strings.SplitSeq(own.Error(), "\n") {
			session.Note("skipped: %s", line)
		}
	}
	return nil
}

func countRows(outcome *cli.Outcome, source *rows.Source) {
	report := source.Report
	s := &outcome.Summary.Summary
	s.Rows, s.Duplicates, s.Invalid = report.Rows, report.Duplicates, report.Invalid
	s.Remaining = s.Rows - s.Present - s.Differs - s.Duplicates - s.Invalid - s.Refused - s.Unknown
}
