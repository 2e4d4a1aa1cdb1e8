package reports

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/rows"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/client/summary"
	"reseller/cmd/bulkcmd"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/form"
	"reseller/cmd/lookup"
	"reseller/output/summaryfile"
)

type selection struct {
	accounts, campaigns []string // the flags as given
	accountIDs          []int64  // each once
	campaignIDs         []int64  // each once
	all                 bool
	input               bulkcmd.InputFlags
	given               dateFlags
	fan                 fanout.Flags
	compare             string         // of the flag, or of the file
	history             bool           // of the flag, or of the file
	finder              *lookup.Finder // has found the ids
	listed              *campaignIndex // nil until it is read
	rows                []rows.Row     // of the file
}

// addTo adds the flags of all commands that report on campaigns. Dates that the service is to judge come with --no-validate.
func (s *selection) addTo(c *cobra.Command, session *cli.Session, hasDates, isJudged bool, comparisons []string) {
	c.Flags().StringArrayVar(&s.accounts, "account", nil, "`ID` or name of an account to report on (repeatable)")
	c.Flags().StringArrayVar(&s.campaigns, "campaign", nil, "`ID` or name of a campaign to report on (repeatable)")
	c.Flags().BoolVar(&s.all, "all", false, "report on every campaign of the reseller")
	if hasDates {
		s.given.addTo(c, session, isJudged)
	}
	if comparisons != nil {
		c.Flags().StringVar(&s.compare, "compare", s.compare, "compare with the `PERIOD` before: "+strings.Join(comparisons, ", "))
		cli.Offer(c, "compare", comparisons...)
	}
	s.input.AddIDsTo(c, session, decode.TextFormats...)
	s.fan.AddTo(c, failureColumns...)
}

// begin parses what the flags select. If they select nothing, the user picks an account, unless --raw needs a campaign, or,
// where isOne is set, a campaign: of the account if one is selected, which may have only one.
func (s *selection) begin(c *cobra.Command, f *cli.Frame, isOne bool) (err error) {
	session, prompt := f.Session, f.Prompt
	hasNone := len(s.campaigns) == 0 && !s.all && s.input.Path == ""
	if hasNone && !isOne && !session.Flags.Raw && len(s.accounts) == 0 {
		if s.accounts, err = pick(c, prompt, lookup.PickAccount(session), "--account"); err != nil {
			return err
		}
	}
	if err = s.parse(c.Context(), session); err != nil || !hasNone || !isOne {
		return err
	}
	if len(s.accountIDs) == 1 && !session.Flags.Raw {
		refs, err := s.resolve(c.Context(), f)
		switch {
		case err != nil:
			return err
		case len(refs) == 1:
			s.campaigns, s.campaignIDs = []string{fmt.Sprint(refs[0].campaign)}, []int64{refs[0].campaign}
			return refs[0].err
		}
	}
	if s.campaigns, err = pick(c, prompt, lookup.PickCampaign(session, s.accountIDs...), "--campaign"); err == nil {
		s.campaignIDs, err = cli.IDs("--campaign", s.campaigns)
	}
	return err
}

func pick(c *cobra.Command, prompt *cli.Prompt, field *form.Field, flag string) ([]string, error) {
	field.Name, field.Flag, field.Placeholder = flag, flag, "ID"
	return prompt.Missing(c, "", []*form.Field{field})
}

func (s *selection) parse(ctx context.Context, session *cli.Session) (err error) {
	s.finder = lookup.New(session)
	s.finder.Partial = true
	if s.accountIDs, err = s.finder.Accounts(ctx, "--account", s.accounts...); err != nil {
		return err
	}
	found := slices.DeleteFunc(slices.Clone(s.accountIDs), func(id int64) bool { return s.finder.Unfound(id) != nil })
	s.campaignIDs, err = s.finder.Campaigns(ctx, "--campaign", found, s.campaigns...)
	return err
}

