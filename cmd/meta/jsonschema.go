package meta

import (
	"maps"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/bulk"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/output"
	"reseller/output/summaryfile"
)

type node = map[string]any

// JSONSchema returns the JSON Schema (2020-12) of what commands print with -o json: a definition for each command, with dots for
// spaces, and those of the summary, the error on stderr and the dry run. Fields may be missing, and there may be others.
func JSONSchema(session *cli.Session, root *cobra.Command) any {
	request := node{"type": "object", "properties": node{"method": node{"type": "string"}, "url": node{"type": "string"}, "body": node{}}, "required": []string{"method", "url", "body"}}
	plan := ofType(reflect.TypeFor[bulk.DryRunSummary]())
	plan["properties"].(node)["changes"] = node{"type": "array", "items": node{"type": "object"}}
	plan["properties"].(node)["requests"] = listOf(request)
	defs := node{
		"summary": ofType(reflect.TypeFor[summaryfile.Summary]()),
		"error":   node{"type": "object", "properties": node{"error": ofType(reflect.TypeFor[output.ErrorInfo]())}, "required": []string{"error"}},
		"dry-run": plan,
	}
	visit(root, func(c *cobra.Command) {
		record, res := node{"type": "object"}, session.ResourceOf(c)
		switch {
		case res != nil:
			record = ofResource(res)
		case c.HasSubCommands():
			return
		}
		name := strings.ReplaceAll(strings.TrimPrefix(c.CommandPath(), root.Name()+" "), " ", ".")
		defs[name+".record"] = record
		ref := node{"$ref": "#/$defs/" + name + ".record"}
		forms := []node{listOf(ref), ref}
		if c.Flags().Lookup("file") != nil {
			forms = append(forms, node{"$ref": "#/$defs/summary"})
		}
		if c.Flags().Lookup("summary-file") == nil || c.Flags().Lookup("batch-size") != nil {
			forms = append(forms, node{"$ref": "#/$defs/dry-run"})
		}
		defs[name] = node{"description": c.Short, "anyOf": forms}
	})
	return node{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "What reseller prints with -o json", "$defs": defs}
}

func listOf(items node) node { return node{"type": "array", "items": items} }

// ofResource returns the schema of a record as the service sends it: a number may be a text, and any field null.
func ofResource(res *schema.Resource) node {
	record := node{"type": "object", "properties": node{}}
	for _, f := range res.Having(schema.Read) {
		types := []string{"string", "number", "boolean", "null"}
		switch f.Type {
		case schema.Pair:
			types = []string{"object", "array", "null"}
		case schema.Attributes, schema.List:
			types = []string{"array", "object", "string", "null"}
		}
		into := record
		parts := strings.Split(f.ReadName(), ".")
		for _, part := range parts[:len(parts)-1] {
			properties := into["properties"].(node)
			if properties[part] == nil || properties[part].(node)["properties"] == nil {
				properties[part] = node{"type": []string{"object", "array", "string", "null"}, "properties": node{}}
			}
			into = properties[part].(node)
		}
		into["properties"].(node)[parts[len(parts)-1]] = node{"type": types, "description": f.Help}
	}
	return record
}

func ofType(t reflect.Type) node {
	switch t.Kind() {
	case reflect.Pointer:
		inner := ofType(t.Elem())
		inner["type"] = []any{inner["type"], "null"}
		return inner
	case reflect.Slice:
		return listOf(ofType(t.Elem()))
	case reflect.Struct:
		object := node{"type": "object", "properties": node{}}
		addFields(object, t)
		return object
	case reflect.String:
		return node{"type": "string"}
	case reflect.Float64:
		return node{"type": "number"}
	}
	return node{"type": "integer"}
}

// addFields adds the fields of a struct to an object. Those that are always there are required.
func addFields(object node, t reflect.Type) {
	for field := range t.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && field.Type.Kind() == reflect.Pointer: // its fields may be missing
			maps.Copy(object["properties"].(node), ofType(field.Type.Elem())["properties"].(node))
		case field.Anonymous:
			addFields(object, field.Type)
		case name != "-":
			object["properties"].(node)[name] = ofType(field.Type)
			if required, _ := object["required"].([]string); options == "" {
				object["required"] = append(required, name)
			}
		}
	}
}
