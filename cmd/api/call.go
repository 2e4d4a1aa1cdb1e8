package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"unicode"

	"reseller/client"
	"reseller/client/nearest"
	"reseller/client/record"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

// call makes the call that the arguments and flags ask for.
func (o *options) call(ctx context.Context, f *cli.Factory) (client.Call, error) {
	if !slices.Contains(methods, o.method) {
		return client.Call{}, &cli.UsageError{
			Message: fmt.Sprintf("METHOD: %q is none of %s", o.method, strings.Join(methods, ", ")),
			Hint:    "did you mean " + nearest.Name(o.method, methods) + "?",
		}
	}
	if err := checkPath(o.path); err != nil {
		return client.Call{}, err
	}
	query, err := o.queryText()
	if err != nil {
		return client.Call{}, err
	}
	path, given, _ := strings.Cut(o.path, "?")
	op := resource.Op(o.method, path)
	// What stands in the path already goes as it is.
	if query = strings.Trim(given+"&"+query, "&"); query != "" {
		op.Path += "?" + query
	}
	call := client.Call{Op: op}
	call.Body, err = o.body(ctx, f)
	if err != nil {
		return client.Call{}, err
	}
	if call.Body != nil && !op.Writes() {
		return client.Call{}, cli.Usagef("a %s has no body; --query puts parameters into the address", o.method)
	}
	return call, nil
}

// checkPath refuses what is no path behind the address in force: with a token
// on its way, nothing may lead elsewhere.
func checkPath(path string) error {
	bad := func(why string) error {
		return &cli.UsageError{
			Message: fmt.Sprintf("PATH: %q %s", path, why),
			Hint:    "a path reads like /api/v2/accounts; the address in front comes from --base-url, --server or the profile",
		}
	}
	u, err := url.Parse(path)
	switch {
	case strings.IndexFunc(path, unicode.IsControl) >= 0:
		return bad("holds a control character")
	case !strings.HasPrefix(path, "/"):
		return bad("does not begin with /")
	case strings.HasPrefix(path, "//"):
		return bad("begins with more than one /")
	case strings.ContainsAny(path, `\#`):
		return bad(`holds a \ or #`)
	case strings.ContainsAny(path, "{}"):
		return bad("holds a parameter in braces, in whose place its value goes")
	case strings.Contains(path, " "):
		return bad("holds a space, which is written %20")
	case err != nil || u.Host != "":
		return bad("can't be read as a path")
	}
	return nil
}

// queryText is what --query gives, in the order given.
func (o *options) queryText() (string, error) {
	var parts []string
	for _, text := range o.query {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return "", cli.Usagef("--query: %q is not NAME=VALUE", text)
		}
		parts = append(parts, url.QueryEscape(name)+"="+url.QueryEscape(value))
	}
	return strings.Join(parts, "&"), nil
}

// body is the JSON to send, nil for none.
func (o *options) body(ctx context.Context, f *cli.Factory) (json.RawMessage, error) {
	if o.input == "" {
		return o.members()
	}
	if len(o.fields)+len(o.jsonFields) > 0 {
		return nil, cli.Usagef("--input holds the whole body, so it can't go with --field or --json-field")
	}
	text, err := readInput(ctx, f, o.input)
	if err != nil {
		return nil, &cli.ExitError{Code: cli.ExitUsage, Err: fmt.Errorf("--input: %w", err)}
	}
	if err := checkJSON(text); err != nil {
		return nil, cli.Usagef("--input: %v", err)
	}
	return text, nil
}

func readInput(ctx context.Context, f *cli.Factory, path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(f.In)
	}
	return cli.WithContext(ctx, func() ([]byte, error) { return os.ReadFile(path) }) // a pipe may have no writer
}

// members makes an object of --field and --json-field.
func (o *options) members() (json.RawMessage, error) {
	if len(o.fields)+len(o.jsonFields) == 0 {
		return nil, nil
	}
	b := []byte{'{'}
	seen := map[string]bool{}
	add := func(flag, text string, value func(string) (json.RawMessage, error)) error {
		name, rest, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return cli.Usagef("%s: %q is not NAME=VALUE", flag, name)
		}
		if seen[name] {
			return cli.Usagef("%s: %s is given twice", flag, name)
		}
		seen[name] = true
		v, err := value(rest)
		if err != nil {
			return cli.Usagef("%s %s: %v", flag, name, err)
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, record.Quote(name)...), ':'), v...)
		return nil
	}
	for _, text := range o.fields {
		if err := add("--field", text, func(s string) (json.RawMessage, error) { return json.RawMessage(record.Quote(s)), nil }); err != nil {
			return nil, err
		}
	}
	for _, text := range o.jsonFields {
		if err := add("--json-field", text, func(s string) (json.RawMessage, error) { return json.RawMessage(s), checkJSON([]byte(s)) }); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// checkJSON tells where a text stops being one JSON value. It quotes none of
// it, since it may hold a password.
func checkJSON(text []byte) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return errors.New("it is empty, not JSON")
	}
	var value json.RawMessage
	err := json.Unmarshal(text, &value)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON: %w (at byte %d)", syntax, syntax.Offset)
	}
	return err
}
