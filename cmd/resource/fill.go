package resource

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/ask"
	"reseller/cmd/cli"
	"reseller/cmd/form"
	"reseller/cmd/lookup"
)

// FillRequired completes the values of a create. If required fields are missing, it shows
// a form with all missing fields, or reports the required ones in one error. Fields that
// are required but usually empty are optional in the form, and otherwise empty.
func FillRequired(ctx context.Context, f *cli.Factory, op *schema.Operation, res *schema.Resource, values schema.Values) error {
	var missing, optional []*schema.Field
	for _, field := range res.Having(schema.Required | schema.Create) {
		switch {
		case values[field.Name] != nil:
		case field.Has(schema.Required) && !field.Has(schema.EmptyIfAbsent):
			missing = append(missing, field)
		case field.Type != schema.Attributes && field.Type != schema.Pair: // which are easier to give by flags
			optional = append(optional, field)
		}
	}
	if err := PromptMissing(ctx, f, op, missing, optional, values); err != nil {
		return err
	}
	for _, field := range res.Having(schema.EmptyIfAbsent) {
		if values[field.Name] == nil {
			values[field.Name] = record.Value(`""`)
		}
	}
	return nil
}

// PromptMissing shows a form with the missing fields and the optional ones, or reports the
// missing ones in one error if it can't. If no field is missing, it does nothing.
func PromptMissing(ctx context.Context, f *cli.Factory, op *schema.Operation, missing, optional []*schema.Field, values schema.Values) error {
	if len(missing) == 0 {
		return nil
	}
	if !f.CanFill() {
		var flags []string
		for _, field := range missing {
			flags = append(flags, FlagName(field))
		}
		return &cli.UsageError{Message: "missing: " + strings.Join(flags, ", ")}
	}
	fm := &form.Form{Title: op.Title, Send: op.Title}
	for _, field := range missing {
		fm.Fields = append(fm.Fields, formField(f, field.ForCreate(), field.Has(schema.EmptyInFile)))
	}
	for _, field := range optional {
		fm.Optional = append(fm.Optional, formField(f, field.ForCreate(), true))
	}
	pickByName(f, fm.Fields, values)
	if err := f.Fill(ctx, fm); err != nil {
		return err
	}
	asked := slices.Concat(fm.Fields, fm.Optional)
	for i, field := range slices.Concat(missing, optional) {
		text := asked[i].Value
		if text == "" && i >= len(missing) {
			continue
		}
		v, err := field.ForCreate().FromText(text, !f.Flags.NoValidate)
		if err != nil {
			return err
		}
		values[field.Name] = v
	}
	return nil
}

// formField returns the field of a form for the values of a field. If it may be empty, the
// empty text is not checked.
func formField(f *cli.Factory, field *schema.Field, mayBeEmpty bool) *form.Field {
	asked := &form.Field{
		Name: field.Name, Help: field.Help, Secret: field.Type == schema.Password,
		Flag: FlagName(field), Placeholder: placeholder(field),
		Check: func(text string) error {
			switch {
			case text == "" && mayBeEmpty:
				return nil
			case text == "":
				return errors.New("this field is required")
			}
			_, err := field.FromText(text, !f.Flags.NoValidate)
			return err
		},
	}
	switch {
	case field.Type == schema.Password:
		asked.Placeholder = ""
	case asked.Flag == "KEYWORD":
		asked.Flag = ""
	case mayBeEmpty: // and can't be picked from a list, where something is always picked
	case field.Type == schema.Choice:
		asked.Words = field.Enum
	case field.Type == schema.Bool:
		asked.Words = []string{"true", "false"}
	}
	return asked
}

// pickByName has the user pick the account and the campaign of a form from those of the
// reseller. The campaigns are those of the account.
func pickByName(f *cli.Factory, fields []*form.Field, values schema.Values) {
	finder, account := lookup.New(f), (*form.Field)(nil)
	for _, field := range fields {
		switch field.Name {
		case "account_id":
			account, field.Choices = field, ask.Accounts(finder)
		case "campaign_id":
			field.After = account
			field.Choices = ask.Campaigns(finder, func(after string) string { return cmp.Or(after, values["account_id"].Text()) })
		}
	}
}
