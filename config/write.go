package config

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Set writes one key of the profile in force into the file, making file and
// profile where they are missing. An empty value removes the key. Setting
// token_command also records the address in force as the one it serves.
func (s *Settings) Set(ctx context.Context, key, value string) error {
	return s.write(ctx, map[string]string{key: value}, false)
}

// Init writes several keys of the profile in force at once. The first profile
// of a file becomes the active one.
func (s *Settings) Init(ctx context.Context, values map[string]string) error {
	return s.write(ctx, values, true)
}

// Use makes a profile of the file the active one.
func (s *Settings) Use(ctx context.Context, profile string) error {
	if !validProfile(profile) {
		return &Error{Message: fmt.Sprintf("%q is not a name of a profile: use a-z, 0-9, _ and -", profile)}
	}
	return s.edit(ctx, func(doc *document) error {
		s.file = *doc
		if err := s.checkProfile(profile, Origin{}); err != nil {
			return err
		}
		doc.active = profile
		return nil
	})
}

func (s *Settings) write(ctx context.Context, values map[string]string, activate bool) error {
	clean := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		text, err := s.acceptable(name, values[name])
		if err != nil {
			return err
		}
		clean[name] = text
	}
	return s.edit(ctx, func(doc *document) error {
		if activate && doc.active == "" && len(doc.profiles) == 0 {
			doc.active = s.profile
		}
		own := maps.Clone(doc.profiles[s.profile])
		if own == nil {
			own = map[string]string{}
		}
		for name, text := range clean {
			own[name] = text
			if text == "" {
				delete(own, name)
			}
		}
		if doc.profiles == nil {
			doc.profiles = map[string]map[string]string{}
		}
		doc.profiles[s.profile] = own
		if _, ok := clean["token_command"]; ok {
			s.bind(*doc)
		}
		return nil
	})
}

// bind records which origin the profile's token_command is set up for: that of
// the address in force, by the file as it is going to be.
func (s *Settings) bind(doc document) {
	own := doc.profiles[s.profile]
	delete(own, boundTo)
	if own["token_command"] == "" {
		return
	}
	soon := *s
	soon.file = doc
	address, err := soon.Address()
	if err != nil || address.Embedded {
		return
	}
	if origin, err := OriginOf(address.URL); err == nil {
		own[boundTo] = origin
	}
}

// acceptable checks a value for a key and returns it as it is to be kept.
func (s *Settings) acceptable(name, text string) (string, error) {
	key, err := LookupKey(name)
	if err != nil || text == "" {
		return "", err
	}
	if key.Type == "url" {
		return s.checkedURL(name, Value{Text: text})
	}
	if key.check != nil {
		if err := key.check(text); err != nil {
			return "", badValue(name, Value{Text: text}, err)
		}
	}
	return text, nil
}

// edit changes the file as it is now on disk, not as it was at the start, so
// that two commands at the same moment lose nothing of each other's.
func (s *Settings) edit(ctx context.Context, change func(*document) error) error {
	if s.path == "" {
		return &Error{
			Message: "there is no place for a configuration file: HOME is not set",
			Hint:    "set RESELLER_CONFIG to the path of a file",
		}
	}
	path, err := writable(s.path)
	if err != nil {
		return err
	}
	return locked(ctx, path, func() error {
		doc, err := readDocument(path)
		if err != nil {
			return err
		}
		if err := change(&doc); err != nil {
			return err
		}
		raw, err := doc.render()
		if err != nil {
			return err
		}
		if err := writeAtomically(path, raw); err != nil {
			return err
		}
		s.file = doc
		s.chooseProfile()
		return nil
	})
}

func (d document) render() ([]byte, error) {
	file := struct {
		Profile  string                    `yaml:"profile,omitempty"`
		Profiles map[string]map[string]any `yaml:"profiles,omitempty"`
	}{d.active, map[string]map[string]any{}}
	for name, settings := range d.profiles {
		values := map[string]any{}
		for key, text := range settings {
			values[key] = plain(key, text)
		}
		file.Profiles[name] = values
	}
	raw, err := yaml.Marshal(file)
	if err != nil {
		return nil, errors.New("the configuration can't be written as YAML")
	}
	return raw, nil
}

// plain leaves a number unquoted, and quotes what the library can't read back.
func plain(name, text string) any {
	if key, err := LookupKey(name); err == nil && (key.Type == "integer" || key.Type == "number") && key.check(text) == nil {
		return &yaml.Node{Kind: yaml.ScalarNode, Value: text}
	}
	if strings.ContainsAny(text, "\t\r\n") {
		// The library can't read back every block of lines that it writes.
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Style: yaml.DoubleQuotedStyle}
	}
	return text
}
