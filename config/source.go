package config

// SourceKind is the kind of place that a value came from.
type SourceKind int

// The kinds of places, the one with the lowest precedence first.
const (
	FromDefault SourceKind = iota
	FromFile
	FromProfile
	FromEnvironment
	FromFlag
)

// Source is the place that a value came from.
type Source struct {
	Kind SourceKind
	Name string // the flag, variable, profile or file
}

// String returns a source as `flag --timeout`, `environment RESELLER_TIMEOUT`,
// `profile default`, `file PATH` or `default`.
func (s Source) String() string {
	switch s.Kind {
	case FromFlag:
		return "flag " + s.Name
	case FromEnvironment:
		return "environment " + s.Name
	case FromProfile:
		return "profile " + s.Name
	case FromFile:
		return "file " + s.Name
	}
	return "default"
}

// of names a key and the source of its value, for the beginning of an error.
func (s Source) of(key string) string {
	switch s.Kind {
	case FromFlag, FromEnvironment:
		return s.Name
	case FromProfile:
		return key + " of profile " + s.Name
	case FromFile:
		return key + " in " + s.Name
	}
	return key
}

// Value is the value of a setting and the source of the value.
type Value struct {
	Text   string
	Source Source
}

// Setting is a named value, as `config list` shows it.
type Setting struct {
	Key string
	Value
}
