package jobs

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"reseller/client/bulk/decode"
	"reseller/client/record"
	"reseller/cmd/cli"
)

func newShowCmd(f *cli.Factory) *cobra.Command {
	c := &cobra.Command{
		Use:   "show JOB",
		Short: "Show a job and the outcome of its rows",
		Long: "Show a job on this machine: its address, the outcome of its rows, the file of refused rows, and on\n" +
			"stderr the rows with an unknown outcome, with the parts of each customer that are unknown.",
		Example: "reseller keywords add --server mock --file examples/keywords.csv --quiet\n" +
			"reseller jobs show \"$(reseller jobs list --jq '.[-1].job')\"",
		Args: cli.ExactArgs("a JOB"),
		RunE: func(c *cobra.Command, args []string) error {
			status, err := findJob(f, args[0])
			if err != nil {
				return err
			}
			reportDamage(f, status)
			if status.Summary.Unknown > 0 && status.Unknown != "" {
				if err := nameUnknown(f, status.Unknown); err != nil {
					return err
				}
			}
			return f.PrintRecords(c.Context(), "jobs", true, showColumns, columnsOf(status, showColumns))
		},
	}
	return f.Arguments(c, jobField(f))
}

// maxNamed is the number of rows that nameUnknown names.
const maxNamed = 20

// nameUnknown names the rows in the file that a load has written of its rows with an unknown outcome, and says what is
// unknown of each: of a customer, which parts.
func nameUnknown(f *cli.Factory, path string) error {
	file, err := decode.Open(decode.Options{Path: path}, anyRows{})
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	header, err := file.ReadHeader()
	if err != nil {
		return err
	}
	all, err := file.Decoder()
	for n := 0; n < maxNamed && err == nil; n++ {
		var row decode.RawRow
		if err = all.Next(&row); err == nil {
			rec := recordOf(header.Columns, row)
			f.Note("%s: unknown: %s", nameOf(rec), rec.Get("error").Text())
		}
	}
	if !errors.Is(err, io.EOF) && err != nil {
		return err
	}
	f.Note("the rows with an unknown outcome are in %s", path)
	return nil
}

// recordOf returns a row with the names of its columns.
func recordOf(columns []string, row decode.RawRow) record.Record {
	if row.Object != nil {
		rec, _ := record.Parse(row.Object) // an object that this program wrote
		return rec
	}
	var pairs []record.Pair
	for i, cell := range row.Cells[:min(len(row.Cells), len(columns))] {
		pairs = append(pairs, record.Pair{Name: columns[i], Value: record.Quote(cell)})
	}
	return record.Of(pairs...)
}

// nameOf returns what people call a row: of one without a name, its first field.
func nameOf(rec record.Record) string {
	for _, name := range []string{"external_account_identifier", "account_name", "username", "keyword"} {
		if text := rec.Get(name).Text(); text != "" {
			return text
		}
	}
	for name, v := range rec.Fields() {
		if v.Text() != "" {
			return name + " " + v.Text()
		}
	}
	return "a row"
}

// anyRows is the schema of a file whose columns have any names.
type anyRows struct{}

func (anyRows) Secret() bool                  { return false }
func (anyRows) LineField() string             { return "" }
func (anyRows) IsColumn(string) bool          { return true }
func (anyRows) IsComplete(decode.Header) bool { return true }
