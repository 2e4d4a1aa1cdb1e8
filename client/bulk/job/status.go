package job

import (
	"errors"
	"io/fs"
	"iter"
	"math"
	"os"
	"slices"

	"reseller/client/bulk/wal"
)

// The states of a job.
const (
	JobRunning  = "running"
	JobStopped  = "stopped" // no process works on the job, and it is not finished
	JobFinished = "finished"
)

type Status struct {
	Header
	State   string // JobRunning, JobStopped or JobFinished
	Done    int    // the number of rows with an outcome, of those that Summary counts
	Summary Summary
	Rejects string // the path of the rejects file, empty if there is none
	Unknown string // the same of the file for rows with an unknown outcome
	Corrupt error  // a *CorruptError, nil if the log is sound; the status counts only events before the corruption
	Table   *Table // the states of the rows; nil in a List
}

// statuses yields the jobs that isWanted names, oldest first, without those that another process removes meanwhile.
func (s Store) statuses(isWanted func(h *Header) bool) iter.Seq2[Status, error] {
	return func(yield func(Status, error) bool) {
		all, err := s.headers()
		if err != nil {
			yield(Status{}, err)
		}
		for i := range all {
			if !isWanted(&all[i]) {
				continue
			}
			if status, err := s.status(all[i]); !errors.Is(err, fs.ErrNotExist) && !yield(status, err) {
				return
			}
		}
	}
}

func (s Store) List() (all []Status, err error) {
	for status, err := range s.statuses(func(*Header) bool { return true }) {
		if err != nil {
			return nil, err
		}
		status.Table = nil // which takes memory for each row
		all = append(all, status)
	}
	return all, nil
}

func (s Store) Find(id string) (Status, error) {
	for status, err := range s.statuses(func(h *Header) bool { return h.ID == id }) {
		return status, err
	}
	return Status{}, &UnknownJobError{id}
}

// Unfinished returns the job that Begin would resume for a load, and reports whether there is one. It changes nothing.
func (s Store) Unfinished(k Key) (status Status, ok bool, err error) {
	all, err := s.headers()
	if err != nil {
		return status, false, err
	}
	old := latest(all, k.Hash())
	if old == nil || old.Operation == "" {
		return status, false, nil
	}
	status, err = s.status(*old)
	return status, err == nil && status.State != JobFinished && status.Corrupt == nil, err
}

// HoldsRows reports whether an unfinished job of an operation has sent rows of a file with this digest, or may be sending
// them, whoever began it and for whichever address.
func (s Store) HoldsRows(operation, digest, shard string) bool {
	isWanted := func(h *Header) bool { return h.Operation == operation && h.Digest == digest && h.Shard == shard }
	for status, err := range s.statuses(isWanted) {
		sum := &status.Summary
		if err == nil && (status.State == JobRunning || status.State == JobStopped && sum.Sent+sum.Present+sum.Refused > 0) {
			return true
		}
	}
	return false
}

// Preview returns a job that is not recorded on disk, for a dry run. Its Memories are those that Begin's job would have.
func (s Store) Preview(h Header, rows int) *Job {
	return &Job{Header: h, Recorder: NewRecorder(rows), store: s}
}

// PreviewResumed is Preview for a load that resumes a job, which goes on from the states of its rows.
func (s Store) PreviewResumed(old *Status) *Job {
	return &Job{Header: old.Header, Recorder: &Recorder{table: old.Table, log: &wal.Log{}}, store: s}
}

func (s Store) status(h Header) (Status, error) {
	status := Status{Header: h, State: JobStopped}
	path, table := s.path(h.ID, logSuffix), NewTable(h.Rows)
	err := read(path, h.ID, &Header{}, &table)
	if corrupt, ok := errors.AsType[*CorruptError](err); ok {
		status.Corrupt = corrupt
	} else if err != nil {
		return status, err
	}
	switch {
	case s.isRunning(h.ID):
		status.State = JobRunning
		for _, t := range table.all() {
			t.setState(StatePending, t.RowsIn(StateInFlight)) // their calls are under way
		}
	case table.finished:
		status.State = JobFinished
	default:
		on := BootClock()()
		for _, t := range table.all() {
			t.recoverInFlight(on)
		}
	}
	table.RollUp()
	status.Summary, status.Table = Summarize(h, table), table
	status.Done = status.Summary.Duplicates + status.Summary.Invalid + table.Done()
	if status.Summary.StepCounts != nil {
		status.Done -= status.Summary.Pruned
	}
	for file, path := range table.written {
		if _, err := os.Stat(path); err != nil {
			table.written[file] = ""
		}
	}
	status.Rejects, status.Unknown = table.written[RejectsFile], table.written[UnknownFile]
	return status, nil
}

// Remove removes a job. Which rows it sent in the last day is remembered. If the job is running, it returns a *BusyError.
func (s Store) Remove(id string) error {
	unlock, err := s.lockAll()
	if err != nil {
		return err
	}
	defer unlock()
	status, err := s.Find(id)
	if err != nil {
		return err
	}
	if status.State == JobRunning {
		return &BusyError{ID: id}
	}
	s.retire(id)
	return nil
}

