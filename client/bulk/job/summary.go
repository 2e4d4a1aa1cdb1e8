package job

import "math"

// A Summary counts the rows of a job by their states after all its runs. Rows that are
// still pending are counted in Rows only.
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

	PartialSteps bool `json:"-"` // some steps of a refused row succeeded
	Unverifiable bool `json:"-"` // the operation can't prove that an unknown row is absent
	// Refusal is the message with which the service refused most of the refused rows, and
	// SameRefusal reports whether it refused all of them with it.
	Refusal        string `json:"-"`
	SameRefusal    bool   `json:"-"`
	RejectsWritten bool   `json:"-"` // the run wrote a rejects file
	UnknownWritten bool   `json:"-"` // the run wrote a file of the rows with an unknown outcome
}

// Summarize counts the rows of a job by their states in its table.
func Summarize(h Header, t *Table) Summary {
	refusal, same := t.CommonRefusal()
	return Summary{
		Job: h.ID, Operation: h.Operation, Rows: h.ShardRows, Duplicates: h.Duplicates, Invalid: h.Invalid,
		Sent: t.Count(StateSent), Present: t.Count(StatePresent), Differs: t.Count(StateDiffers), Refused: t.Count(StateRefused),
		Refusal: refusal, SameRefusal: same,
		Unknown:  t.Count(StateAmbiguous, StateUnknown, StateInFlight, StateRejectedBatch),
		Requests: t.requests, Retries: t.retries, Seconds: math.Round(t.elapsed.Seconds()*1000) / 1000,
	}
}
