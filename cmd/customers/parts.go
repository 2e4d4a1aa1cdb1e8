package customers

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"reseller/client"
	"reseller/client/loads"
	"reseller/client/portfolio"
	"reseller/cmd/cli"
)

// parts are what a service may not offer, by the steps that write it.
type parts map[string]*part

type part struct {
	name      string
	isOffered func() bool
	isLeftOut atomic.Bool
}

func newParts(ctx context.Context, c *client.Client, customers []portfolio.IDs, concurrency int) parts {
	offers := func(need loads.Need) func() bool {
		return sync.OnceValue(func() bool { return loads.Offers(ctx, c, customers, need, concurrency) })
	}
	return parts{
		stepNotes:   {name: "the notes of campaigns", isOffered: offers(loads.Need{Notes: true})},
		stepPlan:    {name: "the plans of campaigns", isOffered: offers(loads.Need{Plans: true})},
		stepChanges: {name: "changes of keywords", isOffered: func() bool { return false }},
	}
}

// lack reports whether an error of a step, or of reading what it writes, means that the service does not offer it, so that it is left
// out.
func (p parts) lack(step string, err error) bool {
	isAboutKeywords := step == stepChanges && !errors.Is(err, client.ErrNotOffered)
	if p[step] == nil || !loads.IsLacking(err) || isAboutKeywords || p[step].isOffered() {
		return false
	}
	p[step].isLeftOut.Store(true)
	return true
}

// note says once what is left out.
func (p parts) note(session *cli.Session) {
	for _, step := range slices.Sorted(maps.Keys(p)) {
		if p[step].isLeftOut.Load() {
			session.NoteOnce(p[step].name, "the service does not offer %s, so they are left out", p[step].name)
		}
	}
}
