package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"reseller/client/nearest"
	"reseller/config/endpoint"
	"reseller/config/errdefs"
	"reseller/config/secret"
)

const defaultProfile = "default"

// Settings are the flags, the environment and the configuration file of one
// command.
type Settings struct {
	env   Env
	flags map[string]string
	path  string
	file  document

	profile       string // name of the chosen profile
	profileSource Source

	stores *secret.Stores
}

// Load reads the settings. flags holds only the flags that the user gave, by the
// names of Keys, and `profile` and `allow_http` ("true").
//
// If there is an error, Path of the returned settings can be used all the same.
func Load(env Env, flags map[string]string) (*Settings, error) {
	s, err := LoadToEdit(env, flags)
	if err != nil {
		return s, err
	}
	return s, s.checkProfile(s.profile, s.profileSource)
}

// LoadWithoutFile is Load without the configuration file, for use if the file
// can't be read.
func LoadWithoutFile(env Env, flags map[string]string) (*Settings, error) {
	return load(env, flags, func(string) (document, error) { return document{}, nil })
}

// LoadToEdit is Load for commands that may create the chosen profile.
func LoadToEdit(env Env, flags map[string]string) (*Settings, error) {
	return load(env, flags, readDocument)
}

func load(env Env, flags map[string]string, read func(path string) (document, error)) (*Settings, error) {
	s := &Settings{env: env, flags: flags, path: env.path()}
	var credentials string
	if s.path != "" {
		credentials = filepath.Join(filepath.Dir(s.path), "credentials.json")
	}
	s.stores = secret.NewStores(env.goos(), env.get, credentials)
	s.chooseProfile()
	file, err := read(s.path)
	if err != nil {
		return s, err
	}
	s.file = file
	s.chooseProfile()
	if !isProfileName(s.profile) {
		return s, errdefs.Invalidf("%s: invalid profile name %q: use a-z, 0-9, _ and -",
			s.profileSource.of("profile"), s.profile)
	}
	_, hasURL := flags["base_url"]
	_, hasServer := flags["server"]
	if hasURL && hasServer {
		return s, &errdefs.InvalidError{Message: "--base-url and --server can't be used together"}
	}
	return s, nil
}

// Path returns the path of the configuration file, whether or not it exists.
// It is empty if the environment names no place for one.
func (s *Settings) Path() string { return s.path }

// CheckPath returns an error if the environment names no place for the
// configuration file.
func (s *Settings) CheckPath() error {
	if s.path == "" {
		return &errdefs.InvalidError{
			Message: "no folder for the configuration file: HOME is not set",
			Hint:    "set RESELLER_CONFIG to the path of a file",
		}
	}
	return nil
}

// Profile returns the name of the chosen profile.
func (s *Settings) Profile() string { return s.profile }

// Profiles returns the sorted names of the profiles in the file.
func (s *Settings) Profiles() []string { return slices.Sorted(maps.Keys(s.file.profiles)) }

// Store returns the keyring or, with insecure, the credentials file.
func (s *Settings) Store(insecure bool) (secret.Store, error) { return s.stores.Open(insecure) }

// Get returns the value of a key, or of `profile`, as it may be shown: a user
// name and password in an address are redacted.
func (s *Settings) Get(key string) Value {
	if key == "profile" {
		return Value{s.profile, s.profileSource}
	}
	value := s.lookup(key)
	if strings.HasSuffix(key, "_url") {
		value.Text = endpoint.RedactUserInfo(value.Text)
	}
	return value
}

// All returns the profile, every key and the source that a token would come from.
// It returns no token or password and does not ask the keyring.
func (s *Settings) All() []Setting {
	all := []Setting{{"profile", s.Get("profile")}}
	for _, key := range Keys {
		value := s.Get(key.Name)
		value.Text = secret.RedactTokens(value.Text)
		all = append(all, Setting{key.Name, value})
	}
	return append(all, Setting{"token", s.tokenSource()})
}

// lookup returns the value of a key: that of the flag, else of the environment
// variable, else of the profile, else the default.
func (s *Settings) lookup(name string) Value {
	key, err := LookupKey(name)
	if err != nil {
		return Value{}
	}
	if text, ok := s.flags[name]; ok {
		return Value{text, Source{FromFlag, key.Flag}}
	}
	if text, ok := s.env.get(key.Env); ok {
		return Value{text, Source{FromEnvironment, key.Env}}
	}
	if text := s.ofProfile(name); text != "" {
		return Value{text, Source{FromProfile, s.profile}}
	}
	return Value{key.Default, Source{}}
}

// ofProfile returns the value of a key in the chosen profile.
func (s *Settings) ofProfile(name string) string { return s.file.profiles[s.profile][name] }

// chooseProfile sets the profile that the flag names, else RESELLER_PROFILE,
// else the active profile of the file, else the default profile.
func (s *Settings) chooseProfile() {
	if name, ok := s.flags["profile"]; ok {
		s.profile, s.profileSource = name, Source{FromFlag, "--profile"}
	} else if name, ok := s.env.get("RESELLER_PROFILE"); ok {
		s.profile, s.profileSource = name, Source{FromEnvironment, "RESELLER_PROFILE"}
	} else if s.file.active != "" {
		s.profile, s.profileSource = s.file.active, Source{FromFile, s.path}
	} else {
		s.profile, s.profileSource = defaultProfile, Source{}
	}
}

// checkProfile returns an error for a profile that is not in the file. The
// default profile need not be there.
func (s *Settings) checkProfile(name string, source Source) error {
	if _, ok := s.file.profiles[name]; ok || name == defaultProfile {
		return nil
	}
	err := &errdefs.InvalidError{
		Message: fmt.Sprintf("%s: no profile %q", source.of("profile"), name),
		Hint:    fmt.Sprintf("`reseller config init --profile %s` creates it", name),
	}
	if near := nearest.Typo(name, s.Profiles()); near != "" {
		err.Hint = fmt.Sprintf("did you mean %s? %s", near, err.Hint)
	} else if names := s.Profiles(); len(names) > 0 {
		err.Hint = fmt.Sprintf("profiles: %s; %s", strings.Join(names, ", "), err.Hint)
	}
	return err
}

func isProfileName(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}
