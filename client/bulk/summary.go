package bulk

import "reseller/client/record"

// The states of a row that was to be sent.
const (
	Sent    = "sent"
	Present = "present" // the service held it already
	Differs = "differs" // the service holds it with other content
	Refused = "refused"
	Unknown = "unknown" // no answer told whether it is in
)

// Outcome is what became of one row.
type Outcome struct {
	State      string // Sent where it is empty
	HTTPStatus int
	Message    string
	Result     record.Record // what the service gave for the row
}

// Summary counts what became of the rows. Rows that a run which was stopped
// did not come to are in Rows only.
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

	RefusedStatus int  `json:"-"` // the HTTP status of the last refusal
	Rejected      bool `json:"-"` // a rejects file was written
}

func (s *Summary) count(state string) {
	switch state {
	case Sent, "":
		s.Sent++
	case Present:
		s.Present++
	case Differs:
		s.Differs++
	case Refused:
		s.Refused++
	default:
		s.Unknown++
	}
}
