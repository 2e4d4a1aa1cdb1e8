package portfolio

import (
	"cmp"
	"fmt"
	"slices"

	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
)

// compareKeywords compares the list of keywords with those of the campaign. What has the same text but for case and
// white space is the same keyword. If the campaign has it several times, the one that FindKeyword returns is compared,
// and if the file has it deactivated, the others are deactivated, too.
func (c *Comparison) compareKeywords(p *Plan, w *Desired, current *CurrentCustomer) []Fault {
	if !w.HasKeywords {
		return nil
	}
	if current.Keywords == nil || p.Campaign != current.Campaign {
		p.Unread = cmp.Or(p.Unread, current.KeywordsUnread, current.Unread, fmt.Errorf("the keywords of campaign %d were not read", p.Campaign))
		return nil
	}
	list := slices.Concat(w.Keywords, w.InvalidKeywords)
	same, others, unnamed := matchKeywords(list, w.KeywordType, current.Keywords)
	var pruned, staying []*Keyword
	for _, k := range unnamed {
		switch {
		case !k.Active():
		case c.o.PruneKeywords && c.o.mayPrune(k):
			pruned = append(pruned, k)
		default:
			staying = append(staying, k)
		}
	}
	for i := range current.Keywords {
		if c.o.PruneKeywords && current.Keywords[i].Active() {
			c.pruned.ActiveKeywords++
		}
	}
	if faults := c.keywordFaults(w, same[len(w.Keywords):], pruned); faults != nil {
		return faults
	}
	for i := range w.Keywords {
		if same[i] == nil {
			p.addKeyword(w, i)
		}
	}
	p.HeldKeywords = make([]int64, len(w.Keywords))
	for i := range w.Keywords {
		if same[i] != nil {
			p.HeldKeywords[i] = same[i].RankID
			c.changeKeyword(p, w, i, same[i])
		}
	}
	for _, other := range others {
		if entry := &list[other.entry]; !entry.Active && other.Active() && c.o.mayPrune(other.Keyword) {
			p.deactivateKeyword(other.Keyword, cmp.Or(other.Type, entry.Type, w.KeywordType), false)
		}
	}
	c.pruned.Keywords += len(pruned)
	for _, k := range pruned {
		p.deactivateKeyword(k, k.Type, true)
	}
	p.Doubled = doubled(list, same, others, staying)
	c.pruned.UnmanagedKeywords += len(staying)
	for _, k := range staying {
		p.change(ActionKeep, ObjectKeyword, k.Text, StatusActive, StatusActive)
	}
	return nil
}

// keywordFaults returns the faults of a row: keywords that can't be sent and that the campaign does not have so, and one that
// is pruned and whose type would be lost. same are the keywords that the invalid ones mean.
func (c *Comparison) keywordFaults(w *Desired, same, pruned []*Keyword) (faults []Fault) {
	if i := slices.IndexFunc(pruned, func(k *Keyword) bool { return k.Type == "" }); i >= 0 {
		faults = append(faults, Fault{FieldKeywords, fmt.Sprintf("the list does not name %s, and the service does not show its type, which would be lost: name it with its type and the status %s",
			safetext.Quote(pruned[i].Text), StatusDeactivated), true})
	}
	for _, k := range pruned {
		if c.o.IsLate("rank_id", record.Integer(k.RankID), "keyword_type", record.Quote(k.Type), false) {
			late := LateError{What: "type of " + safetext.Quote(k.Text), Instead: "name it with its type and the status " + StatusDeactivated}
			faults = append(faults, Fault{FieldKeywords, late.Error(), true})
		}
	}
	for i := range w.InvalidKeywords {
		if k := &w.InvalidKeywords[i]; !c.m.isCurrent(k, same[i], w.KeywordType) {
			faults = append(faults, Fault{Field: FieldKeywords, Reason: k.Reason})
		}
	}
	return faults
}

// mayPrune reports whether a keyword may be deactivated although no entry means it.
func (o *Options) mayPrune(k *Keyword) bool { return o.PruneOnly == nil || o.PruneOnly[k.RankID] }

// doubled returns the active keywords of a campaign that are the same. others are those that have the text of an entry beside
// the one of same, and staying are those that no entry names.
func doubled(list []DesiredKeyword, same []*Keyword, others []repeatedKeyword, staying []*Keyword) []Double {
	if len(others) == 0 && len(staying) < 2 {
		return nil
	}
	var candidates []*Keyword
	for _, other := range others {
		if list[other.entry].Active {
			candidates = append(candidates, same[other.entry], other.Keyword)
		}
	}
	at := map[string]int{}
	var found []Double
	for _, k := range append(candidates, staying...) {
		folded := schema.FoldText(k.Text)
		if _, ok := at[folded]; !ok {
			at[folded], found = len(found), append(found, Double{Text: k.Text})
		}
		if d := &found[at[folded]]; k.Active() && !slices.Contains(d.RankIDs, k.RankID) {
			d.RankIDs = append(d.RankIDs, k.RankID)
		}
	}
	return slices.DeleteFunc(found, func(d Double) bool { return len(d.RankIDs) < 2 })
}