// A Summary counts the rows of a job by their states after all its runs. Each of the rows is
// in exactly one of the counts up to Unknown, or in Remaining. Appended rows that are done are in Pruned instead, and no rows.
type Summary struct {
	Job        string  `json:"job"`
	Operation  string  `json:"operation"`
	Rows       int     `json:"rows"`
	Sent       int     `json:"sent"`
	Present    int     `json:"present"`
	Differs    int     `json:"differs"`
	Duplicates int     `json:"duplicates"`
	Invalid    int     `json:"invalid"`
	Refused    int     `json:"refused"`
	Unknown    int     `json:"unknown"`
	Requests   *int    `json:"requests"` // null, as Retries, if a run was killed, or has not ended: it has not told its own
	Retries    *int    `json:"retries"`
	Seconds    float64 `json:"seconds"`
	Remaining  int     `json:"remaining"` // rows that are still to be sent
	*StepCounts
	*Verification

	Earlier        int     `json:"-"` // rows that earlier runs have done, and that are not compared again
	PartialSteps   bool    `json:"-"` // some steps of a refused row succeeded
	MissingIn      ByState `json:"-"` // Missing, by the state of the row
	Altered        int     `json:"-"` // rows and items that differ although the service has acknowledged them
	Differing      int     `json:"-"` // rows of which any step differs, whatever the others say
	Unlisted       int     `json:"-"` // of those, the ones that the service does not list yet
	SentInPart     int     `json:"-"` // rows that differ, and of which a part was sent
	InPart         int     `json:"-"` // rows whose first step succeeded, and that the service does not hold with all their items
	Unverifiable   bool    `json:"-"` // no later run finds out what became of the unknown rows, unless the service shows them
	MayBeShown     bool    `json:"-"` // the service can be asked for some of the unknown rows
	Unfit          int     `json:"-"` // refused rows that could not be sent, so that the service has not refused them
	Refusal        string  `json:"-"` // the message with which the service refused rows, and how often, if not all
	RejectsWritten bool    `json:"-"` // the run wrote a rejects file
	UnknownWritten bool    `json:"-"` // the run wrote a file of the rows with an unknown outcome
}

// StepCounts count the finished parts of a job with steps, each row of which is a customer.
type StepCounts struct {
	CustomersComplete int `json:"customers_complete"` // rows that the service holds with all their items
	Steps             int `json:"steps"`              // the items of all steps
	StepsDone         int `json:"steps_done"`         // items that were sent or refused, or that the service held before
	Pruned            int `json:"pruned"`             // appended rows that are done
}

// A Verification counts the rows that should be in the service, and that its last reading showed
// otherwise. A summary has none if the service was not read again after the load.
type Verification struct {
	Doubled int `json:"doubled"` // rows that the service holds more than once
	Missing int `json:"missing"` // rows that it does not show
}

func Summarize(h Header, t *Table) Summary {
	sum := Summary{
		Job: h.ID, Operation: h.Operation, Rows: h.ShardRows + h.Appended, Duplicates: h.Duplicates, Invalid: h.Invalid,
		Sent: t.Count(StateSent), Present: t.Count(StatePresent), Differs: t.Count(StateDiffers), Refused: t.Count(StateRefused),
		Differing: t.Count(StateDiffers), Refusal: t.CommonRefusal(),
		Unknown: t.Count(StateAmbiguous, StateUnknown, StateInFlight, StateRejectedBatch),
		Seconds: math.Round(t.elapsed.Seconds()*1000) / 1000,
	}
	if t.hasEnded && !t.uncounted {
		sum.Requests, sum.Retries = &t.requests, &t.retries
	}
	for _, table := range t.all() {
		for _, row := range table.RowsIn(StateDiffers) {
			if table.Reason(row).IsAcknowledged() {
				sum.Altered++
			}
		}
	}
	for _, row := range t.RowsIn(StateRefused) {
		if len(t.Steps()) == 0 && t.Reason(row).HTTPStatus == 0 {
			sum.Unfit++
		}
	}
	left := sum.Rows - sum.Duplicates - t.Done() - t.Count(StateUnknown, StateInFlight, StateRejectedBatch)
	// Rows that were invalid when the job began may have been sent by a later run that made fewer checks.
	sum.Invalid = min(sum.Invalid, left)
	sum.Remaining = left - sum.Invalid
	if steps := t.Steps(); len(steps) > 0 {
		sum.Differing = 0
		sum.StepCounts = &StepCounts{}
		for _, s := range steps {
			sum.Steps, sum.StepsDone = sum.Steps+s.Len(), sum.StepsDone+s.known()
		}
		for row := range uint32(t.Len()) {
			if steps[0].Succeeded(row) && !t.State(row).Succeeded() {
				sum.InPart++
			}
			if slices.ContainsFunc(steps, func(s *StepTable) bool { return slices.Contains(s.statesOf(row), StateDiffers) }) {
				if sum.Differing++; t.State(row) == StateDiffers && slices.ContainsFunc(steps, func(s *StepTable) bool { return slices.Contains(s.statesOf(row), StateSent) }) {
					sum.SentInPart++
				}
			}
			if int(row) >= t.Len()-h.Appended && t.State(row).Succeeded() {
				of := map[State]*int{StateSent: &sum.Sent, StatePresent: &sum.Present, StateDiffers: &sum.Differs}
				*of[t.State(row)]--
				sum.Rows--
				sum.Pruned++
			} else if t.State(row).Succeeded() && !slices.ContainsFunc(steps, func(s *StepTable) bool { return s.isAltered(row) }) {
				sum.CustomersComplete++
			}
		}
	}
	return sum
}
