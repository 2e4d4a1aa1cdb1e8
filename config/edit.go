package config

import (
	"context"
	"maps"
	"slices"
	"strings"

	"reseller/config/endpoint"
	"reseller/config/errdefs"
	"reseller/config/lockedfile"
)

// Set writes a key of the chosen profile to the file, both of which it creates if they are missing. An empty value removes the key.
// A token_command or token_file is bound to the current address.
func (s *Settings) Set(ctx context.Context, key, value string) error {
	return s.write(ctx, map[string]string{key: value}, false)
}

// Init writes several keys of the chosen profile at once. The first profile of a file becomes the active one.
func (s *Settings) Init(ctx context.Context, values map[string]string) error {
	return s.write(ctx, values, true)
}

// Use makes a profile the active profile. The profile must be in the file.
func (s *Settings) Use(ctx context.Context, profile string) error {
	profile = strings.ToLower(profile)
	if !isProfileName(profile) {
		return errdefs.Invalidf("invalid profile name %q: use a-z, 0-9, _ and -", profile)
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
		text, err := s.CheckValue(name, values[name])
		if err != nil {
			return err
		}
		clean[name] = text
	}
	return s.edit(ctx, func(doc *document) error {
		if activate && doc.active == "" && len(doc.profiles) == 0 {
			doc.active = s.profile
		}
		profile := map[string]string{}
		maps.Copy(profile, doc.profiles[s.profile])
		maps.Copy(profile, clean)
		maps.DeleteFunc(profile, func(_, text string) bool { return text == "" })
		if doc.profiles == nil {
			doc.profiles = map[string]map[string]string{}
		}
		doc.profiles[s.profile] = profile
		for _, key := range []string{"token_command", "token_file"} {
			if _, ok := clean[key]; ok {
				s.bindToken(*doc, key)
			}
		}
		return nil
	})
}

// bindToken records the origin that a token_command or token_file of the profile serves: that of the address once doc is written.
func (s *Settings) bindToken(doc document, key string) {
	profile := doc.profiles[s.profile]
	delete(profile, keyFor(key))
	if profile[key] == "" {
		return
	}
	updated := *s
	updated.file = doc
	updated.resolve()
	address, err := updated.Address()
	if err != nil || address.BuiltInMock {
		return
	}
	if origin, err := endpoint.Origin(address.URL); err == nil {
		profile[keyFor(key)] = origin
	}
}

// edit reads the file again and changes it under a lock, so that two commands do not undo each other's changes.
func (s *Settings) edit(ctx context.Context, change func(*document) error) error {
	if err := s.CheckPath(); err != nil {
		return err
	}
	var doc document
	err := lockedfile.Transform(ctx, s.path, s.env.home(), func(path string) (raw []byte, err error) {
		if doc, err = readDocument(path, s.env.home()); err != nil {
			return nil, err
		}
		if err := change(&doc); err != nil {
			return nil, err
		}
		return doc.render()
	})
	if err != nil {
		return err
	}
	s.file = doc
	s.resolve()
	return nil
}
