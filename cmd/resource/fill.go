package resource

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/form"
	"reseller/cmd/lookup"
)

// FillRequired completes the values of a create, at first by the defaults of the profile. If required fields are missing, it shows
// a form with all missing fields, or reports the required ones in one error. Fields that
// are required but usually empty are optional in the form, and otherwise empty.
func FillRequired(ctx context.Context, session *cli.Session, prompt *cli.Prompt, op *schema.Operation, res *schema.Resource, values, defaults schema.Values) error {
	var missing, optional []*schema.Field
	var flags []string
	isAllAsked := len(values) == 0
	for name, v := range defaults {
		if values[name] == nil {
			values[name] = v
		}
	}
	for _, field := range res.Having(schema.Required | schema.Create) {
		switch {
		case values[field.Name] != nil:
		case field.Has(schema.Required) && !field.Has(schema.EmptyIfAbsent):
			missing, flags = append(missing, field.ForCreate()), append(flags, FlagName(field))
		case !isStructured(field) && !field.Has(schema.RecordID): // a new record has no id
			optional = append(optional, field.ForCreate())
		}
	}
	switch {
	case len(missing) > 0 && !session.CanFill():
		return &cli.UsageError{Message: "missing: " + strings.Join(flags, ", ")}
	case len(missing) > 0:
		place := &place{code: values["country_code"].Text()}
		fm := &form.Form{Title: op.Title, Send: op.Title, Fields: formFields(session, missing, values, place, false), Optional: formFields(session, optional, values, place, true)}
		for i, field := range fm.Fields { // what is picked is often the same again
			if v := prompt.Last[missing[i].Name]; v != nil && (field.Choices != nil || field.Words != nil) {
				field.Value = v.Text()
			}
		}
		err := prompt.Fill(ctx, fm)
		if err == nil {
			err = accept(session, slices.Concat(missing, optional), slices.Concat(fm.Fields, fm.Optional), values, place.code)
		}
		if err != nil {
			return err
		}
		if isAllAsked { // otherwise the command line says of what one is made
			prompt.Filled(values)
		}
	}
	for _, field := range res.Having(schema.EmptyIfAbsent) {
		if values[field.Name] == nil {
			values[field.Name] = record.Value(`""`)
		}
	}
	return nil
}

// A place has the country and the postal code of a record that a form asks for: the code can be judged once both are given.
type place struct {
	code   string // of the country
	postal string
	field  *schema.Field // of the postal code; nil until it is given
}

func (p *place) check(field *schema.Field, text string, check bool) error {
	if field.Content == schema.PostalCode {
		p.field, p.postal = field, text
	}
	if field.Type == schema.Country {
		p.code = countryCode(field, text)
	}
	_, _, err := field.Accept(text, p.code, check)
	if err == nil && field.Type == schema.Country && p.field != nil {
		if _, _, err = p.field.Accept(p.postal, p.code, check); err != nil {
			err = fmt.Errorf("%s: %w", p.field.Name, err)
		}
	}
	return err
}

// Targets returns the ids of what an update is about, those of its arguments or that in values, and checks that it changes
// something. On a terminal, forms ask for what it lacks: for target, which is an id, and for new values if there are none. The
// form of these has the values that read gives, of which only those that are changed go into values. hint says how the user finds
// the id if it is missing.
func Targets(c *cobra.Command, f *cli.Frame, names *lookup.Finder, res *schema.Resource, target *form.Field, hint string, ids []int64, values schema.Values, read func(context.Context, *client.Client, int64) (record.Record, error)) ([]int64, error) {
	key := strings.ToLower(target.Name)
	typed := f.Typed
	fields := slices.DeleteFunc(res.Without(key).Having(schema.Update), isStructured)
	isChange := func() bool { return len(values) > 1 || len(values) == 1 && values[key] == nil }
	if len(ids) == 0 && values[key] == nil && f.CanFill() {
		var later []*form.Field
		if !isChange() {
			later = formFields(f.Session, fields, values, &place{}, true)
		}
		answers, err := f.Prompt.Missing(c, "", []*form.Field{target}, later...)
		if err == nil {
			ids, err = cli.IDs(target.Name, answers)
		}
		if err != nil {
			return nil, err
		}
		f.Typed = append(f.Typed, answers...)
	}
	if len(ids) < 2 {
		id, err := ChooseID(target.Name, hint, ids, values)
		if err != nil {
			return nil, err
		}
		ids = []int64{id}
	}
	if !isChange() && f.CanFill() {
		var rec record.Record
		if service, err := f.Client(); err == nil && len(ids) == 1 {
			ctx, cancel := context.WithTimeout(c.Context(), lookup.Patience)
			defer cancel()
			if rec, err = read(ctx, service, ids[0]); errors.Is(err, client.ErrNotFound) {
				return nil, names.NotFound(ctx, err)
			}
		}
		err := AskAny(c, f.Session, f.Prompt, names.Words(c.Context(), key, ids...), fields, values, "leave it empty to keep it", rec)
		if errors.Is(err, form.ErrBack) {
			f.Typed = typed
			delete(values, key)
			return Targets(c, f, names, res, target, hint, nil, values, read)
		}
		if err != nil {
			return nil, err
		}
	}
	if !isChange() {
		return nil, cli.Usagef("nothing to change: no field was given").Hinted(fmt.Sprintf("`%s --help` shows the fields", c.CommandPath()))
	}
	return ids, nil
}

