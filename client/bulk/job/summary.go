package job

import (
	"math"
	"slices"
)

// A Summary counts the rows of a job by their states after all its runs. Each of the rows is
// in exactly one of the counts up to Unknown, or in Remaining.
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
	Requests   int     `json:"requests"`
	Retries    int     `json:"retries"`
	Seconds    float64 `json:"seconds"`
	Remaining  int     `json:"remaining"` // rows that are still to be sent
	*StepCounts
	*Verification

	PartialSteps   bool   `json:"-"` // some steps of a refused row succeeded
	Differing      int    `json:"-"` // rows of which any step differs, whatever the others say
	InPart         int    `json:"-"` // rows whose first step succeeded, and that the service does not hold with all their items
	Unverifiable   bool   `json:"-"` // no later run finds out what became of the unknown rows
	Refusal        string `json:"-"` // the message with which the service refused rows, and how often, if not all
	RejectsWritten bool   `json:"-"` // the run wrote a rejects file
	UnknownWritten bool   `json:"-"` // the run wrote a file of the rows with an unknown outcome
}

// StepCounts count what is done of a job with steps, each row of which is a customer.
type StepCounts struct {
	CustomersComplete int `json:"customers_complete"` // rows that the service holds with all their items
	Steps             int `json:"steps"`              // the items of all steps
	StepsDone         int `json:"steps_done"`         // items with a final state
}

// A Verification counts the rows that should be in the service, and that its last reading showed
// otherwise. A summary has none if the service was not read again after the load.
type Verification struct {
	Doubled int `json:"doubled"` // rows that the service holds more than once
	Missing int `json:"missing"` // rows that it does not show
}

// Summarize counts the rows of a job by their states in its table.
func Summarize(h Header, t *Table) Summary {
	sum := Summary{
		Job: h.ID, Operation: h.Operation, Rows: h.ShardRows, Duplicates: h.Duplicates, Invalid: h.Invalid,
		Sent: t.Count(StateSent), Present: t.Count(StatePresent), Differs: t.Count(StateDiffers), Refused: t.Count(StateRefused),
		Differing: t.Count(StateDiffers), Refusal: t.CommonRefusal(),
		Unknown:  t.Count(StateAmbiguous, StateUnknown, StateInFlight, StateRejectedBatch),
		Requests: t.requests, Retries: t.retries, Seconds: math.Round(t.elapsed.Seconds()*1000) / 1000,
	}
	left := sum.Rows - sum.Duplicates - t.Done() - t.Count(StateUnknown, StateInFlight, StateRejectedBatch)
	// Rows that were invalid when the job began may have been sent by a later run that made fewer checks.
	sum.Invalid = min(sum.Invalid, left)
	sum.Remaining = left - sum.Invalid
	if steps := t.Steps(); len(steps) > 0 {
		sum.Differing = 0
		sum.StepCounts = &StepCounts{CustomersComplete: t.Count(StateSent, StatePresent, StateDiffers)}
		for _, s := range steps {
			sum.Steps, sum.StepsDone = sum.Steps+s.Len(), sum.StepsDone+s.Done()
		}
		for row := range uint32(t.Len()) {
			if t.FirstStepSucceeded(row) && !t.State(row).Succeeded() {
				sum.InPart++
			}
			if slices.ContainsFunc(steps, func(s *StepTable) bool { return s.differs(row) }) {
				sum.Differing++
			}
		}
	}
	return sum
}
