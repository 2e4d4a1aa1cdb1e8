package record

// A LateFunc reports whether a reading that shows v in a field of a record may be late, because this machine has just given the field
// another value: it proves nothing. A reading that shows that value ends it. The record has its id in the field key. isWanted is true
// if the record would be written for no other reason.
type LateFunc func(key string, id Value, field string, v Value, isWanted bool) bool

// NeverLate is the LateFunc of readings that are believed.
func NeverLate(string, Value, string, Value, bool) bool { return false }

// Differs reports whether a field is to get a value that a reading does not show, or shows late. agrees tells that it shows the value,
// perhaps in other words.
func (isLate LateFunc) Differs(agrees bool, key string, id Value, field string, want, shown Value) bool {
	if agrees {
		shown = want
	}
	return isLate(key, id, field, shown, agrees) || !agrees
}
