package keywords

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/form"
	"reseller/cmd/lookup"
	"reseller/cmd/resource"
)

func addTextFlags(c *cobra.Command) {
	c.Flags().String("account", "", "take arguments for texts of keywords of the account with this `ID` or name")
	c.Flags().String("campaign", "", "take arguments for texts of keywords of the campaign with this `ID` or name")
}

func checkTextFlags(c *cobra.Command, isFile bool) error {
	for _, name := range []string{"account", "campaign"} {
		if isFile && c.Flags().Changed(name) {
			return cli.Usagef("--%s and --file can't be used together", name)
		}
	}
	return nil
}

// ofFlags returns a filter for the keywords of the account and the campaign that the flags name, nil if they name none.
func ofFlags(c *cobra.Command, finder *lookup.Finder) (func(record.Record) bool, error) {
	given := map[string]string{}
	for _, name := range []string{"account", "campaign"} {
		if flag := c.Flags().Lookup(name); flag.Changed {
			given[name] = flag.Value.String()
		}
	}
	if err := resource.ResolveNames(c.Context(), finder, given); err != nil || len(given) == 0 {
		return nil, err
	}
	return func(rec record.Record) bool {
		for name, id := range given {
			if n, ok := rec.Get(name + "_id").Int64(); !ok || strconv.FormatInt(n, 10) != id {
				return false
			}
		}
		return true
	}, nil
}

// maxPicked is how many keywords a list has at most of which the user picks one.
const maxPicked = 100_000

// pick returns the field of the argument RANK_ID, for which the user picks one of the keywords that the flags select.
func pick(session *cli.Session, c *cobra.Command) *form.Field {
	return cli.IDField("RANK_ID", "the keyword", func(ctx context.Context, _ string) ([]form.Choice, error) {
		isOf, err := ofFlags(c, lookup.New(session))
		if err != nil {
			return nil, err
		}
		list, err := read(ctx, session, isOf, maxPicked)
		choices := make([]form.Choice, len(list))
		for i, k := range list {
			choices[i].Value = strconv.FormatInt(k.id, 10)
			choices[i].Text = phrase.With(choices[i].Value, k.text, "campaign "+k.campaign, k.status)
		}
		return choices, err
	})
}

// find returns the ids of the keywords that the arguments name, each once: their ids or, with --account or --campaign, their
// texts, in which case and white space do not matter.
func find(c *cobra.Command, session *cli.Session, finder *lookup.Finder, args []string) ([]int64, error) {
	isOf, err := ofFlags(c, finder)
	if err != nil || len(args) == 0 {
		return nil, err
	}
	if isOf == nil {
		ids, err := cli.IDs("RANK_ID", phrase.Each(args, func(arg string) string { return strings.TrimPrefix(arg, "keyword/") })) // as -o name prints it
		if err != nil {
			err = &cli.UsageError{Message: err.Error(), Hint: "--campaign ID finds keywords by their texts"}
		}
		return cli.Distinct(ids), err
	}
	list, err := read(c.Context(), session, isOf, math.MaxInt)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(args))
	for i, arg := range args {
		if ids[i], err = only(session, list, arg); cli.ExitCode(err) == cli.ExitNotFound {
			ids[i], err = finder.Missing(err, len(args))
		}
		if err != nil {
			return nil, err
		}
	}
	return cli.Distinct(ids), nil
}

type keyword struct {
	id             int64
	text, campaign string
	status         string // deactivated, or empty
	words          string // which tell it from others with its text
}

// read returns the keywords that isOf accepts, all if it is nil, and an error if there are more than limit.
func read(ctx context.Context, session *cli.Session, isOf func(record.Record) bool, limit int) (list []keyword, err error) {
	for rec, err := range session.List(ctx, client.Call{Op: &schema.OpKeywordsList}) {
		if err != nil {
			return nil, err
		}
		id, ok := rec.Get("rank_id").Int64()
		if !ok || isOf != nil && !isOf(rec) {
			continue
		}
		if len(list) == limit {
			return nil, fmt.Errorf("there are more than %d keywords", limit)
		}
		text, campaign := rec.Get("keyword").Text(), rec.Get("campaign_id").Text()
		status := portfolio.StatusDeactivated
		if portfolio.IsActive(rec) {
			status = ""
		}
		list = append(list, keyword{id, text, campaign, status, fmt.Sprintf("%d (%s, %s, status %s, campaign %s)", id, safetext.Quote(text),
			cmp.Or(rec.Get("type").Text(), rec.Get("keyword_type").Text()), rec.Get("status").Text(), campaign)})
	}
	return list, nil
}

// only returns the id of the only keyword that an argument names by its id or its text.
func only(session *cli.Session, list []keyword, arg string) (int64, error) {
	var found []keyword
	var texts, words []string
	id, err := strconv.ParseInt(arg, 10, 64)
	isID := err == nil && schema.IsID(arg)
	for _, k := range list {
		if (schema.FoldText(k.text) == schema.FoldText(arg) || isID && k.id == id) && !slices.ContainsFunc(found, func(other keyword) bool { return other.id == k.id }) { // a list may show one twice
			found, words = append(found, k), append(words, k.words)
		}
		texts = append(texts, k.text)
	}
	switch len(found) {
	case 0:
		return 0, &cli.ExitError{
			Code: cli.ExitNotFound, Err: fmt.Errorf("RANK_ID: none of %s is %s%s", phrase.Count(len(list), "keyword", "keywords"), safetext.Quote(arg), session.Unlisted("keyword")),
			Hint: cmp.Or(lookup.DidYouMean(arg, texts), "`reseller keywords list` shows the keywords"),
		}
	case 1:
		return found[0].id, nil
	}
	return 0, cli.Usagef("RANK_ID: %s may be each of %s: %s", safetext.Quote(arg), phrase.Count(len(found), "keyword", "keywords"), phrase.First(words, 10)).
		Hinted("give the rank_id of the one that you mean, without --account and --campaign")
}
