package jobs

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/record"
	"reseller/cmd/cli"
)

func newShowCmd(f *cli.Frame) *cobra.Command {
	c := &cobra.Command{
		Use:   "show JOB",
		Short: "Show a job and the outcome of its rows",
		Long: "Show a job on this machine: its address, the outcome of its rows, the file of refused rows, and on\n" +
			"stderr the rows with an unknown outcome, with the parts of each customer that are unknown.",
		Example: "reseller keywords add --server mock --file examples/keywords.csv --quiet\n" +
			"reseller jobs show \"$(reseller jobs list --jq '.[-1].job')\"",
		Args: cli.Args(1, "a JOB"),
		RunE: func(c *cobra.Command, args []string) error {
			status, err := findJob(f.Session, idOf(args[0]))
			if err != nil {
				return err
			}
			reportDamage(f.Session, status)
			switch {
			case status.Summary.Unknown == 0 || status.State == job.JobRunning:
			case status.Unknown == "":
				f.Note("no file names the rows with an unknown outcome: a load writes one at its end")
			default:
				if err := nameUnknown(f.Session, status.Unknown); err != nil {
					f.Note("the rows with an unknown outcome can't be named: %v", err)
				}
			}
			columns := showColumns
			if status.Summary.StepCounts != nil {
				columns = stepColumns
			}
			return f.Output.PrintRecords(c.Context(), "jobs", true, columns, columnsOf(status, columns))
		},
	}
	return f.Prompt.Arguments(f.SetPrinted(c, cli.Fields{Of: shown{}, Names: stepColumns}), jobField(f.Session))
}

const maxNamed = 20

// nameUnknown names the rows with an unknown outcome, from the file that the load has written of them. Of a customer, it says
// which parts are unknown.
func nameUnknown(session *cli.Session, path string) error {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return cmp.Or(err, fmt.Errorf("%s is not an ordinary file", path))
	}
	file, err := decode.Open(decode.Options{Path: path}, anyRows{})
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	header, err := file.ReadHeader()
	if err != nil {
		return err
	}
	n := 0
	for row, rowErr := range file.Rows() {
		if err = rowErr; err != nil {
			break
		}
		if n++; n > maxNamed {
			continue
		}
		get := func(column string) string {
			if i := slices.Index(header.Columns, column); i >= 0 && i < len(row.Cells) {
				return row.Cells[i]
			}
			return record.Value(row.Object).Get(column).Text()
		}
		name := cmp.Or(get("external_account_identifier"), get("account_name"), get("username"), get("keyword"), get("rank_id"), get("campaign_id"), get("account_id"))
		session.Note("%s: unknown: %s", cmp.Or(name, fmt.Sprintf("row %d", n)), get("error"))
	}
	if n > maxNamed {
		session.Note("and %d more", n-maxNamed)
	}
	session.Note("the rows with an unknown outcome are in %s", path)
	return err
}

// anyRows is the schema of a file whose columns have any names.
type anyRows struct{}

func (anyRows) Secret() bool          { return false }
func (anyRows) LineField() string     { return "" }
func (anyRows) IsLine(string) bool    { return false }
func (anyRows) IsColumn(string) bool  { return true }
func (anyRows) Fit(decode.Header) int { return 0 }
