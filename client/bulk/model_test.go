package bulk

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/record"
)

var modelRuns = flag.Int("model", 60, "runs of the model test")

// maxLate is how long after they were sent the service of the model carries out calls whose
// connection has ended, and how late its lists are. A service with late lists is done with a call a bit earlier.
const maxLate = time.Minute

// mostLate returns how long after it was sent the service carries out a call whose connection has ended, at most.
func (s *lateService) mostLate() time.Duration {
	if s.lag == 0 {
		return maxLate
	}
	return maxLate - maxLateWait
}

// A lateService is a model of a service whose lists are late, and which goes on with
// calls after their connection has ended. Its clock is that of a synctest bubble.
type lateService struct {
	random *rand.Rand

	mu       sync.Mutex
	stored   []lateRow
	latency  time.Duration // of a call
	lag      time.Duration // of the list, at most
	loses    float64       // the share of calls that get no response
	refuses  float64       // the share of calls that get a 500
	gateway  float64       // the share of calls that a gateway answers while the service still works
	rejects  float64       // the share of batches that get a 422, although every second row is stored
	isDead   bool          // the process was killed: it gets no response any more
	posts    int
	lists    int
	newLists bool // each list has a lag of its own
	jitters  bool // four of five lists are not late

	refusesLast int    // the number of a row whose first batch gets a 422, although its first two rows are stored; -1 for none
	alters      int    // of so many texts, the service stores one otherwise than it was sent; 0 for none
	notes       string // of all runs

	readsWhole bool                                   // no list breaks off
	loseCall   func(call int) (isLost, isStored bool) // of the calls by their number, in place of the shares; nil for the shares
}

// A lateRow is a row and when the service carried it out.
type lateRow struct {
	sent, id, kind string // the identity that was sent, and the one that is stored
	shown          record.Record
	at             time.Time
}

func (s *lateService) op() Operation {
	return Operation{
		Name: "keywords.create", Key: campaignKeyFields, Breaker: "campaign", Snapshot: s.list,
		Send: func(batch []rows.Row) Call {
			return func(_ context.Context, onSend func() error) ([]Outcome, error) {
				if err := onSend(); err != nil {
					return nil, err
				}
				return s.post(batch)
			}
		},
	}
}

// gatewayStatuses are the statuses with which gateways answer in place of the service.
var gatewayStatuses = []int{200, 500, 502, 503, 504, 520, 524}

// draw returns a random duration up to most.
func (s *lateService) draw(most time.Duration) time.Duration {
	return time.Duration(s.random.Int64N(int64(most) + 1))
}

func (s *lateService) post(batch []rows.Row) ([]Outcome, error) {
	s.mu.Lock()
	s.posts++
	latency, lost, late, refused := s.draw(s.latency), s.random.Float64() < s.loses, s.draw(s.mostLate()), s.random.Float64() < s.refuses
	rejected := len(batch) > 1 && s.random.Float64() < s.rejects
	if last := batch[len(batch)-1].Ordinal; len(batch) > 1 && last == s.refusesLast {
		rejected, s.refusesLast = true, -1
	}
	wasDead, never := s.isDead, s.random.IntN(2) == 0
	if s.loseCall != nil {
		isLost, isStored := s.loseCall(s.posts)
		lost, late, never = isLost, 0, !isStored
	}
	answered, status := s.random.Float64() < s.gateway, gatewayStatuses[s.random.IntN(len(gatewayStatuses))]
	s.mu.Unlock()
	if wasDead {
		return nil, errLostResponse
	}
	sent := time.Now()
	time.Sleep(latency)
	s.mu.Lock()
	defer s.mu.Unlock()
	at := time.Now()
	switch {
	case s.isDead || lost: // the connection has ended
		if !never {
			s.store(batch, sent.Add(late))
		}
		return nil, errLostResponse
	case answered:
		if !never {
			s.store(batch, sent.Add(late))
		}
		return nil, fromGateway(status)
	case rejected:
		for i := 0; i < len(batch); i += 2 {
			s.store(batch[i:i+1], at)
		}
		return nil, refusal(422)
	case refused:
		if !never {
			s.store(batch, at)
		}
		return nil, refusal(500)
	}
	s.store(batch, at)
	return make([]Outcome, len(batch)), nil
}

func (s *lateService) store(batch []rows.Row, at time.Time) {
	for _, row := range batch {
		id, kind := keywordIdentity(row.Values, nil, nil)
		stored := lateRow{sent: string(id), id: string(id), kind: string(kind), shown: shownCampaign(row), at: at}
		if s.alters > 0 && row.Ordinal%s.alters == 0 {
			stored.id += "&amp;"
		}
		s.stored = append(s.stored, stored)
	}
}

// list shows what the service held some time ago.
func (s *lateService) list(_ context.Context, r SnapshotRequest) (Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lists++
	lag := s.lag
	if s.newLists {
		lag = s.draw(lag)
	}
	if s.jitters && s.random.IntN(5) > 0 {
		lag = 0
	}
	if !s.readsWhole && s.random.IntN(10) == 0 {
		return nil, &client.UnreadableError{Action: "list keywords", HTTPStatus: 200, Err: errors.New("cut short")}
	}
	r.List.Names, r.List.Compare = []string{"rank_id"}, otherContent
	slices.SortStableFunc(s.stored, func(a, b lateRow) int { return a.at.Compare(b.at) }) // a row gets its id when it is carried out
	for i, row := range s.stored {
		if !row.at.Add(lag).After(time.Now()) {
			r.List.Add(Remote{ID: []byte(row.id), Content: []byte(row.kind), Record: row.shown, IDs: []int64{int64(1000 + i)}})
		}
	}
	return r.List, nil
}

