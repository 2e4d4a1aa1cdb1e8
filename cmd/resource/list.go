package resource

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/form"
	"reseller/cmd/lookup"
)

type ListCmd struct {
	Short, Long string
	Examples    []string
	// Op returns the operation, once the flags are parsed.
	Op      func() *schema.Operation
	Filters []Filter
	Flags   func(*cobra.Command) // declares further flags, or nil
	// DuplicateOf returns a text that is equal for duplicates of each other, and empty for records that can't be any. If it is nil,
	// there is no such flag. Duplicates is the help of the flag.
	DuplicateOf func(record.Record) string
	Duplicates  string
}

// A Filter is a flag that selects the records of a list by a value. The service
// returns whole lists, so they are filtered on this machine.
type Filter struct {
	Flag, Usage string
	// Values are the values that the flag accepts. Without any, the flag is account or campaign
	// and takes the id or the name of one. The id is compared with the field FLAG_id.
	Values []string
	// Of returns the value of a record that is compared with the value of the flag.
	Of func(record.Record) string
}

func (l ListCmd) Command(f *cli.Frame) *cobra.Command {
	values, duplicates := make([]string, len(l.Filters)), false
	c := &cobra.Command{
		Use: "list", Short: l.Short, Long: l.Long, Example: strings.Join(l.Examples, "\n"), Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			given := map[string]string{}
			for i, filter := range l.Filters {
				if !c.Flags().Changed(filter.Flag) {
					continue
				}
				if filter.Values != nil && !slices.Contains(filter.Values, values[i]) {
					return cli.Usagef("--%s: %q is neither %s", filter.Flag, values[i], strings.Join(filter.Values, " nor "))
				}
				given[filter.Flag] = values[i]
			}
			for flag := range given {
				f.Output.Constant = append(f.Output.Constant, flag, flag+"_id")
			}
			finder := lookup.New(f.Session)
			if err := ResolveNames(c.Context(), finder, given); err != nil {
				return err
			}
			var changes []func(records) records
			if duplicates {
				changes = append(changes, func(list records) records { return doubled(list, l.DuplicateOf) })
			}
			if len(given) > 0 {
				changes = append(changes, func(list records) records { return l.filtered(c.Context(), finder, given, list) })
			}
			return List(c.Context(), f.Session, f.Output, client.Call{Op: l.Op()}, changes...)
		},
	}
	for i, filter := range l.Filters {
		c.Flags().StringVar(&values[i], filter.Flag, "", filter.Usage)
		if filter.Values != nil {
			cli.Offer(c, filter.Flag, filter.Values...)
		}
	}
	if l.DuplicateOf != nil {
		c.Flags().BoolVar(&duplicates, "duplicates", false, l.Duplicates)
	}
	f.Flags.AddSelection(c)
	if l.Flags != nil {
		l.Flags(c)
	}
	return f.SetCompletionResource(c, l.Op().Response)
}

// filtered returns the records that the filters accept. A number of an account or a campaign that no record has as an id is looked
// up as a name at the end of the list. Then the filter asks for that account or campaign, and the list is read again.
func (l ListCmd) filtered(ctx context.Context, finder *lookup.Finder, given map[string]string, list records) records {
	type asked struct {
		Filter
		want             string
		isShown, isFound bool // by a record of the list: any value, and the one that is wanted
	}
	var filters []*asked
	for _, filter := range l.Filters {
		if want, ok := given[filter.Flag]; ok {
			filters = append(filters, &asked{Filter: filter, want: want})
		}
	}
	accepts := func(rec record.Record) bool {
		isAccepted := true
		for _, x := range filters {
			value := x.of(rec)
			x.isShown, x.isFound, isAccepted = x.isShown || value != "", x.isFound || value == x.want, isAccepted && value == x.want
		}
		return isAccepted
	}
	return func(yield func(record.Record, error) bool) {
		isEmpty := true
		for more := true; more; {
			for rec, err := range list {
				isEmpty = false
				if err == nil && !accepts(rec) {
					continue
				}
				if !yield(rec, err) || err != nil {
					return
				}
			}
			more = false
			for _, x := range filters {
				id, _ := strconv.ParseInt(x.want, 10, 64)
				if ids := []int64{id}; x.Values == nil && !x.isFound && finder.Replace(ctx, x.Flag, ids, nil) {
					x.want, more = strconv.FormatInt(ids[0], 10), true
				}
			}
		}
		if at := slices.IndexFunc(filters, func(x *asked) bool { return !x.isShown }); at >= 0 && !isEmpty {
			yield(record.Record{}, cli.Usagef("--%s: no record of the list has the field %s", filters[at].Flag, filters[at].field()))
		}
	}
}