// ChooseID returns the id of the account or the campaign that a write is for, and puts it into values. ids has that of the
// argument; without one, values have that of the flag. hint says how the user finds the id if both are missing.
func ChooseID(argument, hint string, ids []int64, values schema.Values) (int64, error) {
	field := strings.ToLower(argument)
	id, given := values[field].Int64()
	switch {
	case len(ids) == 0 && !given:
		return 0, &cli.UsageError{Message: "missing: " + argument, Hint: hint}
	case len(ids) > 0 && given && id != ids[0]:
		kind := strings.TrimSuffix(field, "_id")
		return 0, cli.Usagef("%s %d and --%s %d name different %[3]ss", argument, ids[0], kind, id)
	case len(ids) > 0:
		id = ids[0]
	}
	values[field] = record.Integer(id)
	return id, nil
}

// AskAny asks on a terminal for the values of fields that may stay empty, which note says. Those that are given go into values.
// The form begins with the values of rec, which are kept unless they are changed.
func AskAny(c *cobra.Command, session *cli.Session, prompt *cli.Prompt, subject string, fields []*schema.Field, values schema.Values, note string, rec record.Record) error {
	place := &place{code: rec.Get("country").Text()}
	asked := formFields(session, fields, values, place, true)
	for i, field := range asked {
		if text := currentText(fields[i], rec); text == "" {
			field.Help += "; " + note
		} else {
			_, _, err := fields[i].Accept("", place.code, !session.Flags.NoValidate)
			field.Value, field.Kept, field.MayBeEmpty = text, text, err == nil
			field.Help += "; Enter keeps " + cmp.Or(field.Lines(), "it")
			field.Words = slices.DeleteFunc(field.Words, func(word string) bool { return word == "" })
		}
	}
	answers, err := prompt.Missing(c, subject, asked)
	if err != nil || answers == nil {
		return err
	}
	prompt.Filled(values)
	return accept(session, fields, asked, values, place.code)
}

func currentText(field *schema.Field, rec record.Record) string {
	held, _ := portfolio.CurrentValue(field, rec)
	text := held.Text()
	if field.Type == schema.Choice {
		word, _ := field.FromText(text, true)
		text = word.Text()
	}
	return text
}

// accept puts the answers to the questions for fields into values, without those that are left out. country is the code of
// the record's country, "" if it is not known.
func accept(session *cli.Session, fields []*schema.Field, asked []*form.Field, values schema.Values, country string) (err error) {
	for i, field := range fields {
		if err == nil && (asked[i].Value != asked[i].Kept || !asked[i].Optional) {
			values[field.Name], err = Accept(session, asked[i].Name, field, asked[i].Value, country)
		}
	}
	return err
}

// isStructured reports whether a field is easier to give by flags than in a form.
func isStructured(field *schema.Field) bool {
	return field.Type == schema.Attributes || field.Type == schema.Pair
}

// formFields returns the fields of a form for fields that values lack. The user picks the account and the campaign, which is
// one of the account, from those of the reseller.
func formFields(session *cli.Session, fields []*schema.Field, values schema.Values, place *place, optional bool) []*form.Field {
	finder, account, all := lookup.New(session), (*form.Field)(nil), make([]*form.Field, len(fields))
	for i, field := range fields {
		asked := &form.Field{
			Name: strings.ReplaceAll(field.Name, "_", " "), Help: field.Help, Optional: optional, MayBeEmpty: field.Has(schema.EmptyInFile),
			Flag: FlagName(field), Placeholder: placeholder(field),
			Check: func(text string) error { return place.check(field, text, !session.Flags.NoValidate) },
		}
		switch {
		case field.Type == schema.Password:
			asked.Secret, asked.Placeholder = true, ""
		case asked.Flag == "KEYWORD":
			asked.Flag = ""
		case field.Type == schema.Choice:
			asked.Words = field.Enum
		case field.Type == schema.Bool:
			asked.Words = []string{"true", "false"}
		case field.Name == "account_id":
			account, asked.Choices = asked, finder.Choices(lookup.Account, "")
		case field.Name == "campaign_id":
			asked.After, asked.Choices = account, finder.Choices(lookup.Campaign, values["account_id"].Text())
		case field.Name == "credentials_types_id":
			asked.Choices = credentialTypes
		}
		if optional && asked.Words != nil {
			asked.Words = slices.Concat([]string{""}, asked.Words)
		}
		all[i] = asked
	}
	return all
}

func credentialTypes(context.Context, string) (list []form.Choice, err error) {
	for _, t := range schema.CredentialTypes {
		list = append(list, form.Choice{Value: t.ID, Text: fmt.Sprintf("%s (%s)", t.ID, t.Name)})
	}
	return list, nil
}
