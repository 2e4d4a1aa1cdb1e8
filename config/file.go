package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"
)

// boundTo is the key of the file that records the origin a token_command was
// set up for. `config set` writes it together with token_command.
const boundTo = "token_command_for"

// document is the configuration file.
type document struct {
	active   string
	profiles map[string]map[string]string
}

// readDocument reads the file; one that is absent is empty.
func readDocument(path string) (document, error) {
	if path == "" {
		return document{}, nil
	}
	raw, err := os.ReadFile(path)
	// HOME=/dev/null is how services say that they have none.
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return document{}, nil
	}
	if err != nil {
		return document{}, &Error{
			Message: fmt.Sprintf("configuration %s can't be read: %v", path, cause(err)), Err: err,
		}
	}
	return parseDocument(raw, path)
}

func parseDocument(raw []byte, path string) (document, error) {
	// Dots are ordinary characters here, so keys are split at one that none has.
	const delimiter = "\x00"
	v := viper.NewWithOptions(viper.KeyDelimiter(delimiter))
	values, err := decode(raw)
	if err == nil {
		err = v.MergeConfigMap(values)
	}
	if err != nil {
		return document{}, &Error{Message: fmt.Sprintf("configuration %s is broken: %s", path, whatIsBroken(err))}
	}
	for _, key := range slices.Sorted(slices.Values(v.AllKeys())) {
		top, _, _ := strings.Cut(key, delimiter)
		if top != "profile" && top != "profiles" {
			return document{}, unknownKey(top, "", path)
		}
	}
	active, ok := scalar(v.Get("profile"))
	if !ok {
		return document{}, &Error{Message: fmt.Sprintf("profile in %s is not a name", path)}
	}
	doc := document{active: active, profiles: map[string]map[string]string{}}
	profiles, ok := v.Get("profiles").(map[string]any)
	if !ok && v.Get("profiles") != nil {
		return document{}, &Error{Message: fmt.Sprintf("profiles in %s is not a mapping of names to settings", path)}
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

// decode reads YAML with every value as the text that stands there: what YAML
// takes for a number may be none, as 010 is not 8.
func decode(raw []byte) (map[string]any, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	asText(&doc)
	var values map[string]any
	if err := doc.Decode(&values); err != nil {
		return nil, err
	}
	return values, foldedKeys(values)
}

func asText(n *yaml.Node) {
	if tag := n.ShortTag(); n.Kind == yaml.ScalarNode && tag != "!!null" && tag != "!!merge" {
		n.Tag = "!!str"
	}
	for _, part := range n.Content {
		asText(part)
	}
}

// foldedKeys finds keys that viper would take for one.
func foldedKeys(values map[string]any) error {
	seen := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		lower := strings.ToLower(key)
		if other, ok := seen[lower]; ok {
			return fmt.Errorf("the keys %q and %q differ only in case", other, key)
		}
		seen[lower] = key
		if below, ok := values[key].(map[string]any); ok {
			if err := foldedKeys(below); err != nil {
				return err
			}
		}
	}
	return nil
}

func parseProfile(name string, node any, path string) (map[string]string, error) {
	if !validProfile(name) {
		return nil, &Error{Message: fmt.Sprintf("%q in %s is not a name of a profile: use a-z, 0-9, _ and -", name, path)}
	}
	settings := map[string]string{}
	if node == nil {
		return settings, nil
	}
	entries, ok := node.(map[string]any)
	if !ok {
		return nil, &Error{Message: fmt.Sprintf("profile %s in %s is not a mapping of keys to values", name, path)}
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		if key != boundTo && !slices.Contains(keyNames(), key) {
			return nil, unknownKey(key, name, path)
		}
		text, ok := scalar(entries[key])
		if !ok {
			return nil, &Error{Message: fmt.Sprintf("%s of profile %s in %s is not one text or number", key, name, path)}
		}
		if text != "" {
			settings[key] = text
		}
	}
	return settings, nil
}

func unknownKey(key, profile, path string) error {
	where := path
	if profile != "" {
		where = fmt.Sprintf("profile %s of %s", profile, path)
	}
	err := &Error{Message: fmt.Sprintf("unknown key %q in %s", key, where)}
	switch {
	case profile == "" && slices.Contains(keyNames(), key):
		err.Hint = fmt.Sprintf("%s belongs below the name of a profile, below profiles", key)
	case profile == "":
		if near := nearest(key, []string{"profile", "profiles"}); near != "" {
			err.Hint = fmt.Sprintf("did you mean %s?", near)
		} else {
			err.Hint = "the file holds profile and profiles"
		}
	default:
		_, advice := LookupKey(key)
		err.Hint = Hint(advice)
	}
	if profile == "" && slices.Contains(secretNames, key) {
		err.Hint = secretsHint
	}
	return err
}

// scalar is the text of a YAML value, and false for one with parts.
func scalar(value any) (string, bool) {
	text, ok := value.(string)
	return text, ok || value == nil
}

// whatIsBroken is the line and reason of a YAML error. Reasons that quote the
// file are left out, since a file may hold what nobody should see.
func whatIsBroken(err error) string {
	line := regexp.MustCompile(`line \d+`).FindString(err.Error())
	var types *yaml.TypeError
	switch {
	case !errors.As(err, &types):
		return escape(strings.TrimPrefix(err.Error(), "yaml: "))
	case strings.Contains(err.Error(), "already defined"):
		return line + " repeats a key"
	}
	return line + " does not hold keys and values"
}

// cause leaves out the path that errors of files repeat.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
