package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"reseller/client/nearest"
	"reseller/client/redact"
	"reseller/config/endpoint"
	"reseller/config/errdefs"
	"reseller/config/secret"
	"reseller/config/token"
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
	profileOrigin Origin

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
	return s, s.checkProfile(s.profile, s.profileOrigin)
}

// LoadWithoutFile is Load without the configuration file, for use if the file
// can't be read.
func LoadWithoutFile(env Env, flags map[string]string) (*Settings, error) {
	return load(env, flags, func(string, string) (document, error) { return document{}, nil })
}

// LoadToEdit is Load for commands that may create the chosen profile.
func LoadToEdit(env Env, flags map[string]string) (*Settings, error) {
	return load(env, flags, readDocument)
}

func load(env Env, flags map[string]string, read func(path, home string) (document, error)) (*Settings, error) {
	s := &Settings{env: env, flags: flags, path: env.path()}
	var credentials string
	if s.path != "" {
		credentials = filepath.Join(filepath.Dir(s.path), "credentials.json")
	}
	s.stores = secret.NewStores(env.goos(), env.get, credentials)
	s.chooseProfile()
	file, err := read(s.path, env.home())
	if err != nil {
		return s, err
	}
	s.file = file
	s.chooseProfile()
	if !isProfileName(s.profile) {
		return s, errdefs.Invalidf("%s: invalid profile name %q: use a-z, 0-9, _ and -",
			s.profileOrigin.of("profile"), s.profile)
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

// OtherProfile returns the chosen profile if a command without --profile uses another one, else an
// empty text.
func (s *Settings) OtherProfile() string {
	if name, _ := s.profileWithoutFlag(); name == s.profile {
		return ""
	}
	return s.profile
}

// Profiles returns the sorted names of the profiles in the file.
func (s *Settings) Profiles() []string { return slices.Sorted(maps.Keys(s.file.profiles)) }

// Store returns the keyring or, with insecure, the credentials file.
func (s *Settings) Store(insecure bool) (secret.Store, error) { return s.stores.Open(insecure) }

// Get returns the value of a key, or of `profile`, as it may be shown: a user
// name and password in an address are redacted.
func (s *Settings) Get(key string) Value {
	if key == "profile" {
		return Value{s.profile, s.profileOrigin}
	}
	value := s.lookup(key)
	if strings.HasSuffix(key, "_url") {
		value.Text = endpoint.RedactUserInfo(value.Text)
	}
	return value
}

// All returns the profile, every key and the origin that a token would have.
// It returns no token or password and does not ask the keyring.
func (s *Settings) All() []Setting {
	all := []Setting{{"profile", s.Get("profile")}}
	for _, key := range Keys {
		value := s.Get(key.Name)
		value.Text = redact.Tokens(value.Text)
		all = append(all, Setting{key.Name, value})
	}
	return append(all, Setting{"token", s.tokenOrigin()})
}

// tokenOrigin describes where a token would come from, as far as it is known
// without an address and without asking the keyring. It never returns a token.
func (s *Settings) tokenOrigin() Value {
	if _, ok := s.env.get("RESELLER_TOKEN"); ok {
		return Value{"(hidden)", Origin{FromEnvironment, "RESELLER_TOKEN"}}
	}
	if command := s.lookup("token_command"); command.Text != "" {
		return Value{"printed by token_command", command.Origin}
	}
	if path, found := s.stores.FileWithEntry(s.profile); found {
		return Value{"(hidden)", Origin{FromFile, path}}
	}
	if _, ok := s.env.get("RESELLER_USERNAME"); ok {
		if _, ok := s.env.get("RESELLER_PASSWORD"); ok {
			return Value{"keyring, else " + token.FromLogin, Origin{FromEnvironment, "RESELLER_USERNAME"}}
		}
	}
	return Value{"keyring", Origin{}}
}

// lookup returns the value of a key: that of the flag, else of the environment
// variable, else of the profile, else the default.
func (s *Settings) lookup(name string) Value {
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
	if text := s.ofProfile(name); text != "" {
		return Value{text, Origin{FromProfile, s.profile}}
	}
	return Value{key.Default, Origin{}}
}

// ofProfile returns the value of a key in the chosen profile.
func (s *Settings) ofProfile(name string) string { return s.file.profiles[s.profile][name] }

// chooseProfile sets the profile that the flag names, else the one without the flag.
func (s *Settings) chooseProfile() {
	if name, ok := s.flags["profile"]; ok {
		s.profile, s.profileOrigin = name, Origin{FromFlag, "--profile"}
		return
	}
	s.profile, s.profileOrigin = s.profileWithoutFlag()
}

// profileWithoutFlag returns the profile of RESELLER_PROFILE, else the active profile of the file,
// else the default profile.
func (s *Settings) profileWithoutFlag() (string, Origin) {
	if name, ok := s.env.get("RESELLER_PROFILE"); ok {
		return name, Origin{FromEnvironment, "RESELLER_PROFILE"}
	}
	if s.file.active != "" {
		return s.file.active, Origin{FromFile, s.path}
	}
	return defaultProfile, Origin{}
}

// checkProfile returns an error for a profile that is not in the file. The
// default profile need not be there.
func (s *Settings) checkProfile(name string, origin Origin) error {
	if _, ok := s.file.profiles[name]; ok || name == defaultProfile {
		return nil
	}
	err := &errdefs.InvalidError{
		Message: fmt.Sprintf("%s: no profile %q", origin.of("profile"), name),
		Hint:    fmt.Sprintf("`reseller config init --profile %s` creates it", name),
	}
	if near := nearest.Name(name, s.Profiles()); near != "" {
		err.Hint = fmt.Sprintf("did you mean %s? %s", near, err.Hint)
	} else if names := s.Profiles(); len(names) > 0 {
		err.Hint = fmt.Sprintf("profiles: %s; %s", strings.Join(names, ", "), err.Hint)
	}
	return err
}