// single reports whether the flags name exactly one account and one campaign. Then the campaign need not be looked up.
func (s *selection) single() bool {
	return s.input.Path == "" && len(s.accountIDs) == 1 && len(s.campaignIDs) == 1
}

type campaignRef struct {
	account, campaign int64
	err               error            // why the campaign can't be reported on
	unlisted          bool             // err says that the campaigns list does not have the only id known
	origin            *summaryfile.Row // of the row of the file that asks for it, nil if none does
}

func (ref campaignRef) ids() campaignRef {
	return campaignRef{account: ref.account, campaign: ref.campaign}
}

func (ref campaignRef) fields() []record.Pair {
	return []record.Pair{{Name: "account_id", Value: record.Integer(ref.account)}, {Name: "campaign_id", Value: record.Integer(ref.campaign)}}
}

// row returns the ids as a row of a failures file, nil if they lack one, so that no file can name the campaign.
func (ref campaignRef) row() []record.Pair {
	if ref.err != nil && !ref.unlisted {
		return nil
	}
	return slices.DeleteFunc(ref.fields(), func(id record.Pair) bool { return ref.unlisted && id.Value.Text() == "0" })
}

// resolve returns the selected campaigns, each once. Those that are not in the campaigns list have an error.
func (s *selection) resolve(ctx context.Context, f *cli.Frame) ([]campaignRef, error) {
	switch {
	case s.single():
		return []campaignRef{{account: s.accountIDs[0], campaign: s.campaignIDs[0]}}, nil
	case s.input.Path != "":
		return s.resolveFile(ctx, f)
	}
	index, err := s.index(ctx, f.Session)
	if err != nil {
		return nil, err
	}
	s.finder.Replace(ctx, lookup.Account, s.accountIDs, func(id int64) bool { return index.byAccount[id] != nil })
	s.finder.Replace(ctx, lookup.Campaign, s.campaignIDs, func(id int64) bool { return index.byCampaign[id] != nil })
	var refs []campaignRef // first those that are not listed, since their errors need no request
	for _, id := range slices.Concat(s.accountIDs, s.campaignIDs) {
		if err := s.finder.Unfound(id); err != nil {
			refs = append(refs, campaignRef{err: err})
		}
	}
	for _, id := range s.accountIDs {
		if s.finder.Unfound(id) == nil && index.byAccount[id] == nil {
			refs = append(refs, unlistedRef(campaignRef{account: id}, fmt.Sprintf("account %d", id)))
		}
	}
	isOfAccount := func(item campaignRef) bool {
		return len(s.accountIDs) == 0 || slices.Contains(s.accountIDs, item.account)
	}
	for _, id := range s.campaignIDs {
		switch items := index.byCampaign[id]; {
		case s.finder.Unfound(id) != nil:
		case items == nil:
			refs = append(refs, unlistedRef(campaignRef{campaign: id}, fmt.Sprintf("campaign %d", id)))
		case !slices.ContainsFunc(items, isOfAccount):
			f.Note("campaign %d is left out: it belongs to none of the given accounts", id)
		}
	}
	for _, item := range index.all {
		if isOfAccount(item) && (len(s.campaignIDs) == 0 || slices.Contains(s.campaignIDs, item.campaign)) {
			refs = append(refs, item)
		}
	}
	if len(refs) == 0 && !s.all {
		return nil, notFoundError(errors.New("none of the given campaigns belongs to one of the given accounts"))
	}
	return eachOnce(refs), nil
}

func unlistedRef(ref campaignRef, what string) campaignRef {
	ref.err, ref.unlisted = notFoundError(errors.New(what+" is not in the campaigns list")), true
	return ref
}

const campaignsHint = "`reseller campaigns list` shows the campaigns and their accounts"

func notFoundError(err error) error {
	return &cli.ExitError{Code: cli.ExitNotFound, Err: err, Hint: campaignsHint}
}

