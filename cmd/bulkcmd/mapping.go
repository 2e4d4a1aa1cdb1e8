package bulkcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/bulk"
	"reseller/client/bulk/columns"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/client/trust"
	"reseller/cmd/cli"
	"reseller/cmd/form"
	"reseller/output"
)

const maxMapFile = 1 << 20

type mappingFlags struct {
	given         []string // the values of --map
	file, saveTo  string
	ignoreUnknown bool
	answers       map[string]string // the fields that the user gave for columns, "" for those passed over
	isAsked       bool              // the user was shown a form
}

func (mf *mappingFlags) addTo(c *cobra.Command) {
	flags := c.Flags()
	flags.StringArrayVar(&mf.given, "map", nil, "read a column as a field: `COLUMN=FIELD`; COLUMN= passes it over (repeatable)")
	flags.StringVar(&mf.file, "map-file", "", "read the fields of columns, and replacements of values, from `FILE` (yaml); --map takes precedence")
	flags.StringVar(&mf.saveTo, "save-map", "", "write which column is which field to `FILE`, for --map-file")
	flags.BoolVar(&mf.ignoreUnknown, "ignore-unknown", false, "pass over columns that no field takes")
	_ = c.MarkFlagFilename("map-file", "yaml", "yml")
	_ = c.MarkFlagFilename("save-map", "yaml", "yml")
}

// set puts the mapping of the flags and of the map file into a schema. On a terminal it
// sets the function that asks for the other columns, unless the file at path is standard input.
func (mf *mappingFlags) set(ctx context.Context, session *cli.Session, prompt *cli.Prompt, path string, spec *rows.Schema) error {
	spec.Map, spec.IgnoreUnknown = map[string]string{}, mf.ignoreUnknown
	for _, pair := range mf.given {
		at := strings.LastIndexByte(pair, '=') // no field has one in its name
		if at < 1 {
			return cli.Usagef("--map: %q is not COLUMN=FIELD", pair)
		}
		column, field := pair[:at], pair[at+1:]
		if other, twice := spec.Map[column]; twice && other != field {
			return cli.Usagef("--map: %q is mapped to both %s and %s", column, other, field)
		}
		spec.Map[column] = field
	}
	if session.CanFill() && path != "-" {
		spec.Ask = mf.ask(ctx, prompt, path, spec)
	}
	if mf.file == "" {
		return nil
	}
	if mf.file == "-" {
		return cli.Usagef("--map-file: - is not a file")
	}
	text, err := session.ReadInput(ctx, mf.file, maxMapFile)
	if ctx.Err() != nil {
		return err
	}
	if err != nil {
		return cli.Usagef("--map-file: %v", err)
	}
	spec.Others = fileResources()
	spec.MapFile, err = columns.Parse("--map-file "+mf.file, text)
	return err
}

// fileResources returns the resources whose fields a file may have, whatever the command: one map file serves all.
func fileResources() []*schema.Resource {
	all := []*schema.Resource{portfolio.New().Resource(), portfolio.FileResource(), &schema.StatusChange}
	for _, op := range schema.Operations() {
		if op.Response != nil {
			all = append(all, op.Response)
		}
	}
	return all
}

// ask returns a function that shows a form with the columns of a file, and remembers the answers.
func (mf *mappingFlags) ask(ctx context.Context, prompt *cli.Prompt, path string, spec *rows.Schema) func(rows.Question) ([]string, error) {
	mf.answers = map[string]string{}
	return func(q rows.Question) ([]string, error) {
		title := "columns of " + path
		if q.Sheet != "" {
			title += ", sheet " + safetext.Quote(q.Sheet)
		}
		fm := &form.Form{Title: title, Send: "read the file"}
		for _, column := range q.Columns {
			field := &form.Field{
				Name: safetext.Shorten(column.Name), Value: column.Field, Known: column.Known, MayBeEmpty: true,
				Flag: "--map", Prefix: column.Name + "=", Placeholder: "FIELD", Listed: fieldChoices(spec),
			}
			switch {
			case column.Hidden:
				field.Beside, field.Help = "hidden", "the cells are hidden, since they may be passwords"
			case column.Cells != nil:
				field.Beside = strings.Join(column.Cells, " | ")
				field.Help = "such as " + phrase.And(phrase.Each(column.Cells, safetext.Quote))
			}
			field.Check = func(answer string) error {
				for i, other := range fm.Fields[:len(q.Columns)] {
					if other != field && other.Value == answer && (other.Known || i < slices.Index(fm.Fields, field)) {
						return fmt.Errorf("the column %s is this field", safetext.Quote(other.Name))
					}
				}
				return column.Check(answer)
			}
			fm.Fields = append(fm.Fields, field)
		}
		answers := func() []string {
			return phrase.Each(fm.Fields[:len(q.Columns)], func(field *form.Field) string { return field.Value })
		}
		fm.Check = func() error {
			if q.Missing == nil {
				return nil
			}
			if missing := q.Missing(answers()); len(missing) > 0 {
				return fmt.Errorf("no column is %s, and no flag sets it: go back and pick its column", phrase.Or(missing))
			}
			return nil
		}
		saveTo := &form.Field{
			Name: "map file", Value: besideFile(path), Known: true, MayBeEmpty: true,
			Help:  "where the answers are saved, for the same columns another time; empty it to save nothing",
			Check: func(path string) error { return cli.CheckOutputPath("map file", path) },
		}
		if mf.saveTo == "" {
			fm.Fields = append(fm.Fields, saveTo)
		}
		if err := prompt.Fill(ctx, fm); err != nil {
			return nil, err
		}
		mf.saveTo, mf.isAsked = cmp.Or(mf.saveTo, saveTo.Value), true
		for i, column := range q.Columns {
			if answer := answers()[i]; answer != column.Field || !column.Known {
				mf.answers[column.Name] = answer
			}
		}
		return answers(), nil
	}
}

