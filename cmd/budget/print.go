package budget

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	"reseller/client"
	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/fanout"
	"reseller/cmd/resource"
	"reseller/output"
	"reseller/output/encode"
)

// get makes the i-th request. It notes where the estimate is of something else than was asked for, or does not agree with itself.
func (o *estimateOptions) get(ctx context.Context, session *cli.Session, i int, raw io.Writer) (record.Record, error) {
	call := o.calls[i]
	call.CopyTo = raw
	estimate, err := resource.One(ctx, session, call)
	if client.OutcomeUnknown(err) {
		err = cli.WithHint(err, "an estimate changes nothing, so it is safe to try again")
	}
	if err != nil {
		return estimate, err
	}
	for _, name := range identifyingFields {
		if asked, got := o.requested(i, name).Text(), estimate.Get(name).Text(); asked != "" && got != "" && !isSame(name, asked, got) {
			session.Note("the service has estimated the %s %s, not %s", name, got, asked)
		}
	}
	total := estimate.Get("total_keywords").Text()
	if total != "" && total != "0" && !estimate.Get("keywords").HasElements() {
		session.Note("the estimate counts %s keywords, and the response shows none", total)
	}
	return estimate, nil
}

// isSame reports whether two values of an identifying field differ in case at most or, as addresses, lead to the same site.
func isSame(name, asked, got string) bool {
	return strings.EqualFold(got, asked) || name == "url" && strings.Contains(siteOf(got), siteOf(asked))
}

func siteOf(address string) string {
	_, rest, _ := strings.Cut(strings.ToLower(address), "://")
	host, _, _ := strings.Cut(rest, "/")
	return strings.TrimPrefix(host, "www.")
}

func (o *estimateOptions) fanOut() *fanout.FanOut {
	return &fanout.FanOut{Flags: o.fan, Calls: len(o.calls), Row: func(i int) []record.Pair {
		return []record.Pair{{Name: "url", Value: o.requested(i, "url")}}
	}}
}

var whole = &schema.Resource{Name: schema.Estimates.Name, Fields: append(slices.Clone(schema.Estimates.Fields), schema.Field{Name: "keywords", Type: schema.List, Use: schema.Read})}

// print prints the estimates as one record each: whole, or their totals.
func (o *estimateOptions) print(ctx context.Context, f *cli.Frame, res *schema.Resource) error {
	return resource.PrintEach(ctx, f, o.fanOut(), cli.Shape(res, !o.several), func(ctx context.Context, i int, raw io.Writer) (record.Record, error) {
		estimate, err := o.get(ctx, f.Session, i, raw)
		if err == nil && res != whole {
			estimate = o.identify(i, totals(estimate))
		}
		return estimate, err
	})
}

// printKeywords prints the keywords of the estimates: as rows or, for people, as a table behind that with the totals of their
// estimate. --columns and --sort apply to the keywords.
func printKeywords(ctx context.Context, f *cli.Frame, o *estimateOptions, withTotals bool) error {
	out, err := f.Output.Open(keywordShape(o.several && !withTotals))
	if err != nil {
		return err
	}
	defer out.Abort()
	fan := o.fanOut()
	fan.Call = func(ctx context.Context, _ *client.Client, i int, give func(record.Record) error) error {
		estimate, err := o.get(ctx, f.Session, i, nil)
		if err != nil {
			return err
		}
		if _, err := keywordsOf(estimate); err != nil {
			return &client.UnreadableError{Operation: schema.OpEstimate.Name(), Action: o.calls[i].Action(), HTTPStatus: 200, Err: err}
		}
		return give(o.identify(i, estimate))
	}
	return fanout.Export(ctx, f.Session, f.Outcome, fan, out, func(list iter.Seq2[record.Record, error]) error {
		if withTotals {
			return printTables(ctx, out, list)
		}
		cached, count := 0, 0
		err := out.Records(ctx, func(yield func(record.Record, error) bool) {
			for estimate, err := range list {
				if err != nil {
					yield(record.Record{}, err)
					return
				}
				if count++; estimate.Get("cached").Text() == "true" {
					cached++
				}
				items, _ := keywordsOf(estimate)
				for _, item := range items {
					if o.several {
						item = keywordRow(estimate, item)
					}
					if !yield(item, nil) {
						return
					}
				}
			}
		})
		if cached > 0 && err == nil {
			f.Note("%s from the service's cache: cache_timestamp says how old, where the service gives it", phrase.Share(cached, count, "estimate", "estimates"))
		}
		return err
	})
}