// eachOnce drops repeated campaigns, but none with an error.
func eachOnce(refs []campaignRef) []campaignRef {
	seen := map[campaignRef]bool{}
	return slices.DeleteFunc(refs, func(ref campaignRef) bool {
		isAgain := ref.err == nil && seen[ref.ids()]
		seen[ref.ids()] = seen[ref.ids()] || ref.err == nil
		return isAgain
	})
}

// The columns of a failures file that say what was asked of the campaigns.
const columnFrom, columnTo, columnCompare, columnHistory = "date_from", "date_to", "compare", "history"

var (
	askedColumns   = []string{columnFrom, columnTo, columnCompare, columnHistory}
	failureColumns = append([]string{"account_id", "campaign_id"}, askedColumns...)
)

// askedPairs returns the values of askedColumns, without those that were not asked for.
func (s *selection) askedPairs(dates client.Dates) []record.Pair {
	history := ""
	if s.history {
		history = "true"
	}
	var pairs []record.Pair
	for i, text := range []string{dates.From, dates.To, strings.TrimPrefix(s.compare, string(summary.None)), history} {
		if text != "" {
			pairs = append(pairs, record.Pair{Name: askedColumns[i], Value: record.Quote(text)})
		}
	}
	return pairs
}

func (s *selection) fanOf(refs []campaignRef, asked []record.Pair) *fanout.FanOut {
	return &fanout.FanOut{
		Flags: s.fan, Calls: len(refs), Options: asked,
		Row:    func(i int) []record.Pair { return refs[i].row() },
		Origin: func(i int) *summaryfile.Row { return refs[i].origin },
	}
}

// inputSpec describes a file of campaigns: the output of `campaigns list` and of --failures, among others.
func inputSpec() rows.Schema {
	res := &schema.Resource{Name: schema.Campaigns.Name, Fields: slices.Concat(schema.Campaigns.Fields, []schema.Field{
		{Name: columnFrom, Type: schema.Date, Use: schema.Create}, {Name: columnTo, Type: schema.Date, Use: schema.Create},
		{Name: columnCompare, Type: schema.Choice, Use: schema.Create, Enum: summary.Comparisons},
		{Name: columnHistory, Type: schema.Bool, Use: schema.Create},
	})}
	return rows.Schema{
		Resource: res, Use: schema.Create, ReadOnly: true, Validate: true, OnlyIDs: true, LineFields: []string{"account_id", "campaign_id"},
		Words: phrase.Wording{decode.NoText: "has bytes that are no text in UTF-8, in which this command takes it: save it as csv in UTF-8"},
		CheckRow: func(v rows.Values) (field, reason string) {
			if v.Get("account_id") == nil && v.Get("campaign_id") == nil {
				return "", "missing account_id or campaign_id"
			}
			if (v.Get(columnFrom) == nil) != (v.Get(columnTo) == nil) {
				return "", "date_from and date_to belong together"
			}
			return "", ""
		},
	}
}

// period returns the period of the flags, or else of the file, which it reads, and no dates if neither has one. What else the file
// says was asked is set unless a flag says it.
func (s *selection) period(c *cobra.Command, f *cli.Frame, today time.Time) (client.Dates, error) {
	if !slices.Contains(summary.Comparisons, s.compare) {
		return client.Dates{}, cli.Usagef("--compare: %q is none of %s", s.compare, strings.Join(summary.Comparisons, ", "))
	}
	asked, err := s.given.parse(c, today, !f.Flags.NoValidate)
	if err != nil || s.input.Path == "" {
		return asked, err
	}
	constants := schema.Values{} // of all rows
	if len(s.accountIDs) == 1 {
		constants["account_id"] = record.Integer(s.accountIDs[0])
	}
	if len(s.campaignIDs) == 1 {
		constants["campaign_id"] = record.Integer(s.campaignIDs[0])
	}
	for _, flag := range s.askedPairs(asked) {
		if flag.Name != columnCompare || c.Flags().Changed("compare") {
			constants[flag.Name] = flag.Value
		}
	}
	if s.rows, err = s.input.Rows(c.Context(), f, inputSpec(), constants); err != nil || len(s.rows) == 0 {
		return asked, err
	}
	first := s.rows[0].Values
	for _, row := range s.rows {
		for _, name := range askedColumns {
			if row.Values.Get(name).Text() != first.Get(name).Text() {
				return asked, cli.Usagef("%s, %s: another one than in the rows before: all rows must have the same", s.input.Place(row.Line), name)
			}
		}
	}
	s.compare = cmp.Or(first.Get(columnCompare).Text(), s.compare)
	s.history = first.Get(columnHistory).Text() == "true" && c.Flags().Lookup("history") != nil
	if asked = (client.Dates{From: first.Get(columnFrom).Text(), To: first.Get(columnTo).Text()}); asked != (client.Dates{}) && !f.Flags.NoValidate {
		_, err = periodOf(asked)
	}
	return asked, err
}

