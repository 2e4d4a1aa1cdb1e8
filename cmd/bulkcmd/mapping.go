package bulkcmd

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client/bulk/columns"
	"reseller/client/bulk/rows"
	"reseller/client/portfolio"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/output"
)

// maxMapFile is the largest map file that is read, in bytes.
const maxMapFile = 1 << 20

// mappingFlags are the flags that say which fields the columns of a file stand for.
type mappingFlags struct {
	given         []string // the values of --map
	file, saveTo  string
	ignoreUnknown bool
	answers       map[string]string // the fields that the user gave for unknown columns, "" for those passed over
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
	if session.CanAsk() && path != "-" {
		spec.Ask = mf.ask(session, prompt, spec)
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
	customer := *portfolio.New().Resource()
	for _, field := range schema.Credentials.Fields {
		field.Name = portfolio.CredentialsColumn(field.Name)
		customer.Fields = append(customer.Fields, field)
	}
	all := []*schema.Resource{&customer, &schema.StatusChange}
	for _, op := range schema.Operations() {
		if op.Response != nil {
			all = append(all, op.Response)
		}
	}
	return all
}

// ask returns a function that asks the user for the field of a column, and remembers
// the answer.
func (mf *mappingFlags) ask(session *cli.Session, prompt *cli.Prompt, spec *rows.Schema) func(column, problem string) (string, error) {
	mf.answers = map[string]string{}
	return func(column, problem string) (string, error) {
		if len(mf.answers) == 0 {
			fmt.Fprintf(session.Err, "The fields are %s.\n", strings.Join(spec.FieldNames(), ", "))
		}
		if problem != "" {
			fmt.Fprintln(session.Err, safetext.Escape(problem))
		}
		answer, err := prompt.Ask(fmt.Sprintf("The column %s is unknown. FIELD, or nothing to pass it over: ", safetext.Quote(column)))
		mf.answers[column] = strings.TrimSpace(answer)
		return answer, err
	}
}

// all returns the values of --map, those that the user's answers stand for included.
func (mf *mappingFlags) all() []string {
	all := slices.Clone(mf.given)
	for _, column := range slices.Sorted(maps.Keys(mf.answers)) {
		all = append(all, column+"="+mf.answers[column])
	}
	return all
}

// save writes the mapping of a file that was read to the file of --save-map, or to
// the one that the user names if answers of theirs are in it.
func (mf *mappingFlags) save(session *cli.Session, prompt *cli.Prompt, source *rows.Source) error {
	path := mf.saveTo
	for path == "" && len(mf.answers) > 0 {
		answer, err := prompt.Ask("Save the answers to a map file? FILE, or nothing not to: ")
		if err != nil {
			return err
		}
		if path = strings.TrimSpace(answer); path == "" {
			return nil
		}
		if err := cli.CheckOutputPath("map file", path); err != nil {
			fmt.Fprintln(session.Err, safetext.Escape(err.Error()))
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
	if err := source.Mapping.Write(file); err != nil {
		return err
	}
	if err := file.Commit(); err != nil {
		return err
	}
	session.Note("the mapping is saved: --map-file %s uses it", path)
	return nil
}
