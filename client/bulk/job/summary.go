package job

import "math"

// A Summary counts what became of the rows of a job, in all its runs. Rows that a
// run which was stopped did not reach are counted in Rows only.
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

	PartialSteps   bool `json:"-"` // rows that were refused have steps that succeeded
	Unverifiable   bool `json:"-"` // nothing shows that an unknown row is absent
	RefusedStatus  int  `json:"-"` // the HTTP status of the last refusal
	RejectsWritten bool `json:"-"`
	ResultsWritten bool `json:"-"`
}

// Summarize counts the rows of a table.
func Summarize(h Header, t *Table) Summary {
	return Summary{
		Job: h.ID, Operation: h.Operation, Rows: h.ShardRows, Duplicates: h.Duplicates, Invalid: h.Invalid,
		Sent: t.Count(StateSent), Present: t.Count(StatePresent), Differs: t.Count(StateDiffers), Refused: t.Count(StateRefused),
		RefusedStatus: t.refusedStatus,
		Unknown:       t.Count(StateAmbiguous, StateUnknown, StateInFlight, StateRejectedBatch),
		Requests:      t.requests, Retries: t.retries, Seconds: math.Round(t.elapsed.Seconds()*1000) / 1000,
	}
}
