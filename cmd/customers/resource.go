package customers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
)

type readFlags struct {
	keywordType string   // the type of keywords without one
	separators  []string // of the keywords in a cell; nil if the user does not say

	// Whether a customer of the file has something that belongs to a campaign, or to one that the list of accounts does not show, as
	// far as is known. Rows are checked by several goroutines.
	anyOfCampaign atomic.Bool
}

func (r *readFlags) addTo(c *cobra.Command) {
	c.Flags().StringVar(&r.keywordType, "type", "target", "`TYPE` of keywords without one: target or interest (default target)")
	c.Flags().StringArrayVar(&r.separators, "keyword-separator", nil, "`TEXT` between the keywords of a cell, \\n for a line break (default ;, repeatable)")
	cli.Offer(c, "type", portfolio.KeywordTypes()...)
}

func (r *readFlags) check() error {
	if !slices.Contains(portfolio.KeywordTypes(), r.keywordType) {
		return cli.Usagef("--type: %q is neither target nor interest", r.keywordType)
	}
	for i, separator := range r.separators {
		if trimmed := strings.TrimSpace(separator); trimmed == "|" || trimmed == `\n` {
			r.separators[i] = strings.ReplaceAll(trimmed, `\n`, "\n")
		} else if separator == "" || strings.Contains(separator, "|") {
			return cli.Usagef("--keyword-separator: %q can't separate keywords", separator)
		}
	}
	return nil
}

func (r *readFlags) keywords(session *cli.Session) portfolio.KeywordOptions {
	return portfolio.KeywordOptions{Type: r.keywordType, NoValidate: session.Flags.NoValidate}
}

// newCustomers is the schema of rows that are new customers. A keyword that is deactivated is refused, since onboard
// deactivates none.
func (r *readFlags) newCustomers(session *cli.Session, m *portfolio.Model) rows.Schema {
	sch := loads.Accounts(nil).Schema
	sch.Resource, sch.ListSeparators = portfolio.FileResource(), r.separators
	sch.CheckRow = func(row rows.Values) (field, reason string) {
		w, field, reason := r.checkRow(session, m, row)
		if reason != "" {
			return field, reason
		}
		if faults := w.InvalidFaults(); faults != nil {
			return faults[0].Field, faults[0].Reason
		}
		for _, k := range w.Keywords {
			if !k.Active {
				return portfolio.FieldKeywords, fmt.Sprintf("%q: status is %q, and a new keyword is active", safetext.Shorten(k.Text), portfolio.StatusDeactivated)
			}
		}
		return "", ""
	}
	return sch
}

// checkRow returns what a row says of its customer, or why it is invalid, and notes whether that belongs to a campaign.
func (r *readFlags) checkRow(session *cli.Session, m *portfolio.Model, row rows.Values) (w *portfolio.Desired, field, reason string) {
	if w, field, reason = m.Desired(row.Map(), r.keywords(session)); reason != "" {
		return nil, field, reason
	}
	if w.CampaignID == 0 && (w.HasKeywords || w.Notes != nil || w.Plan != nil || w.Credentials != nil) {
		r.anyOfCampaign.Store(true)
	}
	return w, "", ""
}

// anyCustomers is the schema of rows that are new customers or change customers: a row has an
// account_id or not, and all other fields may be missing. A value that can't be sent is left to the comparison with what
// the service holds.
func (r *readFlags) anyCustomers(session *cli.Session, m *portfolio.Model) rows.Schema {
	sch := rows.Schema{Resource: portfolio.FileResource(), Use: schema.Update, Validate: true, ListSeparators: r.separators, Identity: customerIdentity}
	for _, f := range m.Resource().Fields {
		if sch.Resource.Field(f.Name) == nil {
			sch.Resource.Fields = append(sch.Resource.Fields, f)
		}
	}
	for i := range sch.Resource.Fields {
		field := &sch.Resource.Fields[i]
		field.Use = schema.Update | field.Use&(schema.Title|schema.Required|schema.EmptyIfAbsent|schema.EmptyInFile)
		switch field.Name {
		case "account_id":
			field.Example = "" // the example is of a new customer
		case "status":
			field.Example = portfolio.StatusActive
		}
	}
	sch.KeepsInvalid = func(name string) bool {
		return name != "account_id" && name != "campaign_id" && !strings.HasPrefix(name, portfolio.CredentialsPrefix)
	}
	sch.CheckRow = func(row rows.Values) (field, reason string) {
		_, field, reason = r.checkRow(session, m, row)
		return field, reason
	}
	return sch
}

// customerIdentity identifies a customer by its account_id and campaign_id, or, without the first, as
// accounts are that are created.
func customerIdentity(v rows.Values, id, content []byte) ([]byte, []byte) {
	account := v.Get("account_id").Text()
	if account == "" {
		return loads.AccountIdentity(v, id, content)
	}
	return append(id, loads.CustomerKey(account, v.Get("campaign_id").Text())...), loads.AppendAccount(content, v)
}

func credentialsDefaults(session *cli.Session) (schema.Values, error) {
	configured, err := bulkcmd.CredentialsDefaults(session)
	defaults := schema.Values{}
	for name, v := range configured {
		defaults[portfolio.CredentialsColumn(name)] = v
	}
	return defaults, err
}

func noteFirst(session *cli.Session, notes []string, more string) {
	const noted = 20
	for _, note := range notes[:min(len(notes), noted)] {
		session.Note("%s", note)
	}
	if n := len(notes) - noted; n > 0 {
		session.Note(more, n)
	}
}

type namedAccount struct {
	Account int64  `json:"account_id"`
	Name    string `json:"account_name"`
}

func (p namedAccount) String() string {
	return phrase.With(strconv.FormatInt(p.Account, 10), safetext.Shorten(p.Name))
}

func idValue(id int64) record.Value {
	if id == 0 {
		return record.Value("null")
	}
	return record.Integer(id)
}
