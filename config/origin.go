package config

type OriginKind int

// The kinds of places, the one with the lowest precedence first.
const (
	FromDefault OriginKind = iota
	FromFile
	FromProfile
	FromEnvironment
	FromFlag
)

type Origin struct {
	Kind OriginKind
	Name string // the flag, variable, profile or file
}

// String returns an origin as `flag --timeout`, `profile default`, `file PATH` or `default`.
func (o Origin) String() string {
	return [...]string{"default", "file ", "profile ", "environment ", "flag "}[o.Kind] + o.Name
}

// of names a key and the origin of its value, for the beginning of an error.
func (o Origin) of(key string) string {
	switch o.Kind {
	case FromFlag, FromEnvironment:
		return o.Name
	case FromProfile:
		return key + " of profile " + o.Name
	case FromFile:
		return key + " in " + o.Name
	}
	return key
}

type Value struct {
	Text   string
	Origin Origin
}

// Setting is a named value, as `config list` shows it.
type Setting struct {
	Key string
	Value
}
