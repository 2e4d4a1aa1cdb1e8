package portfolio

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Limit is how much may be pruned: so many, or so many percent of what is held and active. A percentage is rounded
// down: 10% of 5 is 0.
type Limit struct {
	N       int
	Percent bool
}

// ParseLimit returns the limit that a text, N or N%, means. The error completes a sentence that begins with what the
// text is for.
func ParseLimit(text string) (Limit, error) {
	digits, percent := strings.CutSuffix(text, "%")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || percent && n > 100 || strings.HasPrefix(digits, "+") {
		return Limit{}, fmt.Errorf("%q is neither a number nor a percentage from 0%% to 100%%", text)
	}
	return Limit{n, percent}, nil
}

func (l Limit) String() string {
	if l.Percent {
		return strconv.Itoa(l.N) + "%"
	}
	return strconv.Itoa(l.N)
}

// of returns how many of a number the limit permits.
func (l Limit) of(total int) int {
	if l.Percent {
		return total * l.N / 100
	}
	return l.N
}

// Pruned is what a comparison prunes.
type Pruned struct {
	Accounts []Plan // of the accounts that no row matched, in the order of Held.Customers
	Keywords int    // the keywords that ChangeKeywords of the plans deactivates because no list names them
	// What stays active although the file does not name it: accounts that no row matched, which Unmanaged has if they are to
	// be listed, and keywords of customers with a list.
	UnmanagedAccounts, UnmanagedKeywords int
	// The campaigns that no row names of accounts that one does, and the keywords that are active in them, if they were read.
	UnmanagedCampaigns, KeywordsOfCampaigns int
	Unmanaged                               []Plan
	ActiveAccounts                          int // the accounts that are held and active
	ActiveKeywords                          int // the keywords that are held and active in the campaigns whose keywords are pruned
}

// Prune returns what is pruned and what is not in the file, when all customers of the file were added. The error says what exceeds the limit.
func (c *Comparison) Prune(limit Limit) (Pruned, error) {
	pruned := Pruned{Keywords: c.prunedKeywords, ActiveKeywords: c.activeKeywords, UnmanagedKeywords: c.unmanagedKeywords}
	for first := 0; first < len(c.h.Customers); {
		same := c.h.sameAccount(first)
		if same[0].Active() {
			pruned.ActiveAccounts++
			switch {
			case slices.ContainsFunc(c.lines[first:first+len(same)], func(line int) bool { return line != 0 }): // a row matched one of them
				c.addUnnamed(&pruned, first, same)
			case c.o.PruneAccounts:
				p := c.accountPlan(first, ActionDeactivate, StatusDeactivated)
				p.Status = changeDeactivate
				pruned.Accounts = append(pruned.Accounts, p)
			default:
				if pruned.UnmanagedAccounts++; c.o.ListUnmanaged {
					pruned.Unmanaged = append(pruned.Unmanaged, c.accountPlan(first, ActionKeep, StatusActive))
				}
			}
		}
		first += len(same)
	}
	var over []string
	exceeds := func(n, total int, what string) {
		if allowed := limit.of(total); n > allowed {
			most := limit.String()
			if limit.Percent {
				most += fmt.Sprintf(", which is %d", allowed)
			}
			over = append(over, fmt.Sprintf("%d of %d active %s would be deactivated, and the limit is %s", n, total, what, most))
		}
	}
	exceeds(len(pruned.Accounts), pruned.ActiveAccounts, "accounts")
	exceeds(pruned.Keywords, pruned.ActiveKeywords, "keywords")
	if over != nil {
		return pruned, errors.New(strings.Join(over, "; "))
	}
	return pruned, nil
}

// addUnnamed adds the campaigns of an account that no row matched.
func (c *Comparison) addUnnamed(pruned *Pruned, first int, same []HeldCustomer) {
	for i := range same {
		if c.lines[first+i] != 0 {
			continue
		}
		pruned.UnmanagedCampaigns++
		pruned.KeywordsOfCampaigns += len(slices.DeleteFunc(slices.Clone(same[i].Keywords), func(k Keyword) bool { return !k.Active() }))
		if c.o.ListUnmanaged {
			p := c.planFor(first + i)
			p.change(ActionKeep, ObjectCampaign, "", "", "")
			pruned.Unmanaged = append(pruned.Unmanaged, p)
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