// ResolveNames puts ids in place of the texts given for an account and a campaign, by their flags.
func ResolveNames(ctx context.Context, finder *lookup.Finder, given map[string]string) error {
	var accounts, campaigns []int64
	var err error
	if text, ok := given["account"]; ok {
		if accounts, err = finder.Accounts(ctx, "--account", text); err != nil {
			return err
		}
		given["account"] = strconv.FormatInt(accounts[0], 10)
	}
	if text, ok := given["campaign"]; ok {
		if campaigns, err = finder.Campaigns(ctx, "--campaign", accounts, text); err != nil {
			return err
		}
		given["campaign"] = strconv.FormatInt(campaigns[0], 10)
	}
	return nil
}

func (x Filter) field() string {
	if x.Values == nil {
		return x.Flag + "_id"
	}
	return x.Flag
}

// of returns what a record has for the value of the flag, empty if it shows nothing.
func (x Filter) of(rec record.Record) string {
	if x.Values != nil {
		return x.Of(rec)
	}
	id, ok := rec.Get(x.field()).Int64()
	if !ok {
		return ""
	}
	return strconv.FormatInt(id, 10)
}

type GetCmd struct {
	Arg         string                                         // the argument: an ACCOUNT_ID
	Field       func(*cli.Session, *cobra.Command) *form.Field // asks for the argument
	Short, Long string
	Examples    []string
	// ByName finds the ids of the arguments, which may be names.
	ByName func(c *cobra.Command, session *cli.Session, finder *lookup.Finder, args []string) ([]int64, error)
	// Call returns the call for an id, once the flags are parsed.
	Call  func(id int64) client.Call
	Flags func(*cobra.Command) // declares further flags
}

func (g GetCmd) Command(f *cli.Frame) *cobra.Command {
	_, name, _ := strings.Cut(g.Arg, " ")
	c := &cobra.Command{
		Use: "get " + name + "...", Short: g.Short, Long: g.Long, Example: strings.Join(g.Examples, "\n"),
		Args: cli.Args(-1, g.Arg),
		RunE: func(c *cobra.Command, args []string) error {
			fromStdin := slices.Contains(args, "-")
			if fromStdin && len(args) > 1 {
				return cli.Usagef("- reads the ids from stdin, so it can't be used with other arguments")
			}
			if fromStdin {
				var err error
				if args, err = readIDs(f.In); err != nil {
					return err
				}
			}
			if len(args) == 0 {
				f.Note("standard input has no ids")
				return f.Output.Write(cli.Shape(g.Call(0).Op.Response, false), func(out *cli.Out) error { return out.Records(c.Context(), cli.Records(nil)) })
			}
			finder := lookup.New(f.Session)
			finder.Partial = true
			ids, err := g.ByName(c, f.Session, finder, args)
			if err != nil {
				return err
			}
			finder.Several = finder.Several || fromStdin // which may have one id now, and a list another time
			return PrintByID(c.Context(), f, finder, lookup.Account, ids, g.Call(ids[0]).Op.Response, g.Call, nil)
		},
	}
	g.Flags(c)
	return f.SetCompletionResource(f.Prompt.Arguments(c, g.Field(f.Session, c)), g.Call(0).Op.Response)
}

func readIDs(stdin io.Reader) (ids []string, err error) {
	text, err := cli.ReadAtMost(stdin, "stdin", 64<<20)
	if err != nil {
		return nil, err
	}
	for _, id := range strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' || r == 0 }) {
		if id = strings.TrimSpace(id); id != "" {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// PrintByID prints the records with the given ids, which are those of a kind that finder has found: one record for one text, a
// list in the order of the ids for several. part, which may be nil, returns the part of each that is printed.
func PrintByID(ctx context.Context, f *cli.Frame, finder *lookup.Finder, kind string, ids []int64, res *schema.Resource, call func(id int64) client.Call, part func(id int64, rec record.Record) (record.Record, error)) error {
	get := func(ctx context.Context, i int, raw io.Writer) (rec record.Record, err error) {
		err = finder.Read(ctx, kind, ids[i], func(id int64) (err error) {
			one := call(id)
			one.CopyTo = raw
			if rec, err = One(ctx, f.Session, one); err == nil && part != nil {
				rec, err = part(id, rec)
			}
			return err
		})
		return rec, err
	}
	if len(ids) > 1 || finder.Several {
		fan := &fanout.FanOut{Calls: len(ids), Flags: fanout.Flags{Concurrency: cli.DefaultConcurrency}}
		return PrintEach(ctx, f, fan, cli.Shape(res, false), get)
	}
	return f.Output.Write(cli.Shape(res, true), func(out *cli.Out) error {
		if f.Flags.Raw {
			_, err := get(ctx, 0, out.Raw())
			return commitRaw(f.Session, out, err)
		}
		rec, err := get(ctx, 0, nil)
		if err != nil {
			return err
		}
		return out.Record(ctx, rec)
	})
}
