package bulkcmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"reseller/client/bulk"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/trust"
	"reseller/cmd/cli"
	"reseller/output"
)

// noteDiffers notes that n rows differ from their records, of which some are not listed yet, and how the user sees or ends the
// differences.
func (l *load) noteDiffers(n, unlisted int) {
	how := ""
	switch {
	case n == 0 || l.UpdateExisting && l.Steps == nil:
		return
	case l.Path != "-" && len(l.Constants) == 0 && (l.Steps != nil || l.resource.Schema.Resource == &schema.AccountsV2):
		how = ": `reseller diff --file " + l.SameFile(nil, "type", "allow-similar") + "` shows in what"
		if l.resource.Schema.Use == schema.Create { // otherwise ids tell the customers
			how += ", and which may be other customers"
		}
	case l.Steps == nil && l.command.Flags().Lookup("update-existing") != nil:
		how = ": --update-existing brings " + phrase.Noun(n, "it", "them") + " in line"
	}
	switch {
	case how == "" || unlisted == 0:
	case unlisted < n:
		how += fmt.Sprintf(", %d of them once the service lists %s", unlisted, phrase.Noun(unlisted, "it", "them"))
	default:
		how += ", once the service lists " + phrase.Noun(n, "it", "them")
	}
	l.f.Note("%s from what the service holds%s", phrase.Count(n, "row differs", "rows differ"), how)
}

// OnReadOnly returns a function for loads.UpdateOptions, which notes for each column the first row that differs from the service there, and
// why that is not sent.
func (ff *FileFlags) OnReadOnly(session *cli.Session, why func(column string) string) func(row *rows.Row, column string) {
	ff.readOnly = map[int]bool{}
	return func(row *rows.Row, column string) {
		ff.readOnly[row.Ordinal] = true
		session.NoteOnce(column, "%s: %s is not what the service has, and is not sent: %s", ff.Place(row.Line), column, why(column))
	}
}

// OnRestored returns a function for loads.UpdateOptions, which notes for each field the first row whose value was restored. place
// returns words for the place of a row.
func OnRestored(session *cli.Session, place func(line int) string) func(line int, name string, v record.Value) {
	return func(line int, name string, v record.Value) {
		session.NoteOnce("restored "+name, "%s: put back the zeros or the + before the number in %s, as in all rows that lack them: %s", place(line), name, v.Text())
	}
}

// SameFile returns the file with the flags that were given and that another command needs to read the same of it, besides those
// that all such commands have, and FILE for standard input, which was read. If the command
// has other fields, they are those of res, and it passes over the other columns.
func (in *InputFlags) SameFile(res *schema.Resource, besides ...string) string {
	words := "FILE"
	if in.Path != "-" {
		words = trust.ShellWord(in.Path)
	}
	for _, name := range append(besides, "input-format", "sheet", "visible-rows", "encoding", "map", "map-file", "ignore-unknown", "keyword-separator", "no-validate", "on-invalid") {
		flag := in.command.Flags().Lookup(name)
		if flag == nil || !flag.Changed && (res == nil || name != "ignore-unknown") {
			continue
		}
		for _, value := range cli.FlagValues(flag) {
			if field := value[strings.LastIndexByte(value, '=')+1:]; name == "map" && res != nil && field != "" && res.Field(field) == nil {
				continue
			}
			if words += " --" + name; flag.Value.Type() != "bool" {
				words += " " + trust.ShellWord(value)
			}
		}
	}
	return words
}

// A changeList has the changes that the update of a dry run would make: a record for each field.
type changeList struct {
	source  *rows.Source
	key     []*schema.Field // the first one identifies the record that changes
	title   string          // the field that names the record; empty if there is none
	records []record.Record
}

func (l *changeList) add(row *rows.Row, out bulk.Outcome) {
	l.title = cmp.Or(l.title, out.Title.Name)
	file, _, line := l.source.Locate(row.Line)
	fields := []record.Pair{{Name: "line", Value: record.Integer(int64(line))}, {Name: l.key[0].Name, Value: slices.Clone(row.Values.Get(l.key[0].Name))}}
	if file != "" {
		fields = slices.Insert(fields, 0, record.Pair{Name: columnFile, Value: record.Quote(file)})
	}
	if out.Title.Value != nil {
		fields = append(fields, out.Title)
	}
	for _, change := range out.Changes {
		if change.From == change.To { // the list is late: what this machine has changed the field to since is not kept
			change.From = ""
		}
		l.records = append(l.records, record.Of(append(slices.Clip(fields),
			record.Pair{Name: "field", Value: record.Quote(change.Field)},
			record.Pair{Name: "from", Value: record.Quote(change.From)},
			record.Pair{Name: "to", Value: record.Quote(change.To)})...))
	}
}

func (l *changeList) shape() output.Shape {
	var shape output.Shape
	if l.source.File.Parts != nil {
		shape.Columns = append(shape.Columns, output.Column{Name: columnFile})
	}
	for i, name := range []string{"line", l.key[0].Name, l.title, "field", "from", "to"} {
		if name != "" {
			shape.Columns = append(shape.Columns, output.Column{Name: name, Title: i == 2, Needed: i > 2})
		}
	}
	return shape
}
