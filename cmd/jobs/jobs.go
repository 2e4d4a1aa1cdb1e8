// Package jobs has the commands on load jobs: list, show, resume and remove.
package jobs

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"reseller/client/bulk/job"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/cmd/ask"
	"reseller/cmd/cli"
	"reseller/cmd/form"
)

// New returns the group.
func New(f *cli.Factory) *cobra.Command {
	return cli.Group("jobs", "Show, resume and remove load jobs",
		newListCmd(f, nil), newShowCmd(f, nil), newResumeCmd(f, nil), newRemoveCmd(f, nil))
}

// jobField returns the field of the argument JOB. The user picks one of the jobs on this machine, the latest first.
func jobField(f *cli.Factory) *form.Field {
	field := ask.Argument("JOB", "the job")
	field.Choices = func(context.Context, string) ([]form.Choice, error) {
		store, err := f.Jobs()
		if err != nil {
			return nil, err
		}
		list, err := store.List()
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, errors.New("there are no jobs on this machine")
		}
		var found []form.Choice
		for _, status := range slices.Backward(list) {
			_, file := filepath.Split(status.File)
			found = append(found, form.Choice{Value: status.ID, Text: phrase.With(status.ID, status.Operation, status.State, file)})
		}
		return found, nil
	}
	return field
}

var (
	listColumns = []string{"job", "operation", "state", "file", "rows", "done", "started"}
	showColumns = []string{
		"job", "operation", "state", "file", "rows", "done", "started", "base_url", "profile", "shard", "sent", "present", "differs",
		"duplicates", "invalid", "refused", "unknown", "requests", "retries", "seconds", "rejects",
	}
)

// A jobSummary is a job in the list.
type jobSummary struct {
	Job       string `json:"job"`
	Operation string `json:"operation"`
	State     string `json:"state"`
	File      string `json:"file"`
	Rows      int    `json:"rows"`
	Done      int    `json:"done"`
	Started   string `json:"started"`
}

func summaryOf(s job.Status) jobSummary {
	b := jobSummary{s.ID, s.Operation, s.State, s.File, s.ShardRows, s.Done, s.Started.Format(time.RFC3339)}
	if s.Started.IsZero() { // the write-ahead log is corrupt
		b.Started = ""
	}
	return b
}

// reportDamage prints a note about a job whose write-ahead log is corrupt.
func reportDamage(f *cli.Factory, s job.Status) {
	if s.Corrupt != nil {
		f.Note("%s; remove it with %s", s.Corrupt, f.JobCommand("remove "+s.ID))
	}
}

func detailOf(s job.Status) record.Record {
	sum := s.Summary
	return cli.RecordOf(struct {
		jobSummary
		BaseURL    string  `json:"base_url"`
		Profile    string  `json:"profile"`
		Shard      string  `json:"shard"`
		Sent       int     `json:"sent"`
		Present    int     `json:"present"`
		Differs    int     `json:"differs"`
		Duplicates int     `json:"duplicates"`
		Invalid    int     `json:"invalid"`
		Refused    int     `json:"refused"`
		Unknown    int     `json:"unknown"`
		Requests   int     `json:"requests"`
		Retries    int     `json:"retries"`
		Seconds    float64 `json:"seconds"`
		Rejects    string  `json:"rejects"`
	}{
		summaryOf(s), s.BaseURL, s.Profile, s.Shard, sum.Sent, sum.Present, sum.Differs, sum.Duplicates, sum.Invalid,
		sum.Refused, sum.Unknown, sum.Requests, sum.Retries, sum.Seconds, s.Rejects,
	})
}

// findJob returns the job with an id.
func findJob(f *cli.Factory, id string) (job.Status, error) {
	store, err := f.Jobs()
	if err != nil {
		return job.Status{}, err
	}
	status, err := store.Find(id)
	return status, usageError(err)
}

// usageError turns errors of the store about an id or a running job into usage errors.
func usageError(err error) error {
	var unknown *job.UnknownJobError
	var busy *job.BusyError
	switch {
	case errors.As(err, &unknown):
		return &cli.UsageError{Message: err.Error(), Hint: "`reseller jobs list` shows the jobs"}
	case errors.As(err, &busy):
		return &cli.UsageError{Message: err.Error(), Hint: "wait until it finishes, or stop it"}
	}
	return err
}