// A repeatedKeyword is a keyword of a campaign that has the text of an entry of the list, but is not the one that the entry
// means.
type repeatedKeyword struct {
	*Keyword
	entry int
}

// matchKeywords returns, by the entries of a list, the keyword of a campaign that each of them means, nil if there is none;
// and the others of the campaign, those that have the text of an entry and those that no entry names.
func matchKeywords(list []DesiredKeyword, defaultType string, current []Keyword) (same []*Keyword, others []repeatedKeyword, unnamed []*Keyword) {
	named := make(map[string]int, len(list)) // the entry of each folded text
	for i := range list {
		named[schema.FoldText(list[i].Text)] = i
	}
	same = make([]*Keyword, len(list))
	for i := range current {
		k := &current[i]
		switch at, ok := named[schema.FoldText(k.Text)]; {
		case !ok:
			unnamed = append(unnamed, k)
		case same[at] == nil:
			same[at] = k
		case compareMeant(list[at].Text, keywordType(cmp.Or(list[at].Type, defaultType)), list[at].Active, k, same[at]) < 0:
			others, same[at] = append(others, repeatedKeyword{same[at], at}), k
		default:
			others = append(others, repeatedKeyword{k, at})
		}
	}
	return same, others, unnamed
}

// isCurrent reports whether a keyword of the campaign, which may be nil, has the type and the status of a keyword that can't
// be sent.
func (m *Model) isCurrent(k *DesiredKeyword, current *Keyword, defaultType string) bool {
	switch {
	case current == nil || keywordType(cmp.Or(k.Type, defaultType)) != current.Type && k.Type+current.Type != "" || m.otherChanges(k.Other, current) != nil:
		return false
	case k.Status != "":
		return k.Status == current.Status
	}
	return k.Active == current.Active()
}

func (p *Plan) addKeyword(w *Desired, item int) {
	k := w.Keywords[item]
	k.Type = cmp.Or(k.Type, w.KeywordType)
	p.AddKeywords = append(p.AddKeywords, PlannedKeyword{Item: item, Text: k.Text, Type: k.Type, Active: k.Active})
	p.change(ActionAdd, ObjectKeyword, k.Text, "", k.Type)
	if !k.Active {
		p.change(ActionDeactivate, ObjectKeyword, k.Text, StatusActive, StatusDeactivated)
	}
}

func (c *Comparison) changeKeyword(p *Plan, w *Desired, item int, current *Keyword) {
	desired := &w.Keywords[item]
	kind := cmp.Or(desired.Type, w.KeywordType)
	if desired.Type == "" && current.Type == "" {
		kind = "" // nobody says which one it is
	}
	values := w.KeywordValues(item, schema.Update)
	differs := func(agrees bool, field string) bool {
		return c.o.IsLate.Differs(agrees, "rank_id", record.Integer(current.RankID), field, values[field], current.Value(schema.Keywords.Field(field)))
	}
	newType, newStatus := differs(kind == current.Type, "keyword_type"), differs(desired.Active == current.Active(), fieldStatus)
	other := c.m.otherChanges(desired.Other, current)
	updates := slices.ContainsFunc(other, func(change Change) bool { return change.Action == ActionUpdate })
	if newType || updates || newStatus {
		p.ChangeKeywords = append(p.ChangeKeywords, PlannedKeyword{Item: item, RankID: current.RankID, Text: current.Text, Type: cmp.Or(kind, w.KeywordType), Active: desired.Active})
	}
	if newType {
		p.change(ActionUpdate, ObjectKeyword, current.Text, current.Type, kind)
	}
	p.Changes = append(p.Changes, other...)
	switch {
	case !newStatus:
	case desired.Active:
		p.change(ActionReactivate, ObjectKeyword, current.Text, StatusDeactivated, StatusActive)
	default:
		p.change(ActionDeactivate, ObjectKeyword, current.Text, StatusActive, StatusDeactivated)
	}
}

// otherChanges returns the changes of the fields of a keyword other than its type and status. What an update does not take is
// kept.
func (m *Model) otherChanges(desired schema.Values, current *Keyword) (changes []Change) {
	if desired == nil {
		return nil
	}
	for i := range m.keyword {
		f := &m.keyword[i]
		v, from := desired[f.Name], current.Other[f.Name]
		if v == nil || Agrees(f, v, from) {
			continue
		}
		action := ActionKeep
		if f.Has(schema.Update) {
			action = ActionUpdate
		}
		changes = append(changes, Change{action, ObjectKeyword, current.Text, f.Name + "=" + CellText(from), f.Name + "=" + CellText(v), false})
	}
	return changes
}

// deactivateKeyword deactivates a keyword of the campaign that has this type, and for which no entry of the list stands alone.
func (p *Plan) deactivateKeyword(current *Keyword, kind string, pruned bool) {
	p.ChangeKeywords = append(p.ChangeKeywords, PlannedKeyword{Item: -1, Pruned: pruned, RankID: current.RankID, Text: current.Text, Type: kind})
	p.change(ActionDeactivate, ObjectKeyword, current.Text, StatusActive, StatusDeactivated)
}
