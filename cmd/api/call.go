package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

func (o *options) call(ctx context.Context, session *cli.Session) (client.Call, error) {
	if !slices.Contains(methods, o.method) {
		return client.Call{}, cli.Usagef("METHOD: %q is not one of %s", o.method, strings.Join(methods, ", ")).Hinted(cli.DidYouMean(o.method, methods))
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
	// A query in the path is sent as it is.
	if query = strings.Trim(given+"&"+query, "&"); query != "" {
		op.Path += "?" + query
	}
	call := client.Call{Op: op}
	call.Body, err = o.body(ctx, session)
	if err != nil {
		return client.Call{}, err
	}
	if call.Body != nil && !op.Writes() {
		return client.Call{}, cli.Usagef("a %s request has no body; use --query for parameters", o.method)
	}
	return call, nil
}

// checkPath accepts only a path below the current address, so that the token is
// never sent to another server.
func checkPath(path string) error {
	invalid := func(reason string) error {
		return cli.Usagef("PATH: %q %s", path, reason).Hinted("example: /api/v2/accounts; the address comes from --base-url, --server or the profile")
	}
	u, err := url.Parse(path)
	switch {
	case strings.IndexFunc(path, safetext.IsControl) >= 0:
		return invalid("contains a control character")
	case !strings.HasPrefix(path, "/"):
		return invalid("does not begin with /")
	case strings.HasPrefix(path, "//"):
		return invalid("begins with more than one /")
	case strings.ContainsAny(path, `\#`):
		return invalid(`contains \ or #`)
	case strings.ContainsAny(path, "{}"):
		return invalid("contains a placeholder in braces: replace it with a value")
	case strings.Contains(path, " "):
		return invalid("contains a space: write it as %20")
	case err != nil || u.Host != "":
		return invalid("is not a valid path")
	}
	return nil
}

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

const maxBody = 32 << 20

func (o *options) body(ctx context.Context, session *cli.Session) (json.RawMessage, error) {
	if o.input == "" {
		return o.fieldsBody()
	}
	if len(o.fields)+len(o.jsonFields) > 0 {
		return nil, cli.Usagef("--input gives the whole body, so it can't be used with --field or --json-field")
	}
	text, err := session.ReadInput(ctx, o.input, maxBody)
	if err != nil {
		return nil, &cli.ExitError{Code: cli.ExitUsage, Err: fmt.Errorf("--input: %w", err)}
	}
	if err := checkJSON(text); err != nil {
		return nil, cli.Usagef("--input: %v", err)
	}
	return text, nil
}

func (o *options) fieldsBody() (json.RawMessage, error) {
	if len(o.fields)+len(o.jsonFields) == 0 {
		return nil, nil
	}
	var pairs []record.Pair
	for i, text := range slices.Concat(o.fields, o.jsonFields) {
		flag, isJSON := "--field", i >= len(o.fields)
		if isJSON {
			flag = "--json-field"
		}
		name, rest, ok := strings.Cut(text, "=")
		value := record.Quote(rest)
		switch {
		case !ok || name == "":
			return nil, cli.Usagef("%s: %q is not NAME=VALUE", flag, name)
		case slices.ContainsFunc(pairs, func(other record.Pair) bool { return other.Name == name }):
			return nil, cli.Usagef("%s: %s is given twice", flag, name)
		case isJSON:
			if err := checkJSON([]byte(rest)); err != nil {
				return nil, cli.Usagef("%s %s: %v", flag, name, err)
			}
			value = record.Value(rest)
		}
		pairs = append(pairs, record.Pair{Name: name, Value: value})
	}
	return json.RawMessage(record.Of(pairs...).Raw()), nil
}

// checkJSON returns an error, with the position, for a text that is not a single
// JSON value. It does not quote the text, which may contain a password.
func checkJSON(text []byte) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return errors.New("empty, not JSON")
	}
	var value json.RawMessage
	err := json.Unmarshal(text, &value)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("not JSON: %w (at byte %d)", syntax, syntax.Offset)
	}
	return err
}