func printTables(ctx context.Context, out *cli.Out, estimates iter.Seq2[record.Record, error]) error {
	printed := false
	for estimate, err := range estimates {
		if err == nil && printed {
			err = out.BlankLine()
		}
		if err == nil {
			err = out.Also(ctx, cli.Shape(&schema.Estimates, true), cli.Records([]record.Record{totals(estimate)}))
		}
		if err == nil {
			items, _ := keywordsOf(estimate)
			err = cmp.Or(out.BlankLine(), out.Records(ctx, cli.Records(items)))
		}
		if err != nil {
			return err
		}
		printed = true
	}
	return nil
}

var identifyingFields = [...]string{"url", "market", "language"}

func (o *estimateOptions) requested(i int, name string) record.Value {
	return record.Value(o.calls[i].Body).Get(name)
}

// identify adds the identifying fields that one of several estimates lacks, with the values of the request.
func (o *estimateOptions) identify(i int, estimate record.Record) record.Record {
	if !o.several {
		return estimate
	}
	var pairs []record.Pair
	var names []string
	for _, name := range identifyingFields {
		k, v := estimate.Get(name).Kind(), o.requested(i, name)
		if v != nil && (k == record.Missing || k == record.Null) {
			pairs, names = append(pairs, record.Pair{Name: name, Value: v}), append(names, name)
		}
	}
	return estimate.Without(names...).Prepend(pairs...)
}

func totals(estimate record.Record) record.Record { return estimate.Without("keywords") }

// keywordsOf returns the keywords of an estimate. A keyword that is a string
// becomes a record too, since the contract does not say what keywords look like.
func keywordsOf(estimate record.Record) ([]record.Record, error) {
	list := estimate.Get("keywords")
	switch list.Kind() {
	case record.Missing, record.Null, record.Array:
	default:
		return nil, errors.New("keywords is " + list.Kind().String() + ", not an array")
	}
	var items []record.Record
	for v := range list.Elements() {
		item, err := record.Parse(v)
		if err != nil {
			item = record.Of(record.Pair{Name: "keyword", Value: v})
		}
		items = append(items, item)
	}
	return items, nil
}

// keywordShape returns the columns of keywords. For several estimates, the fields that identify an estimate come first, and a
// field of the keyword with the same name gets a prefix.
func keywordShape(several bool) output.Shape {
	shape := cli.Shape(&schema.EstimateKeywords, false)
	if !several {
		return shape
	}
	for i := range shape.Columns {
		shape.Columns[i].Name = keywordColumn(shape.Columns[i].Name)
	}
	shape.Columns = slices.Concat(encode.Columns(identifyingFields[:]...), shape.Columns)
	return shape
}

func keywordColumn(name string) string {
	if slices.Contains(identifyingFields[:], name) {
		return "keyword_" + name
	}
	return name
}

func keywordRow(estimate, item record.Record) record.Record {
	var pairs []record.Pair
	for _, name := range identifyingFields {
		if v := estimate.Get(name); v != nil {
			pairs = append(pairs, record.Pair{Name: name, Value: v})
		}
	}
	for name, v := range item.Fields() {
		pairs = append(pairs, record.Pair{Name: keywordColumn(name), Value: v})
	}
	return record.Of(pairs...)
}
