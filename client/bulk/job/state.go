package job

// A State is how far a row of a job has come.
type State uint8

const (
	StatePending       State = iota // it was not sent, or surely not carried out
	StateInFlight                   // its batch may have been sent
	StateUnknown                    // its call has no outcome that tells whether it was carried out
	StateRejectedBatch              // its batch was refused as a whole: to be read back, then sent in smaller batches
	StateSent                       // this job sent it
	StatePresent                    // the service held it before
	StateDiffers                    // the service holds it with other content
	StateRefused                    // the service refused it
	StateAmbiguous                  // the service holds several that it may be: it is not sent
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

// StateOf returns the state for a word. No word stands for sent.
func StateOf(word string) State {
	switch word {
	case Absent:
		return StatePending
	case Present:
		return StatePresent
	case Differs:
		return StateDiffers
	case Refused:
		return StateRefused
	case Unknown:
		return StateUnknown
	}
	return StateSent
}

// Succeeded reports whether the service holds what a row or item wants, so that
// later steps may follow.
func (s State) Succeeded() bool { return s == StateSent || s == StatePresent || s == StateDiffers }

// isUnfinished reports whether a run has something left to do about a row.
func (s State) isUnfinished() bool {
	return s == StatePending || s == StateInFlight || s == StateUnknown || s == StateRejectedBatch
}
