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

// document is the content of the configuration file.
type document struct {
	active   string                       // name of the active profile
	profiles map[string]map[string]string // their keys and values
}

// maxDocument is the most bytes that the configuration file may have.
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
	values, err := decodeYAML(raw)
	if err != nil {
		return document{}, errdefs.Invalidf("configuration %s is broken: %s", path, describeYAMLError(err))
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if key != "profile" && key != "profiles" {
			return document{}, unknownKey(key, "", path)
		}
	}
	active, ok := scalar(values["profile"])
	if !ok {
		return document{}, errdefs.Invalidf("profile in %s is not the name of a profile", path)
	}
	doc := document{active: active, profiles: map[string]map[string]string{}}
	profiles, ok := values["profiles"].(map[string]any)
	if !ok && values["profiles"] != nil {
		return document{}, errdefs.Invalidf("profiles in %s is not a mapping of names to settings", path)
	}
	for _, name := range slices.Sorted(maps.Keys(profiles)) {
		settings, err := parseProfile(name, profiles[name], path)
		if err != nil {
			return document{}, err
		}
		doc.profiles[name] = settings
	}
	return doc, nil
}

// decodeYAML reads YAML and keeps every value as the text in the file, since YAML
// would read 010 as 8. Keys are in lower case, as viper has them.
func decodeYAML(raw []byte) (map[string]any, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	tagAsText(&doc)
	var values map[string]any
	err := doc.Decode(&values)
	return values, err
}

// tagAsText marks every value of a YAML document as text, and writes keys in lower case.
func tagAsText(n *yaml.Node) {
	if tag := n.ShortTag(); n.Kind == yaml.ScalarNode && tag != "!!null" && tag != "!!merge" {
		n.Tag = "!!str"
	}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			child.Value = strings.ToLower(child.Value)
		}
		tagAsText(child)
	}
}

func parseProfile(name string, node any, path string) (map[string]string, error) {
	if !isProfileName(name) {
		return nil, errdefs.Invalidf("invalid profile name %q in %s: use a-z, 0-9, _ and -", name, path)
	}
	settings := map[string]string{}
	if node == nil {
		return settings, nil
	}
	entries, ok := node.(map[string]any)
	if !ok {
		return nil, errdefs.Invalidf("profile %s in %s is not a mapping of keys to values", name, path)
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		if key != keyFor("token_command") && key != keyFor("token_file") && !slices.Contains(keyNames(), key) {
			return nil, unknownKey(key, name, path)
		}
		text, ok := scalar(entries[key])
		if !ok {
			return nil, errdefs.Invalidf("%s of profile %s in %s is not a single text or number", key, name, path)
		}
		if text != "" {
			settings[key] = text
		}
	}
	return settings, nil
}

func isProfileName(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

// unknownKey is the error for a key of the file, or of a profile in it, that does
// not exist.
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

// scalar returns the text of a YAML value, "" for null, and false for a list or
// mapping.
func scalar(value any) (string, bool) {
	text, ok := value.(string)
	return text, ok || value == nil
}

// describeYAMLError returns line and reason of a YAML error. It leaves out reasons
// that quote the file, since that may contain a secret.
func describeYAMLError(err error) string {
	line := regexp.MustCompile(`line \d+`).FindString(err.Error())
	var types *yaml.TypeError
	switch {
	case !errors.As(err, &types):
		return safetext.Escape(strings.TrimPrefix(err.Error(), "yaml: "))
	case strings.Contains(err.Error(), "already defined"):
		return line + " repeats a key (capital letters do not tell keys apart)"
	}
	return line + " does not contain keys and values"
}

// render returns the file as YAML.
func (d document) render() ([]byte, error) {
	file := struct {
		Profile  string                    `yaml:"profile,omitempty"`
		Profiles map[string]map[string]any `yaml:"profiles,omitempty"`
	}{d.active, map[string]map[string]any{}}
	for name, settings := range d.profiles {
		values := map[string]any{}
		for key, text := range settings {
			values[key] = yamlValue(key, text)
		}
		file.Profiles[name] = values
	}
	raw, err := yaml.Marshal(file)
	if err != nil {
		return nil, errors.New("the configuration can't be encoded as YAML")
	}
	return raw, nil
}

// yamlValue returns the text of a key as YAML: a number without quotes, and text
// of several lines in quotes.
func yamlValue(name, text string) any {
	if key, err := LookupKey(name); err == nil && (key.Type == "integer" || key.Type == "number") && key.check(text) == nil {
		return &yaml.Node{Kind: yaml.ScalarNode, Value: text}
	}
	if strings.ContainsAny(text, "\t\r\n") {
		// The library can't read back every block scalar that it writes.
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Style: yaml.DoubleQuotedStyle}
	}
	return text
}
