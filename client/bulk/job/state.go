package job

// A State is the state of a row of a job, or of an item of a step.
type State uint8

const (
	StatePending       State = iota // the row was not sent, or was certainly not carried out
	StateInFlight                   // the batch of the row may have been sent
	StateUnknown                    // the call was sent, but it is not known whether it was carried out
	StateRejectedBatch              // the batch was refused as a whole; its rows are read back and sent in smaller batches
	StateSent                       // this job sent the row
	StatePresent                    // the service held the row before
	StateDiffers                    // the service holds the row with other content
	StateRefused                    // the service refused the row
	StateAmbiguous                  // several records of the service may be the row; it is not sent
	numStates
)

// The words for what became of a row, as users read them.
const (
	Absent  = "absent"
	Sent    = "sent"
	Present = "present"
	Differs = "differs"
	Refused = "refused"
	Unknown = "unknown"
)

var stateNames = [numStates]string{
	StatePending: "", StateInFlight: Unknown, StateUnknown: Unknown, StateRejectedBatch: Unknown, StateAmbiguous: Unknown,
	StateSent: Sent, StatePresent: Present, StateDiffers: Differs, StateRefused: Refused,
}

// String returns the word for a state, empty for a row that is pending.
func (s State) String() string { return stateNames[s] }

// StateOf returns the state for a word. No word stands for sent, and a word that is
// none of those above for an unknown outcome.
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

// Succeeded reports whether the service holds the row or item, so that later steps may
// follow.
func (s State) Succeeded() bool { return s == StateSent || s == StatePresent || s == StateDiffers }

// isUnfinished reports whether a run has something left to do about a row.
func (s State) isUnfinished() bool {
	return s == StatePending || s == StateInFlight || s == StateUnknown || s == StateRejectedBatch
}
