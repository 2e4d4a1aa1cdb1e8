package resource

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/lookup"
)

type FieldFlags struct {
	set        *pflag.FlagSet
	attributes []string // --attribute NAME=VALUE
	known      map[string]bool
	// Names finds the account and the campaign that the flags name. Values sets it, to one for a write, if it is nil.
	Names *lookup.Finder
}

func AddFieldFlags(c *cobra.Command, use schema.Use, resources ...*schema.Resource) *FieldFlags {
	ff := &FieldFlags{set: c.Flags(), known: map[string]bool{}}
	for _, res := range resources {
		for _, field := range res.Having(use) {
			if field.Type != schema.Password && field.Type != schema.List && c.Flags().Lookup(cli.FlagName(field.Name)) == nil {
				ff.add(c, field)
			}
		}
	}
	return ff
}

func (ff *FieldFlags) add(c *cobra.Command, field *schema.Field) {
	name, help := cli.FlagName(field.Name), field.Help
	if field.Type == schema.Choice {
		help += ": " + strings.Join(field.Enum, " or ")
	}
	if field.Name == "account_id" || field.Name == "campaign_id" {
		help = strings.Replace(help, "id of", "id or name of", 1)
	}
	if field.Type == schema.Attributes {
		c.Flags().StringArrayVar(&ff.attributes, "attribute", nil, "set one attribute: `NAME=VALUE` (repeatable)")
		help = "set all attributes: a JSON array of objects with field_name and field_value"
	}
	c.Flags().String(name, "", help)
	_ = c.Flags().SetAnnotation(name, cli.Placeholder, []string{placeholder(field)})
	if field.Use&schema.Required != 0 && field.Use&schema.EmptyIfAbsent == 0 {
		_ = c.Flags().SetAnnotation(name, cli.Essential, []string{})
	}
	if field.Type == schema.Bool {
		c.Flags().Lookup(name).NoOptDefVal = "true"
	}
	if field.Type == schema.Choice {
		cli.Offer(c, name, field.Enum...)
	}
	ff.known[field.Name] = true
}

func placeholder(field *schema.Field) string {
	switch field.Type {
	case schema.Int:
		if !strings.HasSuffix(field.Name, "_id") {
			return "N"
		}
	case schema.URL:
		return "URL"
	case schema.Pair:
		return "FIELD=VALUE"
	case schema.Attributes:
		return "JSON"
	}
	words := strings.FieldsFunc(field.Name, func(r rune) bool { return !unicode.IsLetter(r) })
	return strings.ToUpper(words[len(words)-1])
}

// Values returns the fields of res that were given by flags. A flag of a field that
// res can't write is an error. For an update, the values of --attribute are single attributes, as attributes.NAME. A name
// of an account or a campaign is looked up.
func (ff *FieldFlags) Values(ctx context.Context, session *cli.Session, res *schema.Resource, use schema.Use) (schema.Values, error) {
	values, err := ff.parse(session, res, use)
	if err != nil {
		return nil, err
	}
	if ff.Names == nil {
		ff.Names = lookup.ForWrite(session)
	}
	return values, ff.resolveNames(ctx, values)
}

