package rows

import (
	"fmt"
	"sync"

	"reseller/client/schema"
)

// References are the accounts and campaigns that cells name in other words than by a number. All passes over a file share
// them, so that a text stands for one account from the first row to the last.
type References struct {
	// Find returns the id that a text in a field stands for, or the reason why it stands for none. account is the account
	// of the row, 0 if it is not known. An error ends the reading of the file.
	Find func(field, text string, account int64) (id int64, reason string, err error)
	// Numbers are those that name accounts or campaigns, as far as the machine remembers names, and Doubt says which others than that
	// with the id such a number in a field may stand for. It is "" if there are none, or if the one with the id is called as the row
	// says or has its campaign.
	Numbers map[string]bool
	Doubt   func(field, number string, campaign int64, called ...string) string

	mu    sync.Mutex
	found map[string]resolved
}

type resolved struct {
	id     int64
	reason string
}

// resolve returns the id of a reference, which is looked up once.
func (r *References) resolve(field, text string, account int64) (resolved, error) {
	key := field + " " + schema.FoldText(text)
	if account != 0 {
		key += fmt.Sprintf(" of %d", account)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if known, ok := r.found[key]; ok {
		return known, nil
	}
	var a resolved
	var err error
	if a.id, a.reason, err = r.Find(field, text, account); err != nil {
		return a, err
	}
	if r.found == nil {
		r.found = map[string]resolved{}
	}
	r.found[key] = a
	return a, nil
}
