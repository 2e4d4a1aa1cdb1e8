package rows

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"reseller/client/bulk/decode"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/client/xlsx"
)

var TemplateFormats = []string{"csv", "ndjson", "yaml", "xlsx"}

// WriteTemplate writes an example file with the columns of a resource and one row, in one
// of the TemplateFormats. A user replaces the row by their own.
func WriteTemplate(res *schema.Resource, use schema.Use, format string, w io.Writer) error {
	var names, cells []string
	values := schema.Values{}
	for _, f := range res.Having(use) {
		if use == schema.Create {
			if f.Has(schema.Key) && !f.Has(schema.Required) {
				continue // the service assigns the key of a new record
			}
			f = f.ForCreate()
		}
		if f.Example == "" && !(use == schema.Create && f.Use&(schema.EmptyIfAbsent|schema.EmptyInFile) != 0) {
			continue
		}
		v, err := f.FromText(f.Example, true)
		if f.Type == schema.List {
			v, err = (&Schema{}).splitList(f, f.Example)
		}
		if err != nil {
			return fmt.Errorf("example of %s: %w", f.Name, err)
		}
		names, cells = append(names, f.Name), append(cells, f.Example)
		values[f.Name] = v
	}
	body := record.Value(res.Body(values))
	switch format {
	case "csv":
		return csv.NewWriter(w).WriteAll([][]string{names, cells})
	case "ndjson":
		_, err := fmt.Fprintf(w, "%s\n", body)
		return err
	case "yaml":
		return exampleYAML(w, body)
	case "xlsx":
		out := xlsx.NewWriter(w, "", names)
		for _, cell := range cells {
			out.Text([]byte(cell))
		}
		if err := out.EndRow(); err != nil {
			return err
		}
		return out.Close()
	}
	return &decode.FileError{What: fmt.Sprintf("unknown format %s: --example is one of %s", safetext.Quote(format), strings.Join(TemplateFormats, ", "))}
}

// exampleYAML writes a list with one item. Its values are JSON, which is valid YAML.
func exampleYAML(w io.Writer, body record.Value) error {
	var out strings.Builder
	indent := "- "
	for name, v := range body.Members() {
		if v.Kind() != record.Object || v.Get("field_name") != nil {
			fmt.Fprintf(&out, "%s%s: %s\n", indent, name, v)
		} else {
			fmt.Fprintf(&out, "%s%s:\n", indent, name)
			for inner, value := range v.Members() {
				fmt.Fprintf(&out, "    %s: %s\n", inner, value)
			}
		}
		indent = "  "
	}
	_, err := io.WriteString(w, out.String())
	return err
}