// resolveFile takes a row with one of the two ids for all campaigns with that id in the campaigns list.
func (s *selection) resolveFile(ctx context.Context, f *cli.Frame) ([]campaignRef, error) {
	var refs []campaignRef
	for _, row := range s.rows {
		ref := campaignRef{origin: s.input.Origin(&row)}
		var hasAccount, hasCampaign bool
		ref.account, hasAccount = row.Values.Get("account_id").Int64()
		ref.campaign, hasCampaign = row.Values.Get("campaign_id").Int64()
		if hasAccount && hasCampaign {
			refs = append(refs, ref)
			continue
		}
		index, err := s.index(ctx, f.Session)
		if err != nil {
			return nil, err
		}
		found, what := index.byAccount[ref.account], fmt.Sprintf("account %d", ref.account)
		if hasCampaign {
			found, what = index.byCampaign[ref.campaign], fmt.Sprintf("campaign %d", ref.campaign)
		}
		if len(found) == 0 {
			found = []campaignRef{unlistedRef(ref, fmt.Sprintf("%s (%s)", what, s.input.Place(row.Line)))}
		}
		for _, item := range found {
			item.origin = ref.origin
			refs = append(refs, item)
		}
	}
	return eachOnce(refs), nil
}

// A campaignIndex is the campaigns list. An item that lacks an id, which is 0 then, has an error.
type campaignIndex struct {
	all                   []campaignRef
	byAccount, byCampaign map[int64][]campaignRef
	names                 map[campaignRef]string
}

// index reads the campaigns list, unless it has been read. With an error, it has what came before.
func (s *selection) index(ctx context.Context, session *cli.Session) (*campaignIndex, error) {
	if s.listed != nil {
		return s.listed, nil
	}
	index := &campaignIndex{byAccount: map[int64][]campaignRef{}, byCampaign: map[int64][]campaignRef{}, names: map[campaignRef]string{}}
	for rec, err := range session.List(ctx, client.Call{Op: &schema.OpCampaignsList}) {
		if err != nil {
			return index, err
		}
		var item campaignRef
		item.account, _ = rec.Get("account_id").Int64()
		item.campaign, _ = rec.Get("campaign_id").Int64()
		index.names[item] = rec.Get("campaign_name").Text()
		if item.account == 0 || item.campaign == 0 {
			raw := rec.Raw().AppendCompact(nil)
			item.err = &client.UnreadableError{
				Operation: schema.OpCampaignsList.Name(), Action: schema.OpCampaignsList.Title, HTTPStatus: 200,
				Err: errors.New("a campaign has no account_id or no campaign_id: " + string(raw[:min(len(raw), 80)])),
			}
		}
		index.all = append(index.all, item)
		index.byAccount[item.account] = append(index.byAccount[item.account], item)
		index.byCampaign[item.campaign] = append(index.byCampaign[item.campaign], item)
	}
	s.listed = index
	return index, nil
}
