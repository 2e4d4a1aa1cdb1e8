package record

// A LateFunc reports whether a reading that shows v in a field of a record may be late, because this machine has just given the field
// another value. A late reading proves nothing. Once a reading shows that value, later ones are believed. The record has its id in the
// field key. isWanted tells that v is also the value that the field is to have.
type LateFunc func(key string, id Value, field string, v Value, isWanted bool) bool

// NeverLate is the LateFunc of readings that are believed.
func NeverLate(string, Value, string, Value, bool) bool { return false }

// Differs reports whether a reading does not show the value that a field is to have, or may be late. agrees tells that the reading
// shows this value, perhaps in another form.
func (isLate LateFunc) Differs(agrees bool, key string, id Value, field string, want, shown Value) bool {
	if agrees {
		shown = want
	}
	return isLate(key, id, field, shown, agrees) || !agrees
}
