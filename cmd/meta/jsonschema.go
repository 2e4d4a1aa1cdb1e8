package meta

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/output"
	"reseller/output/summaryfile"
)

type node = map[string]any

// JSONSchema returns the JSON Schema (2020-12) of what commands print with -o json: a definition for each command, with dots for
// spaces, and those of the summary, the error on stderr and the dry run. Records of the service may lack fields, and have others;
// what this program makes has all fields that are required, and no others.
func JSONSchema(session *cli.Session, root *cobra.Command) any {
	text := node{"type": "string"}
	plan := ofType(reflect.TypeFor[cli.Plan]())
	maps.Copy(plan["properties"].(node), node{"method": node{"type": []string{"string", "null"}}, "url": node{"type": []string{"string", "null"}}, "body": node{}})
	plan["properties"].(node)["requests"] = listOf(closed(node{"method": text, "url": text, "body": node{}}))
	change := closed(node{"line": node{"type": "integer"}, "field": text, "from": text, "to": text})
	change["properties"].(node)["file"] = text
	change["additionalProperties"] = node{"type": []string{"string", "integer"}} // the ids and the name of the record
	plan["properties"].(node)["changes"] = listOf(node{"anyOf": []node{change, {"$ref": "#/$defs/diff.record"}}})
	defs := node{"summary": ofType(reflect.TypeFor[summaryfile.Summary]()), "error": closed(node{"error": ofType(reflect.TypeFor[output.ErrorInfo]())}), "dry-run": plan}
	visit(root, func(c *cobra.Command) {
		name := strings.ReplaceAll(strings.TrimPrefix(c.CommandPath(), root.Name()+" "), " ", ".")
		ref := node{"$ref": "#/$defs/" + name + ".record"}
		var forms []node
		for _, printed := range session.Printed(c) {
			switch printed.(type) {
			case cli.Plan:
				forms = append(forms, node{"$ref": "#/$defs/dry-run"})
				continue
			case summaryfile.Summary:
				forms = append(forms, node{"$ref": "#/$defs/summary"})
				continue
			}
			record, isList := ofPrinted(printed)
			defs[name+".record"] = record
			isList = isList || c.Flags().Lookup("search") != nil || c.Name() == "diff" || c.Name() == "export"
			isEither := strings.Contains(c.Use, "...") || c.Flags().Lookup("failures") != nil // of a report, one row is an object
			if isList || isEither {
				forms = append(forms, listOf(ref))
			}
			if !isList || isEither {
				forms = append(forms, ref)
			}
		}
		isLoad := c.Flags().Lookup("batch-size") != nil
		if isLoad {
			forms = append(forms, node{"$ref": "#/$defs/summary"})
		}
		if isLoad || c.Flags().Lookup("resend-sent") != nil {
			forms = append(forms, node{"$ref": "#/$defs/dry-run"})
			if record, ok := defs[name+".record"].(node); ok && record["additionalProperties"] == nil { // a record is none of these
				record["not"] = node{"required": []string{"operation"}}
			}
		}
		if forms != nil {
			defs[name] = node{"description": c.Short, "anyOf": forms}
		}
	})
	return node{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "What reseller prints with -o json", "$defs": defs}
}

func listOf(items node) node { return node{"type": "array", "items": items} }

// closed returns the schema of an object that has these fields and no others.
func closed(properties node) node {
	return node{"type": "object", "properties": properties, "required": slices.Sorted(maps.Keys(properties)), "additionalProperties": false}
}

// ofPrinted returns the schema of a record, and whether a command prints a list of them.
func ofPrinted(printed any) (record node, isList bool) {
	var names []string
	switch v := printed.(type) {
	case *schema.Resource:
		return ofResource(v), false
	case cli.Fields:
		printed, names = v.Of, v.Names
	}
	t := reflect.TypeOf(printed)
	if isList = t.Kind() == reflect.Slice; isList {
		t = t.Elem()
	}
	if record = ofType(t); names != nil {
		maps.DeleteFunc(record["properties"].(node), func(name string, _ any) bool { return !slices.Contains(names, name) })
		record["required"] = slices.DeleteFunc(record["required"].([]string), func(name string) bool { return !slices.Contains(names, name) })
	}
	return record, isList
}

// nested are the types of what has parts. A service may send an empty text or list, or null, if there is nothing.
var nested = []string{"object", "array", "string", "null"}

// ofResource returns the schema of a record.
func ofResource(res *schema.Resource) node {
	record := node{"type": "object", "properties": node{}}
	for _, f := range res.Having(schema.Read) {
		// A service may send any value without parts for another, as a number for a text, and {} or [] if there is nothing.
		value := node{"type": append([]string{"number", "boolean"}, nested...), "maxItems": 0, "maxProperties": 0}
		switch {
		case res.IsOwn && f.Type == schema.Int:
			value = node{"type": []string{"integer", "null"}}
		case res.IsOwn && f.Type == schema.Choice:
			value = node{"enum": f.Enum}
		case res.IsOwn:
			value = node{"type": "string"}
		case f.Type == schema.Pair || f.Type == schema.Attributes || f.Type == schema.List:
			value = node{"type": nested}
		}
		if f.Help != "" {
			value["description"] = f.Help
		}
		into := record
		parts := strings.Split(f.ReadName(), ".")
		for _, part := range parts[:len(parts)-1] {
			properties := into["properties"].(node)
			if properties[part] == nil || properties[part].(node)["properties"] == nil {
				properties[part] = node{"type": nested, "properties": node{}}
			}
			into = properties[part].(node)
		}
		into["properties"].(node)[parts[len(parts)-1]] = value
	}
	if res.IsOwn {
		return closed(record["properties"].(node))
	}
	return record
}

// ofType returns the schema of the JSON of a Go type.
func ofType(t reflect.Type) node {
	switch t.Kind() {
	case reflect.Pointer:
		inner := ofType(t.Elem())
		inner["type"] = []any{inner["type"], "null"}
		return inner
	case reflect.Slice:
		return listOf(ofType(t.Elem()))
	case reflect.Struct:
		object := node{"type": "object", "properties": node{}, "additionalProperties": false}
		addFields(object, t)
		return object
	}
	names := map[reflect.Kind]string{reflect.String: "string", reflect.Float64: "number", reflect.Bool: "boolean"}
	return node{"type": cmp.Or(names[t.Kind()], "integer")}
}

// addFields adds the fields of a struct to an object. Those that are always there are required. A field of the struct itself comes
// before one of the same name in a struct that is embedded.
func addFields(object node, t reflect.Type) {
	for field := range t.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && field.Type.Kind() == reflect.Pointer: // its fields may be missing
			maps.Copy(object["properties"].(node), ofType(field.Type.Elem())["properties"].(node))
		case field.Anonymous:
			addFields(object, field.Type)
		case name != "-" && field.IsExported():
			value := ofType(field.Type)
			if words := field.Tag.Get("enum"); words != "" {
				value["enum"] = strings.Split(words, ",")
			}
			object["properties"].(node)[name] = value
			if required, _ := object["required"].([]string); options == "" && !slices.Contains(required, name) {
				object["required"] = append(required, name)
			}
		}
	}
}
