package lookup

import (
	"context"

	"reseller/client/bulk/rows"
	"reseller/client/names"
	"reseller/client/schema"
)

// References returns what finds the accounts and campaigns that the cells of a file name in other words than by a number. The
// lists are read once, when the first such cell is found.
func (x *Finder) References(ctx context.Context) *rows.References {
	x.indexes = map[string]names.Index{}
	return &rows.References{Find: func(field, text string, account int64) (int64, string, error) {
		ref, err := names.Parse(text)
		if err != nil {
			return 0, err.Error(), nil
		}
		if ref.Prefix == schema.PrefixID {
			return ref.ID, "", nil
		}
		w := wanted{ref: ref, kind: Account}
		if field == "campaign_id" {
			w.kind = Campaign
			if account != 0 {
				w.accounts = []int64{account}
			}
		}
		found, err := x.search(w, func(kind string) (names.List, error) { return x.List(ctx, kind) })
		switch {
		case err != nil:
			return 0, "", err
		case len(found) == 0:
			return 0, "names no " + w.what(), nil
		case len(found) > 1:
			return 0, w.several(found), nil
		}
		return found[0].ID, "", nil
	}}
}
