package job

// A State is the state of a row of a job, or of an item of a step.
type State uint8

const (
	StatePending       State = iota // the row was not sent, or its call was certainly not carried out
	StateInFlight                   // the batch of the row may have been sent
	StateUnknown                    // the call of the row was sent, but it is not known whether it was carried out
	StateRejectedBatch              // the service refused the batch of the row as a whole; the row is read back, and sent in a smaller batch if absent
	StateSent                       // this job sent the row
	StatePresent                    // the service held the row before the job sent it
	StateDiffers                    // the service holds the row with other content
	StateRefused                    // the service refused the row
	StateAmbiguous                  // the service holds several records that may be the row, so it is not sent
	numStates
)

// The words for the states of a row that users read.
const (
	Absent  = "absent"
	Sent    = "sent"
	Present = "present"
	Differs = "differs"
	Refused = "refused"
	Unknown = "unknown"
)

type ByState [numStates]int

var stateNames = [numStates]string{
	StatePending: "", StateInFlight: Unknown, StateUnknown: Unknown, StateRejectedBatch: Unknown, StateAmbiguous: Unknown,
	StateSent: Sent, StatePresent: Present, StateDiffers: Differs, StateRefused: Refused,
}

// String returns the word for a state, empty for a row that is pending.
func (s State) String() string { return stateNames[s] }

// StateOf returns the state for a word. The empty word is StateSent, Absent is
// StatePending, and a word that is none of the constants is StateUnknown.
func StateOf(word string) State {
	switch word {
	case "", Sent:
		return StateSent
	case Absent:
		return StatePending
	case Present:
		return StatePresent
	case Differs:
		return StateDiffers
	case Refused:
		return StateRefused
	}
	return StateUnknown
}

// Succeeded reports whether the service holds the row or item. If it holds the item of
// a row's first step, the row's later steps may follow.
func (s State) Succeeded() bool { return s == StateSent || s == StatePresent || s == StateDiffers }

// IsUnfinished reports whether a run still has to send or reconcile a row in this state.
func (s State) IsUnfinished() bool {
	return s == StatePending || s == StateInFlight || s == StateUnknown || s == StateRejectedBatch
}
