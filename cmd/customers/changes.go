package customers

import (
	"iter"

	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/schema"
)

// changeRows are the columns of changes in formats that programs read.
var changeRows = &schema.Resource{Name: "change", Fields: []schema.Field{
	{Name: "customer", Use: schema.Read | schema.DefaultColumn}, {Name: "account_id", Type: schema.Int, Use: schema.Read | schema.DefaultColumn},
	{Name: "campaign_id", Type: schema.Int, Use: schema.Read | schema.DefaultColumn}, {Name: "action", Use: schema.Read | schema.DefaultColumn},
	{Name: "object", Use: schema.Read | schema.DefaultColumn}, {Name: "field", Use: schema.Read | schema.DefaultColumn},
	{Name: "from", Use: schema.Read | schema.DefaultColumn}, {Name: "to", Use: schema.Read | schema.DefaultColumn},
}}

// changesOf iterates over the changes of plans, a record for each. The ids of a customer that is
// created are null.
func changesOf(plans iter.Seq[*portfolio.Plan]) iter.Seq[record.Record] {
	id := func(n int64) record.Value {
		if n == 0 {
			return record.Value("null")
		}
		return record.Integer(n)
	}
	return func(yield func(record.Record) bool) {
		for p := range plans {
			for c := range p.All() {
				rec := record.Of(
					record.Pair{Name: "customer", Value: record.Quote(p.Customer)}, record.Pair{Name: "account_id", Value: id(p.Account)},
					record.Pair{Name: "campaign_id", Value: id(p.Campaign)}, record.Pair{Name: "action", Value: record.Quote(c.Action)},
					record.Pair{Name: "object", Value: record.Quote(c.Object)}, record.Pair{Name: "field", Value: record.Quote(c.Field)},
					record.Pair{Name: "from", Value: record.Quote(c.From)}, record.Pair{Name: "to", Value: record.Quote(c.To)},
				)
				if !yield(rec) {
					return
				}
			}
		}
	}
}