// fieldChoices returns what a column can be: each field, with what it is and what people call it, both parts of a name, or nothing.
func fieldChoices(spec *rows.Schema) []form.Choice {
	choices := []form.Choice{{Value: "", Text: "(pass it over)"}}
	for _, name := range spec.FieldNames() {
		field := spec.Resource.Field(name)
		foreign := field.ForeignSynonyms()
		text := strings.Join(slices.Concat(foreign[0], foreign[1], foreign[2], field.ColumnSynonyms), ", ")
		choices = append(choices, form.Choice{Value: name, Text: name + ": " + cmp.Or(field.Help, name) + " (" + text + ")"})
		if field.Type == schema.Attributes {
			choices[len(choices)-1].Text = name + ".NAME: an attribute; type its name (" + text + ")"
		}
		if name == "last_name" {
			choices = append(choices, form.Choice{Value: "[first_name, last_name]", Text: "first_name and last_name: each cell is split at its last space"})
		}
	}
	return choices
}

// besideFile returns a path for the map file of the file at path, where no file is; "" if none can be written there.
func besideFile(path string) string {
	stem := strings.TrimSuffix(filepath.Clean(path), filepath.Ext(path))
	for n := 1; ; n++ {
		to := stem + ".map.yaml"
		if n > 1 {
			to = fmt.Sprintf("%s.map%d.yaml", stem, n)
		}
		if _, err := os.Stat(to); err == nil {
			continue
		}
		if cli.CheckOutputPath("map file", to) != nil {
			return ""
		}
		return to
	}
}

// askRepeated shows a form with the invalid values that several cells have. It reports whether others take their place.
func (in *InputFlags) askRepeated(ctx context.Context, f *cli.Frame, err error) (replaced bool, failed error) {
	const most = 20
	invalid, _ := errors.AsType[*decode.Error](err)
	if invalid == nil || invalid.Fatal || in.onInvalid == bulk.Skip || in.Path == "-" || !f.CanFill() {
		return false, nil
	}
	repeated := in.source.Repeated(invalid.Issues)
	repeated = repeated[:min(len(repeated), most)]
	fm := &form.Form{Title: "values that can't be read", Send: "go on"}
	for _, r := range repeated {
		field := &form.Field{Name: safetext.Shorten(r.Column) + " " + safetext.Quote(r.Value), MayBeEmpty: true}
		field.Help = fmt.Sprintf("in %s: %s; what is written there for %s, or nothing to leave it as it is", phrase.Count(r.Cells, "cell", "cells"), r.Reason, r.Field.Name)
		if r.Field.Enum != nil {
			field.Listed = append([]form.Choice{{Text: "(leave it as it is)"}}, form.ChoicesOf(r.Field.Enum)...)
		}
		field.Check = func(value string) error {
			_, _, err := r.Field.Accept(value, "", true)
			return err
		}
		fm.Fields = append(fm.Fields, field)
	}
	if len(repeated) == 0 {
		return false, nil
	}
	if err := f.Prompt.Fill(ctx, fm); err != nil {
		return false, err
	}
	for i, r := range repeated {
		if value := fm.Fields[i].Value; value != "" {
			in.source.Replace(r, value)
			replaced = true
		}
	}
	if replaced && in.mapping.saveTo == "" {
		in.mapping.saveTo = besideFile(in.Path)
	}
	in.mapping.isAsked = in.mapping.isAsked || replaced
	return replaced, nil
}

// asked returns the values of --map that the user's answers stand for.
func (mf *mappingFlags) asked() (pairs []string) {
	for _, column := range slices.Sorted(maps.Keys(mf.answers)) {
		pairs = append(pairs, column+"="+mf.answers[column])
	}
	return pairs
}

// save writes the mapping of a file that was read to the file of --save-map, or to that of the form. It notes the command that
// needs no answers.
func (mf *mappingFlags) save(session *cli.Session, source *rows.Source) error {
	if mf.saveTo == "" {
		if mf.isAsked {
			session.Note("the same without questions: `%s`", session.CommandLine(phrase.Each(mf.asked(), func(pair string) string { return "--map " + trust.ShellWord(pair) })...))
		}
		return nil
	}
	if err := output.Replace(output.OpenFile, mf.saveTo, source.Mapping.Write); err != nil {
		return err
	}
	if mf.isAsked {
		session.Note("the answers are saved in %s; the same without questions: `%s`", mf.saveTo, session.CommandLineWith("--map-file", mf.saveTo))
	} else {
		session.Note("the mapping is saved: --map-file %s uses it", mf.saveTo)
	}
	return nil
}
