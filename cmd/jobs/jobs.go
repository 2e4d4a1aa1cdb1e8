// Package jobs has the commands on loads: what was begun, how far it is, and
// what is left of it.
package jobs

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"reseller/client/bulk/job"
	"reseller/client/record"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
)

// New makes the group.
func New(f *cli.Factory) *cobra.Command {
	return cli.Group("jobs", "Show, resume and remove load jobs",
		newListCmd(f, nil), newShowCmd(f, nil), newResumeCmd(f, nil), newRemoveCmd(f, nil))
}

var (
	listColumns = []string{"job", "operation", "state", "file", "rows", "done", "started"}
	showColumns = []string{
		"job", "operation", "state", "file", "rows", "done", "started", "base_url", "profile", "shard", "sent", "present", "differs",
		"duplicates", "invalid", "refused", "unknown", "requests", "retries", "seconds", "rejects",
	}
)

// brief is a job in the list.
type brief struct {
	Job       string `json:"job"`
	Operation string `json:"operation"`
	State     string `json:"state"`
	File      string `json:"file"`
	Rows      int    `json:"rows"`
	Done      int    `json:"done"`
	Started   string `json:"started"`
}

func briefly(s job.Status) brief {
	b := brief{s.ID, s.Operation, s.State, s.File, s.ShardRows, s.Done, s.Started.Format(time.RFC3339)}
	if s.Started.IsZero() { // damaged
		b.Started = ""
	}
	return b
}

// tellDamage tells of a journal that can't be gone on with.
func tellDamage(f *cli.Factory, s job.Status) {
	if s.Corrupt != nil {
		f.Note("%s; remove it with `reseller jobs remove %s`", s.Corrupt, s.ID)
	}
}

func whole(s job.Status) record.Record {
	sum := s.Summary
	return cli.RecordOf(struct {
		brief
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
		briefly(s), s.BaseURL, s.Profile, s.Shard, sum.Sent, sum.Present, sum.Differs, sum.Duplicates, sum.Invalid,
		sum.Refused, sum.Unknown, sum.Requests, sum.Retries, sum.Seconds, s.Rejects,
	})
}

// find is the job of an id, or an error with what to do.
func find(f *cli.Factory, id string) (job.Status, error) {
	store, err := bulkcmd.Jobs(f)
	if err != nil {
		return job.Status{}, err
	}
	status, err := store.Find(id)
	return status, usage(err)
}

// usage sorts what the store says about a wrong id or a busy job.
func usage(err error) error {
	var unknown *job.UnknownJobError
	var busy *job.BusyError
	switch {
	case errors.As(err, &unknown):
		return &cli.UsageError{Message: err.Error(), Hint: "`reseller jobs list` shows the jobs"}
	case errors.As(err, &busy):
		return &cli.UsageError{Message: err.Error(), Hint: "wait for it, or stop it"}
	}
	return err
}
