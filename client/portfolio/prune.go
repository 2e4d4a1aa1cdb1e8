package portfolio

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"reseller/client/phrase"
)

// A Limit is how much may be pruned: so many, or so many percent of what is held and active. A percentage is rounded
// down: 10% of 5 is 0.
type Limit struct {
	text      string
	n         int
	isPercent bool
}

// NoLimit permits all.
var NoLimit = Limit{"100%", 100, true}

// ParseLimit returns the limit that a text, N or N%, means. The error completes a sentence that begins with what the text is for.
func ParseLimit(text string) (Limit, error) {
	digits, isPercent := strings.CutSuffix(text, "%")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || isPercent && n > 100 || strings.HasPrefix(digits, "+") {
		return Limit{}, fmt.Errorf("%q is neither a number nor a percentage from 0%% to 100%%", text)
	}
	return Limit{text, n, isPercent}, nil
}

func (l Limit) exceeds(n, total int, what string) string {
	allowed, most := l.n, l.text
	if l.isPercent {
		allowed = total * l.n / 100
		most += fmt.Sprintf(", which is %d", allowed)
	}
	if n <= allowed {
		return ""
	}
	return fmt.Sprintf("%d of %d active %s would be deactivated, and the limit is %s", n, total, what, most)
}

// Prune returns what is pruned and what is not in the file, when all customers of the file were added. The error says what exceeds the limit.
func (c *Comparison) Prune(limit Limit) (Pruned, error) {
	pruned := &c.pruned
	for first := 0; first < len(c.h.Customers); {
		same := c.h.sameAccount(first)
		if same[0].Active() {
			pruned.ActiveAccounts++
			switch {
			case slices.Contains(c.matched[first:first+len(same)], true): // a row matched one of them
				c.addUnnamed(first, same)
			case c.o.PruneAccounts:
				p := c.accountPlan(first, ActionDeactivate, StatusDeactivated)
				p.Status = ActionDeactivate
				pruned.Accounts = append(pruned.Accounts, p)
			default:
				if pruned.UnmanagedAccounts++; c.o.ListUnmanaged {
					pruned.Unmanaged = append(pruned.Unmanaged, c.accountPlan(first, ActionKeep, StatusActive))
				}
			}
		}
		first += len(same)
	}
	over := phrase.Sentences(limit.exceeds(len(pruned.Accounts), pruned.ActiveAccounts, "accounts"), limit.exceeds(pruned.Keywords, pruned.ActiveKeywords, "keywords"))
	if over != "" {
		return *pruned, errors.New(over)
	}
	return *pruned, nil
}

func (c *Comparison) addUnnamed(first int, same []CurrentCustomer) {
	for i := range same {
		if c.matched[first+i] {
			continue
		}
		c.pruned.UnmanagedCampaigns++
		c.pruned.KeywordsOfCampaigns += len(slices.DeleteFunc(slices.Clone(same[i].Keywords), func(k Keyword) bool { return !k.Active() }))
		if c.o.ListUnmanaged {
			p := c.planFor(first + i)
			p.change(ActionKeep, ObjectCampaign, "", "", "")
			c.pruned.Unmanaged = append(c.pruned.Unmanaged, p)
		}
	}
}

// accountPlan returns the plan of an account, with all its campaigns, that has this status afterwards.
func (c *Comparison) accountPlan(at int, action, status string) Plan {
	p := c.planFor(at)
	p.OneOfSeveral = false
	p.change(action, ObjectAccount, fieldStatus, StatusActive, status)
	return p
}
