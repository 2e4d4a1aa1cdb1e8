package config

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"reseller/client/nearest"
	"reseller/client/safetext"
	"reseller/config/errdefs"
	"reseller/config/lockedfile"
)

// keyFor returns the key of the file that records which address a token_command or token_file
// serves, by scheme, host and port. `config set` writes it together with them.
func keyFor(key string) string { return key + "_for" }

type document struct {
	active   string                       // name of the active profile
	profiles map[string]map[string]string // their keys and values
}

const maxDocument = 1 << 20

// readDocument reads the file. A missing file is empty. A file that another user could
// have written is an error, since it says which command to run for a token and which
// address to send that to.
func readDocument(path, home string) (document, error) {
	if path == "" {
		return document{}, nil
	}
	raw, err := lockedfile.Read("configuration", path, home, maxDocument)
	if err != nil || raw == nil {
		return document{}, err
	}
	return parseDocument(raw, path)
}

func parseDocument(raw []byte, path string) (document, error) {
	var file struct {
		Profile  string
		Profiles map[string]map[string]string
		Unknown  map[string]yaml.Node `yaml:",inline"`
	}
	var root yaml.Node
	err := yaml.Unmarshal(raw, &root)
	if err == nil {
		foldKeys(&root)
		err = root.Decode(&file)
	}
	if err != nil {
		return document{}, errdefs.Invalidf("configuration %s is broken: %s", path, describeYAMLError(err))
	}
	for _, key := range slices.Sorted(maps.Keys(file.Unknown)) {
		return document{}, unknownKey(key, "", path)
	}
	doc := document{active: strings.ToLower(file.Profile), profiles: map[string]map[string]string{}}
	for _, name := range slices.Sorted(maps.Keys(file.Profiles)) {
		settings := file.Profiles[name]
		if !isProfileName(name) {
			return document{}, errdefs.Invalidf("invalid profile name %q in %s: use a-z, 0-9, _ and -", name, path)
		}
		doc.profiles[name] = map[string]string{}
		for _, key := range slices.Sorted(maps.Keys(settings)) {
			switch {
			case key != keyFor("token_command") && key != keyFor("token_file") && !slices.Contains(keyNames(), key):
				return document{}, unknownKey(key, name, path)
			case settings[key] != "":
				doc.profiles[name][key] = settings[key]
			}
		}
	}
	return doc, nil
}

// foldKeys puts all keys in lower case, as viper has them.
func foldKeys(n *yaml.Node) {
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			child.Value = strings.ToLower(child.Value)
		}
		foldKeys(child)
	}
}

func isProfileName(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

func unknownKey(key, profile, path string) error {
	where := path
	if profile != "" {
		where = fmt.Sprintf("profile %s of %s", profile, path)
	}
	err := errdefs.Invalidf("unknown key %q in %s", key, where)
	switch near := nearest.Name(key, []string{"profile", "profiles"}); {
	case profile != "" || slices.Contains(secretNames, key):
		err.Hint = keyHint(key)
	case slices.Contains(keyNames(), key):
		err.Hint = fmt.Sprintf("%s belongs to a profile: put it under profiles, below the name of a profile", key)
	case near != "":
		err.Hint = fmt.Sprintf("did you mean %s?", near)
	default:
		err.Hint = "the file has the keys profile and profiles"
	}
	return err
}

// describeYAMLError returns line and reason of an error, but no reason that quotes the file, which may contain a secret.
func describeYAMLError(err error) string {
	line := regexp.MustCompile(`line \d+`).FindString(err.Error())
	var types *yaml.TypeError
	switch {
	case !errors.As(err, &types):
		return safetext.Escape(strings.TrimPrefix(err.Error(), "yaml: "))
	case strings.Contains(err.Error(), "already defined"):
		return line + " repeats a key, in capitals or not"
	}
	return line + " is not what belongs there: the keys of a profile have texts and numbers"
}

func (d document) render() ([]byte, error) {
	file := struct {
		Profile  string                           `yaml:"profile,omitempty"`
		Profiles map[string]map[string]*yaml.Node `yaml:"profiles,omitempty"`
	}{d.active, map[string]map[string]*yaml.Node{}}
	for name, settings := range d.profiles {
		file.Profiles[name] = map[string]*yaml.Node{}
		for key, text := range settings {
			value := &yaml.Node{Kind: yaml.ScalarNode, Value: text}
			// The library can't read back every block scalar that it writes.
			if strings.ContainsAny(text, "\t\r\n") || value.ShortTag() == "!!null" {
				value.Tag, value.Style = "!!str", yaml.DoubleQuotedStyle
			}
			file.Profiles[name][key] = value
		}
	}
	raw, err := yaml.Marshal(file)
	if err != nil {
		return nil, errors.New("the configuration can't be encoded as YAML")
	}
	return raw, nil
}
