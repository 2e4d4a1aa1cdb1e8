package bulk

import (
	"fmt"
	"hash/maphash"
	"sync"
	"sync/atomic"
)

const (
	// manyAlone rows of one campaign, refused alone with the same words, are
	// enough to give the campaign up.
	manyAlone = 20
	// fewTogether batches of a campaign that has taken nothing may be refused
	// before the rest waits for what single rows show.
	fewTogether = 2
	// mostTaken bounds what is remembered of campaigns that took rows.
	mostTaken = 200_000
)

// campaigns gives up those that refuse row after row.
type campaigns struct {
	on     bool
	marked atomic.Bool // bad was filled

	mu    sync.Mutex
	seed  maphash.Seed
	taken map[uint64]struct{} // campaigns that took a row
	bad   map[string]*badCampaign
	of    map[uint32]string // the campaign of a group that was refused, by its first row
	held  bool              // rows wait for what probing shows
}

type badCampaign struct {
	together int
	alone    map[cause]int
	why      *verdict // the campaign is given up
	probed   bool
}

func newCampaigns(op Op) *campaigns {
	return &campaigns{
		on: op.Campaigns, seed: maphash.MakeSeed(),
		taken: map[uint64]struct{}{}, bad: map[string]*badCampaign{}, of: map[uint32]string{},
	}
}

func (c *campaigns) took(key string) {
	if !c.on {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.taken) < mostTaken {
		c.taken[maphash.String(c.seed, key)] = struct{}{}
	}
	delete(c.bad, key)
}

// hasTaken is true where that is not known.
func (c *campaigns) hasTaken(key string) bool {
	_, ok := c.taken[maphash.String(c.seed, key)]
	return ok || len(c.taken) >= mostTaken
}

func (c *campaigns) refusedTogether(key string, first uint32) {
	if !c.on {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of[first] = key
	if !c.hasTaken(key) {
		c.get(key).together++
	}
}

func (c *campaigns) get(key string) *badCampaign {
	b := c.bad[key]
	if b == nil {
		b = &badCampaign{alone: map[cause]int{}}
		c.bad[key] = b
		c.marked.Store(true)
	}
	return b
}

func (c *campaigns) refusedAlone(key string, why verdict) {
	if !c.on {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hasTaken(key) {
		return
	}
	b := c.get(key)
	same := cause{why.status, why.words}
	if b.alone[same]++; b.alone[same] >= manyAlone && b.why == nil {
		why.words += fmt.Sprintf(" (not sent: %d rows of its campaign were refused so)", manyAlone)
		b.why = &why
	}
}

// dead tells whether a campaign was given up, and with what its rows are refused.
func (c *campaigns) dead(key string) (verdict, bool) {
	if !c.marked.Load() {
		return verdict{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if b := c.bad[key]; b != nil && b.why != nil {
		return *b.why, true
	}
	return verdict{}, false
}

// hold tells whether a campaign's further rows wait for what probing shows.
func (c *campaigns) hold(key string) bool {
	if !c.marked.Load() {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.bad[key]
	if b == nil || b.together < fewTogether || b.probed {
		return false
	}
	c.held = true
	return true
}

// release tells whether rows were held that are to be looked at again.
func (c *campaigns) release() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	held := c.held
	c.held = false
	return held
}

// probe tells whether single rows of a group are to show first whether its
// campaign takes anything, and whether the group waits for another one that
// does.
func (c *campaigns) probe(first uint32, probing map[string]bool) (probe, wait bool) {
	if !c.on {
		return false, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key, ok := c.of[first]
	b := c.bad[key]
	if !ok || b == nil || b.probed && !probing[key] || c.hasTaken(key) {
		return false, false
	}
	if probing[key] {
		return false, true
	}
	probing[key], b.probed = true, true
	return true, false
}

// group is the campaign of a group, by its first row; forget says that another
// row is the first now.
func (c *campaigns) group(first uint32) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.of[first]
}

func (c *campaigns) regroup(old, first uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if key, ok := c.of[old]; ok && old != first {
		c.of[first] = key
		delete(c.of, old)
	}
}
