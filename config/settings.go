// Package config holds what commands are told about their surroundings: the
// profiles of the configuration file, every setting with the place it came
// from, the address in force, and the token that goes with it.
//
// Reading settings writes nothing and touches neither network nor keyring.
package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

const defaultProfile = "default"

// Settings are the flags, the environment and the configuration file of one
// command.
type Settings struct {
	env   Env
	flags map[string]string
	path  string
	file  document

	profile string
	chosen  Origin // of the profile

	keyring      *keyring
	commandLimit time.Duration
	now          func() time.Time
}

// Load reads the settings. flags holds only those that the user gave, by the
// names of Keys, and `profile` and `allow_http` ("true").
//
// Settings that come with an error can still tell Path.
func Load(env Env, flags map[string]string) (*Settings, error) {
	s, err := LoadToEdit(env, flags)
	if err != nil {
		return s, err
	}
	return s, s.checkProfile(s.profile, s.chosen)
}

// LoadWithoutFile is Load where the configuration file can't be read.
func LoadWithoutFile(env Env, flags map[string]string) (*Settings, error) {
	return load(env, flags, func(string) (document, error) { return document{}, nil })
}

// LoadToEdit is Load for commands that may create the profile they name.
func LoadToEdit(env Env, flags map[string]string) (*Settings, error) {
	return load(env, flags, readDocument)
}

func load(env Env, flags map[string]string, read func(path string) (document, error)) (*Settings, error) {
	s := &Settings{
		env:          env,
		flags:        flags,
		path:         env.path(),
		keyring:      newKeyring(env),
		commandLimit: time.Minute,
		now:          time.Now,
	}
	s.chooseProfile()
	file, err := read(s.path)
	if err != nil {
		return s, err
	}
	s.file = file
	s.chooseProfile()
	if !validProfile(s.profile) {
		return s, &Error{Message: fmt.Sprintf("%s: %q is not a name of a profile: use a-z, 0-9, _ and -",
			s.chosen.of("profile"), s.profile)}
	}
	_, address := flags["base_url"]
	_, server := flags["server"]
	if address && server {
		return s, &Error{Message: "--base-url and --server can't be given together"}
	}
	return s, nil
}

// Path is the configuration file, whether or not it exists; it is empty where
// the environment names no place for one.
func (s *Settings) Path() string { return s.path }

// Profile is the name of the profile in force.
func (s *Settings) Profile() string { return s.profile }

// Profiles are the names of the profiles in the file, sorted.
func (s *Settings) Profiles() []string { return slices.Sorted(maps.Keys(s.file.profiles)) }

// Get returns a key of the profile, or `profile`, as it may be shown: user
// info in an address is hidden.
func (s *Settings) Get(key string) Value {
	if key == "profile" {
		return Value{s.profile, s.chosen}
	}
	value := s.value(key)
	if strings.HasSuffix(key, "_url") {
		value.Text = hideUserInfo(value.Text)
	}
	return value
}

// All returns the profile, every key and the place that a token would come
// from, without a token or password in it and without asking the keyring.
func (s *Settings) All() []Setting {
	all := []Setting{{"profile", s.Get("profile")}}
	for _, key := range Keys {
		value := s.Get(key.Name)
		value.Text = hideTokens(value.Text)
		all = append(all, Setting{key.Name, value})
	}
	return append(all, Setting{"token", s.tokenPlace()})
}

// value is a key by the rule that a flag beats the environment, which beats
// the profile, which beats the default.
func (s *Settings) value(name string) Value {
	key, err := LookupKey(name)
	if err != nil {
		return Value{}
	}
	if text, ok := s.flags[name]; ok {
		return Value{text, Origin{FromFlag, key.Flag}}
	}
	if text, ok := s.env.get(key.Env); ok {
		return Value{text, Origin{FromEnvironment, key.Env}}
	}
	if text := s.own(name); text != "" {
		return Value{text, Origin{FromProfile, s.profile}}
	}
	return Value{key.Default, Origin{}}
}

// own is what the profile itself says.
func (s *Settings) own(name string) string { return s.file.profiles[s.profile][name] }

func (s *Settings) chooseProfile() {
	if name, ok := s.flags["profile"]; ok {
		s.profile, s.chosen = name, Origin{FromFlag, "--profile"}
	} else if name, ok := s.env.get("RESELLER_PROFILE"); ok {
		s.profile, s.chosen = name, Origin{FromEnvironment, "RESELLER_PROFILE"}
	} else if s.file.active != "" {
		s.profile, s.chosen = s.file.active, Origin{FromFile, s.path}
	} else {
		s.profile, s.chosen = defaultProfile, Origin{}
	}
}

// checkProfile refuses a profile that the file does not hold; the default one
// exists by being named so.
func (s *Settings) checkProfile(name string, chosen Origin) error {
	if _, ok := s.file.profiles[name]; ok || name == defaultProfile {
		return nil
	}
	err := &Error{
		Message: fmt.Sprintf("%s: there is no profile %q", chosen.of("profile"), name),
		Hint:    fmt.Sprintf("`reseller config init --profile %s` makes it", name),
	}
	if near := nearest(name, s.Profiles()); near != "" {
		err.Hint = fmt.Sprintf("did you mean %s? %s", near, err.Hint)
	} else if names := s.Profiles(); len(names) > 0 {
		err.Hint = fmt.Sprintf("profiles: %s; %s", strings.Join(names, ", "), err.Hint)
	}
	return err
}

func validProfile(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}
