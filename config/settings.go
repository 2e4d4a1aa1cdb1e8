// Package config holds the settings of a command: the profiles of the configuration file, the value and the origin of every
// setting, the address of the service, and the tokens for that address. Reading settings writes nothing and uses neither network
// nor keyring.
package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"reseller/client/nearest"
	"reseller/client/redact"
	"reseller/config/endpoint"
	"reseller/config/errdefs"
	"reseller/config/secret"
)

const defaultProfile = "default"

// Settings are the flags, the environment and the configuration file of one command, which viper resolves in this order.
type Settings struct {
	env    Env
	flags  *pflag.FlagSet
	unused []string // the names of flags that count as not given
	path   string
	file   document
	values *viper.Viper // by the keys of the chosen profile

	profile       string // name of the chosen profile
	profileOrigin Origin

	stores *secret.Stores
}

func FlagsOf(given map[string]string) *pflag.FlagSet {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	for name, text := range given {
		flags.String(name, "", "")
		_ = flags.Set(name, text) // a flag of type string takes every text
	}
	return flags
}

// Load reads the settings. Of flags, which may be nil, it reads --profile, --allow-http and those of Keys. Beside an error, Path of
// the settings can be used all the same.
func Load(env Env, flags *pflag.FlagSet) (*Settings, error) {
	s, err := LoadToEdit(env, flags)
	if err != nil {
		return s, err
	}
	return s, s.checkProfile(s.profile, s.profileOrigin)
}

// LoadWithoutFile is Load where the configuration file can't be read.
func LoadWithoutFile(env Env, flags *pflag.FlagSet) (*Settings, error) {
	return load(env, flags, func(string, string) (document, error) { return document{}, nil })
}

// LoadToEdit is Load for commands that may create the chosen profile.
func LoadToEdit(env Env, flags *pflag.FlagSet) (*Settings, error) {
	return load(env, flags, readDocument)
}

func load(env Env, flags *pflag.FlagSet, read func(path, home string) (document, error)) (*Settings, error) {
	s := &Settings{env: env, flags: flags, path: env.path()}
	var credentials string
	if s.path != "" {
		credentials = filepath.Join(filepath.Dir(s.path), "credentials.json")
	}
	s.stores = secret.NewStores(env.goos(), env.Get, credentials)
	s.resolve()
	file, err := read(s.path, env.home())
	if err != nil {
		return s, err
	}
	s.file = file
	s.resolve()
	if !isProfileName(s.profile) {
		return s, errdefs.Invalidf("%s: invalid profile name %q: use a-z, 0-9, _ and -",
			s.profileOrigin.of("profile"), s.profile)
	}
	if s.given("base-url") != nil && s.given("server") != nil {
		return s, errdefs.Invalidf("--base-url and --server can't be used together")
	}
	return s, nil
}

// resolve has viper find the profile and then the values of its keys.
func (s *Settings) resolve() {
	s.chooseProfile()
	s.values = s.layers(Keys, s.file.profiles[s.profile])
}

func (s *Settings) chooseProfile() {
	active := map[string]string{}
	if s.file.active != "" {
		active[profileKey.Name] = s.file.active
	}
	s.profile = strings.ToLower(s.layers([]Key{profileKey}, active).GetString(profileKey.Name)) // as the file has it
	s.profileOrigin = s.origin(profileKey, active, Origin{FromFile, s.path})
}

// layers has viper bind the flags of keys, and merge their variables over their values in the file. The variables are
// not bound, since viper would read those of the process, and tests run commands side by side.
func (s *Settings) layers(keys []Key, file map[string]string) *viper.Viper {
	v := viper.New()
	values := map[string]any{}
	for _, key := range keys {
		v.SetDefault(key.Name, key.Default)
		if text, ok := file[key.Name]; ok {
			values[key.Name] = text
		}
		if text := s.env.Get(key.Env()); text != "" {
			values[key.Name] = text
		}
		if flag := s.given(key.flagName()); flag != nil {
			_ = v.BindPFlag(key.Name, flag) // it refuses nil
		}
	}
	_ = v.MergeConfigMap(values) // it refuses nothing
	return v
}

// origin returns the first layer that has a key.
func (s *Settings) origin(key Key, file map[string]string, ofFile Origin) Origin {
	if s.given(key.flagName()) != nil {
		return Origin{FromFlag, key.Flag}
	}
	if s.env.Get(key.Env()) != "" {
		return Origin{FromEnvironment, key.Env()}
	}
	if _, ok := file[key.Name]; ok {
		return ofFile
	}
	return Origin{}
}

func (s *Settings) given(name string) *pflag.Flag {
	if s.flags == nil || !s.flags.Changed(name) || slices.Contains(s.unused, name) {
		return nil
	}
	return s.flags.Lookup(name)
}

// in returns the settings that the command would have in another environment and without some flags.
func (s *Settings) in(env Env, unused ...string) *Settings {
	other := *s
	other.env, other.unused = env, unused
	other.resolve()
	return &other
}

// Path returns the path of the configuration file, which need not exist, empty if the environment names no place for one.
func (s *Settings) Path() string { return s.path }

func (s *Settings) CheckPath() error {
	if s.path == "" {
		return errdefs.Invalidf("no folder for the configuration file: HOME is not set to an absolute path").Hinted("set RESELLER_CONFIG to the path of a file")
	}
	return nil
}

func (s *Settings) Profile() string { return s.profile }

// OtherProfile returns the chosen profile if a command without --profile uses another one, else "".
func (s *Settings) OtherProfile() string {
	if s.in(s.env, "profile").profile == s.profile {
		return ""
	}
	return s.profile
}

func (s *Settings) Profiles() []string { return slices.Sorted(maps.Keys(s.file.profiles)) }

func (s *Settings) Store(insecure bool) (secret.Store, error) { return s.stores.Open(insecure) }

// Get returns the value of a key, or of `profile`, as it may be shown: without a token, a user name or a password in an address.
func (s *Settings) Get(key string) Value {
	if key == "profile" {
		return Value{s.profile, s.profileOrigin}
	}
	value := s.lookup(key)
	if strings.HasSuffix(key, "_url") {
		value.Text = endpoint.RedactUserInfo(value.Text)
	}
	value.Text = redact.Tokens(value.Text)
	return value
}

// All returns the profile and every key.
func (s *Settings) All() []Setting {
	all := []Setting{{"profile", s.Get("profile")}}
	for _, key := range Keys {
		all = append(all, Setting{key.Name, s.Get(key.Name)})
	}
	return all
}

func (s *Settings) lookup(name string) Value {
	key, err := LookupKey(name)
	if err != nil {
		return Value{}
	}
	return Value{s.values.GetString(name), s.origin(key, s.file.profiles[s.profile], Origin{FromProfile, s.profile})}
}

func (s *Settings) ofProfile(name string) string { return s.file.profiles[s.profile][name] }

// checkProfile returns an error for a profile that is not in the file, unless it is the default one.
func (s *Settings) checkProfile(name string, origin Origin) error {
	if _, ok := s.file.profiles[name]; ok || name == defaultProfile {
		return nil
	}
	err := errdefs.Invalidf("%s: no profile %q", origin.of("profile"), name).
		Hinted(fmt.Sprintf("`reseller config init --profile %s` creates it", name))
	if near := nearest.Name(name, s.Profiles()); near != "" {
		err.Hint = fmt.Sprintf("did you mean %s? %s", near, err.Hint)
	} else if names := s.Profiles(); len(names) > 0 {
		err.Hint = fmt.Sprintf("profiles: %s; %s", strings.Join(names, ", "), err.Hint)
	}
	return err
}