// parse is Values without the ids that have to be looked up.
func (ff *FieldFlags) parse(session *cli.Session, res *schema.Resource, use schema.Use) (schema.Values, error) {
	values := schema.Values{}
	for _, name := range slices.Sorted(maps.Keys(ff.known)) {
		field := res.Field(name)
		flag := ff.set.Lookup(cli.FlagName(name))
		if flag.Changed && (field == nil || field.Name != name || field.Use&use == 0) {
			return nil, cli.Usagef("--%s: not a field of the %s in this version", flag.Name, res.Name)
		}
	}
	if list := res.Field("attributes"); len(ff.attributes) > 0 && (list == nil || list.Use&use == 0) {
		return nil, cli.Usagef("--attribute: not a field of the %s in this version", res.Name)
	}
	var empty []string
	country := ff.country(res)
	for _, field := range res.Having(use) {
		flag := ff.set.Lookup(cli.FlagName(field.Name))
		if flag == nil || !flag.Changed || isReference(flag) {
			continue
		}
		if use&schema.Create != 0 {
			field = field.ForCreate()
		}
		v, err := Accept(session, "--"+flag.Name, field, flag.Value.String(), country)
		if errors.Is(err, schema.ErrEmpty) {
			empty = append(empty, "--"+flag.Name)
		} else if err != nil {
			return nil, err
		}
		values[field.Name] = v
	}
	if empty != nil {
		return nil, &cli.UsageError{Message: "missing: " + strings.Join(empty, ", "), Hint: "the flag is given, but empty: the field is required"}
	}
	if len(ff.attributes) > 0 && values["attributes"] != nil {
		return nil, cli.Usagef("--attributes and --attribute can't be used together")
	}
	for _, text := range ff.attributes {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, cli.Usagef("--attribute: %q is not NAME=VALUE", text)
		}
		v, err := Accept(session, "--attribute "+name, &schema.Field{Name: name}, value, "")
		if err != nil {
			return nil, err
		}
		if use&schema.Create != 0 {
			values["attributes"] = schema.AddAttribute(values["attributes"], name, v.Text())
		} else {
			values[portfolio.AttributesPrefix+name] = v
		}
	}
	return values, nil
}

func (ff *FieldFlags) country(res *schema.Resource) string {
	for i := range res.Fields {
		if flag := ff.set.Lookup(cli.FlagName(res.Fields[i].Name)); res.Fields[i].Type == schema.Country && flag != nil {
			return countryCode(&res.Fields[i], flag.Value.String())
		}
	}
	return ""
}

func countryCode(field *schema.Field, text string) string {
	code, _ := field.Repair(text, "", false)
	return strings.ToUpper(code)
}

// Accept returns the value of a text that a flag, an argument or a form gives for a field. The text is repaired like the cell of
// a file, which a note says, and must be valid. name is what messages call the flag or the argument. country is the code of the
// record's country, "" if it is not known.
func Accept(session *cli.Session, name string, field *schema.Field, text, country string) (record.Value, error) {
	v, made, err := field.Accept(text, country, !session.Flags.NoValidate)
	if err != nil {
		return nil, &cli.ExitError{Code: cli.ExitUsage, Err: fmt.Errorf("%s: %w", name, err)}
	}
	for i, repair := range schema.Repairs {
		if made&(1<<i) != 0 {
			session.Note(repair.Done, name)
		}
	}
	return v, nil
}

// resolveNames puts the ids of the account and the campaign into values, if the flags have them. A campaign's name
// alone stands for its account as well. The flags then have the ids, too, so that a job which is begun keeps ids.
func (ff *FieldFlags) resolveNames(ctx context.Context, values schema.Values) error {
	given := map[string]string{}
	for _, kind := range []string{lookup.Account, lookup.Campaign} {
		if flag := ff.set.Lookup(kind); ff.known[kind+"_id"] && isReference(flag) {
			given[kind] = flag.Value.String()
		}
	}
	if err := ResolveNames(ctx, ff.Names, given); err != nil {
		return err
	}
	campaign, _ := strconv.ParseInt(given[lookup.Campaign], 10, 64)
	if account := ff.set.Lookup(lookup.Account); account != nil && !account.Changed && ff.Names.Owner(campaign) != 0 {
		given[lookup.Account] = strconv.FormatInt(ff.Names.Owner(campaign), 10)
	}
	for kind, id := range given {
		values[kind+"_id"] = record.Value(id)
		if err := ff.set.Set(kind, schema.PrefixID+id); err != nil {
			return err
		}
	}
	return nil
}

func isReference(flag *pflag.Flag) bool {
	return flag != nil && (flag.Name == "account" || flag.Name == "campaign") && flag.Changed && strings.TrimSpace(flag.Value.String()) != ""
}

// FlagName returns how the user gives a field.
func FlagName(field *schema.Field) string {
	switch {
	case field.Type == schema.Password:
		return "--password-stdin"
	case field.Name == "keyword":
		return "KEYWORD"
	}
	return "--" + string(cli.Normalize(nil, cli.FlagName(field.Name)))
}