// TestModel loads files into a service whose lists are late by up to a minute and which
// carries out calls up to a minute after their connection has ended. It kills the process
// and resumes the job, and checks that no row is stored twice, and that each row which the
// job does not report as unknown is stored once.
//
//	go test ./client/bulk -run Model -model 20000
func TestModel(t *testing.T) {
	unknown, rowCount, told := 0, 0, 0
	for seed := range uint64(*modelRuns) {
		var faults []string
		synctest.Test(t, func(t *testing.T) {
			table, s := modelRun(t, seed)
			twice := 0
			twice, faults = s.check(table)
			unknown, rowCount, told = unknown+table.Count(job.StateUnknown), rowCount+table.Len(), told+twice
		})
		for _, fault := range faults { // outside of the bubble, whose end would end the test
			t.Errorf("seed %d: %s", seed, fault)
		}
	}
	t.Logf("%d runs: of %d rows, %d are unknown, and %d are stored twice, which the load has told", *modelRuns, rowCount, unknown, told)
	if unknown > rowCount/2 || told > rowCount/100 {
		t.Errorf("of %d rows, %d are unknown, want fewer than half, and %d are stored twice, want one of a hundred at most", rowCount, unknown, told)
	}
}

// modelRun is one run of the model. It returns the states of the rows when the job is done, and the service.
func modelRun(t *testing.T, seed uint64) (*job.Table, *lateService) {
	random := rand.New(rand.NewPCG(seed, 7))
	pick := func(values ...time.Duration) time.Duration { return values[random.IntN(len(values))] }
	s := &lateService{
		random: random, latency: pick(time.Millisecond, 100*time.Millisecond, 3*time.Second, 30*time.Second),
		lag: pick(0, 100*time.Millisecond, 5*time.Second, maxLate), newLists: random.IntN(2) == 0,
		loses: []float64{0, 0.05, 0.3}[random.IntN(3)], refuses: []float64{0, 0.1}[random.IntN(2)],
		gateway: []float64{0, 0, 0.1}[random.IntN(3)],
		rejects: []float64{0, 0.1}[random.IntN(2)], alters: []int{0, 0, 3, 20}[seed%4], jitters: seed%5 == 0, refusesLast: -1,
	}
	total := 1 + random.IntN(120)
	if seed%10 < 4 {
		s.refusesLast = total - 1
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "k.csv")
	if err := os.WriteFile(path, []byte(keywordRows(total)), 0o600); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	boot := func() job.Boot { return job.Boot{ID: "boot", Uptime: time.Since(began)} }
	options := Options{BatchSize: 1 + random.IntN(20), Concurrency: 1 + random.IntN(8), Retries: 4, boot: boot}
	options.Note = func(text string) { s.notes += text + "\n" }
	if settle := maxLate; s.rejects > 0 && seed%3 > 0 {
		options.SettleTime = &settle // without it, a load does not wait for the list after a refusal
	}
	store, kills := job.Store(filepath.Join(dir, "jobs0")), random.IntN(4)
	for n := 1; n < 20; n++ {
		src, j := beginJob(t, store, path, createSchema())
		ctx, cancel := context.WithCancel(t.Context())
		next := job.Store(filepath.Join(dir, fmt.Sprint("jobs", n)))
		s.isDead = false
		kill := time.NewTimer(time.Hour)
		if n <= kills {
			kill = time.AfterFunc(s.draw(pick(100*time.Millisecond, 10*time.Second, 3*time.Minute)), func() {
				s.mu.Lock()
				defer s.mu.Unlock()
				if err := os.CopyFS(string(next), os.DirFS(string(store))); err != nil {
					t.Error(err)
				}
				s.isDead = true
				cancel()
			})
		}
		posts := s.posts
		options.ResendUnknown = n > 1 && seed%7 == 0
		_, err := Run(ctx, src, Rows(s.op()), j, options)
		kill.Stop()
		table := j.Table()
		s.mu.Lock()
		wasKilled := s.isDead
		s.mu.Unlock()
		cancel()
		_, _ = j.Close(), src.Close()
		if wasKilled {
			store = next
			time.Sleep(s.draw(pick(0, time.Second, 2*time.Minute))) // until somebody resumes the job
			continue
		}
		if err == nil && (j.Finished() || posts == s.posts) {
			time.Sleep(2 * maxLate)
			return table, s
		}
	}
	t.Fatalf("seed %d: the job is not finished after 20 runs", seed)
	return nil, nil
}

// againNote finds the number of rows that a load tells to be stored twice if the list is late.
var againNote = regexp.MustCompile(`(\d+) rows? (?:is|are) sent again[^,]*, since the service does not list`)

// check returns how many rows are stored twice, as a note has told that they may be, and what is wrong: each other row must be
// stored once, or not more than once if it is unknown.
func (s *lateService) check(table *job.Table) (told int, faults []string) {
	counts, mayBeTwice := map[string]int{}, 0
	for _, row := range s.stored {
		counts[row.sent]++
	}
	for _, note := range againNote.FindAllStringSubmatch(s.notes, -1) {
		n, _ := strconv.Atoi(note[1])
		mayBeTwice += n
	}
	for n := range table.Len() {
		got := counts[keywordID(fmt.Sprint(n%3), "1", fmt.Sprintf("word %d", n))]
		isUnknown := table.State(uint32(n)) == job.StateUnknown
		if again := got - 1; again > 0 && told+again <= mayBeTwice {
			told += again
		} else if got > 1 || got == 0 && !isUnknown {
			faults = append(faults, fmt.Sprintf("row %d is stored %d times, state %d; %d may be stored twice", n, got, table.State(uint32(n)), mayBeTwice))
		}
	}
	return told, faults
}
