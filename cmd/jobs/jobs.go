// Package jobs has the commands on load jobs: list, show, resume and remove.
package jobs

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"reseller/client/bulk/job"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/cmd/cli"
	"reseller/cmd/form"
)

var New = cli.Group("jobs", "Show, resume and remove load jobs",
	cli.Commands{"list": newListCmd, "show": newShowCmd, "resume": newResumeCmd, "remove": newRemoveCmd})

// jobField returns the field of the argument JOB. The user picks one of the jobs on this machine, the latest first.
func jobField(session *cli.Session) *form.Field {
	field := form.Argument("JOB", "the job")
	field.Choices = func(context.Context, string) ([]form.Choice, error) {
		store, err := session.Jobs()
		if err != nil {
			return nil, err
		}
		list, err := store.List()
		if err == nil && len(list) == 0 {
			err = errors.New("there are no jobs on this machine")
		}
		var found []form.Choice
		for _, status := range slices.Backward(list) {
			_, file := filepath.Split(status.File)
			found = append(found, form.Choice{Value: status.ID, Text: phrase.With(status.ID, status.Operation, status.State, file)})
		}
		return found, err
	}
	return field
}

var (
	listColumns = []string{"job", "operation", "state", "file", "rows", "done", "started"}
	showColumns = []string{
		"job", "operation", "state", "file", "rows", "done", "started", "base_url", "profile", "shard", "sent", "present", "differs",
		"duplicates", "invalid", "refused", "unknown", "requests", "retries", "seconds", "rejects",
	}
	stepColumns = append(slices.Clone(showColumns), "customers_complete", "steps", "steps_done", "pruned")
)

type shown struct {
	State   string `json:"state" enum:"running,stopped,finished"`
	File    string `json:"file"`
	Done    int    `json:"done"`
	Started string `json:"started"`
	BaseURL string `json:"base_url"`
	Profile string `json:"profile"`
	Shard   string `json:"shard"`
	Rejects string `json:"rejects"`
	job.Summary
}

func columnsOf(s job.Status, columns []string) record.Record {
	started := s.Started.Format(time.RFC3339)
	if s.Started.IsZero() { // the write-ahead log is corrupt
		started = ""
	}
	return cli.RecordOf(shown{s.State, s.File, s.Done, started, s.BaseURL, s.Profile, s.Shard, s.Rejects, s.Summary}).Only(columns...)
}

func reportDamage(session *cli.Session, s job.Status) {
	if s.Corrupt != nil {
		session.Note("%s; remove it with %s", s.Corrupt, session.JobCommand("remove "+s.ID))
	}
}

// idOf returns the id of a job that an argument names, also as -o name prints it.
func idOf(arg string) string { return strings.TrimPrefix(arg, "job/") }

func findJob(session *cli.Session, id string) (job.Status, error) {
	store, err := session.Jobs()
	if err != nil {
		return job.Status{}, err
	}
	status, err := store.Find(id)
	return status, withHint(err)
}

// withHint gives errors of the store about an id or a running job their exit codes and hints.
func withHint(err error) error {
	switch {
	case errors.As(err, new(*job.UnknownJobError)):
		return &cli.UsageError{Message: err.Error(), Hint: "`reseller jobs list` shows the jobs"}
	case errors.As(err, new(*job.BusyError)):
		return cli.WithHint(err, "wait until it finishes, or stop it")
	}
	return err
}
