package bulkcmd

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/rows"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/output"
)

// maxMapFile is the largest map file that is read, in bytes.
const maxMapFile = 1 << 20

// readMapping sets what the flags and the map file say of the columns. On a terminal it
// sets the function that asks for the rest.
func (in *InputFlags) readMapping(ctx context.Context, f *cli.Factory, spec *rows.Schema) error {
	spec.Map, spec.IgnoreUnknown = map[string]string{}, in.ignoreUnknown
	for _, pair := range in.mapping {
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
	if f.CanAsk() && in.Path != "-" {
		spec.Ask = in.askField(ctx, f, spec)
	}
	if in.mapFile == "" {
		return nil
	}
	if in.mapFile == "-" {
		return cli.Usagef("--map-file: - is not a file")
	}
	text, err := f.ReadInput(ctx, in.mapFile, maxMapFile)
	if ctx.Err() != nil {
		return err
	}
	if err != nil {
		return cli.Usagef("--map-file: %v", err)
	}
	spec.MapFile, err = rows.ParseMapping("--map-file "+in.mapFile, text)
	return err
}

// askField returns a function that asks the user for the field of a column, and remembers
// the answer.
func (in *InputFlags) askField(ctx context.Context, f *cli.Factory, spec *rows.Schema) func(column, problem string) (string, error) {
	in.answers = map[string]string{}
	return func(column, problem string) (string, error) {
		if len(in.answers) == 0 {
			fmt.Fprintf(f.Err, "The fields are %s.\n", strings.Join(fieldNames(spec), ", "))
		}
		if problem != "" {
			fmt.Fprintln(f.Err, safetext.Escape(problem))
		}
		answer, err := f.Ask(ctx, fmt.Sprintf("The column %s is unknown. FIELD, or nothing to pass it over: ", decode.Quote(column)))
		in.answers[column] = strings.TrimSpace(answer)
		return answer, err
	}
}

// fieldNames returns the fields that the rows of a file may have.
func fieldNames(spec *rows.Schema) []string {
	use := spec.Use
	if spec.ReadOnly {
		use |= schema.Read
	}
	var names []string
	for _, field := range spec.Resource.Having(use) {
		names = append(names, field.Name)
	}
	return names
}

// allMappings returns the values of --map, those that the user's answers stand for included.
func (in *InputFlags) allMappings() []string {
	all := slices.Clone(in.mapping)
	for _, column := range slices.Sorted(maps.Keys(in.answers)) {
		all = append(all, column+"="+in.answers[column])
	}
	return all
}

// saveMapping writes the mapping of a file that was read to the file of --save-map, or to
// the one that the user names if answers of theirs are in it.
func (in *InputFlags) saveMapping(ctx context.Context, f *cli.Factory, source *rows.Source) error {
	path := in.saveMap
	for path == "" && len(in.answers) > 0 {
		answer, err := f.Ask(ctx, "Save the answers to a map file? FILE, or nothing not to: ")
		if err != nil {
			return err
		}
		if path = strings.TrimSpace(answer); path == "" {
			return nil
		}
		if err := checkOutputPath("map file", path); err != nil {
			fmt.Fprintln(f.Err, safetext.Escape(err.Error()))
			path = ""
		}
	}
	if path == "" {
		return nil
	}
	file, err := output.OpenFile(path)
	if err != nil {
		return err
	}
	defer file.Abort()
	if err := source.Mapping().Write(file); err != nil {
		return err
	}
	if err := file.Commit(); err != nil {
		return err
	}
	f.Note("the mapping is saved: --map-file %s uses it", path)
	return nil
}
