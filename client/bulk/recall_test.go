package bulk

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"reseller/client/bulk/dedupe"
	"reseller/client/bulk/job"
	"reseller/client/bulk/wal"
)

// keywordFile writes a file of keywords and returns its path.
func keywordFile(t testing.TB, texts ...string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(keywordHead)
	for _, text := range texts {
		fmt.Fprintf(&b, "1,1,%s,target\n", text)
	}
	return writeFile(t, "k.csv", b.String())
}

// load loads a file as a job of its own, unless an unfinished job can be resumed. It
// returns the notes in the summary's place of texts.
func (f *unreliableService) load(t testing.TB, store job.Store, path string, o Options) (sum job.Summary, notes string, id string) {
	t.Helper()
	src, j := beginJob(t, store, path, createSchema())
	defer func() { _ = src.Close() }()
	o.sleep, o.now, o.boot = f.sleep, f.time, f.boot
	o.Note = func(text string) { notes += text + "\n" }
	sum, err := Run(t.Context(), src, Rows(f.op()), j, o)
	noError(t, err)
	noError(t, j.Close())
	return sum, notes, j.ID
}

// logOf returns the path of a job's log.
func logOf(store job.Store, id string) string { return filepath.Join(string(store), id+".journal") }

// TestAcknowledgedRowsArePresent loads rows and, while the list does not show them yet,
// loads them again.
func TestAcknowledgedRowsArePresent(t *testing.T) {
	t.Parallel()
	type loaded struct {
		f     *unreliableService
		store job.Store
		path  string
		first string // the id of the job that has loaded a, b and c
	}
	for name, c := range map[string]struct {
		between func(t *testing.T, l *loaded) // what happens before the second load
		texts   []string                      // of the second load; nil for the same file
		options Options
		want    counts
		note    string
	}{
		"the same command": {want: counts{Rows: 3, Present: 3}, note: "3 rows were acknowledged at "},
		"an edited file":   {texts: []string{"c", "new", "A "}, want: counts{Rows: 3, Sent: 1, Present: 2}, note: "2 rows were acknowledged at "},
		"one row is left":  {texts: []string{"b"}, want: counts{Rows: 1, Present: 1}, note: "1 row was acknowledged at "},
		"no-skip-existing": {options: Options{ResendExisting: true}, want: counts{Rows: 3, Sent: 3}},
		"the list has other texts": {
			between: func(_ *testing.T, l *loaded) {
				l.f.listDelay = 0
				for i := range l.f.stored {
					l.f.stored[i].id += "&amp;"
				}
			},
			want: counts{Rows: 3, Present: 3}, note: "3 rows were acknowledged at ",
		},
		"the list shows one, deactivated": {
			between: func(_ *testing.T, l *loaded) {
				l.f.stored[1].at, l.f.stored[1].inactive = -24*time.Hour, true
			},
			want: counts{Rows: 3, Present: 2, Differs: 1}, note: "2 rows were acknowledged at ",
		},
		"the job was removed": {
			between: func(t *testing.T, l *loaded) {
				noError(t, l.store.Remove(l.first))
				if jobs, err := l.store.List(); len(jobs) != 0 || err != nil {
					t.Errorf("got %d jobs, error %v, want none", len(jobs), err)
				}
			},
			want: counts{Rows: 3, Present: 3}, note: "3 rows were acknowledged at ",
		},
		"the clock was set back": {
			between: func(t *testing.T, l *loaded) { age(t, logOf(l.store, l.first), -100*time.Hour) },
			want:    counts{Rows: 3, Present: 3}, note: "3 rows were acknowledged at ",
		},
		"the clock was set forward": {
			between: func(t *testing.T, l *loaded) {
				on := job.BootClock()()
				if on.ID == "" {
					return
				}
				age(t, logOf(l.store, l.first), 36*time.Hour)
				began := time.Now().Add(-on.Uptime - 36*time.Hour).UnixMilli()
				noError(t, os.WriteFile(filepath.Join(string(l.store), ".clock"), fmt.Appendf(nil, "%s %d", on.ID, began), 0o600))
			},
			want: counts{Rows: 3, Present: 3}, note: "3 rows were acknowledged ",
		},
		"two days ago": {
			between: func(t *testing.T, l *loaded) { age(t, logOf(l.store, l.first), 48*time.Hour) },
			want:    counts{Rows: 3, Sent: 3},
		},
		"removed, two days ago": {
			between: func(t *testing.T, l *loaded) {
				age(t, logOf(l.store, l.first), 23*time.Hour)
				noError(t, l.store.Remove(l.first))
				kept, err := filepath.Glob(filepath.Join(string(l.store), ".acknowledged-*"))
				if len(kept) != 1 || err != nil {
					t.Fatalf("got the files %q, error %v, want one", kept, err)
				}
				age(t, kept[0], 48*time.Hour)
			},
			want: counts{Rows: 3, Sent: 3},
		},
		"the service lost its data": {
			between: func(t *testing.T, l *loaded) {
				for _, address := range []string{"http://other", "http://localhost"} {
					forgets := address == "http://localhost"
					noError(t, l.store.Forget(address))
					info, err := os.Stat(logOf(l.store, l.first))
					if err != nil || time.Since(info.ModTime()) > 24*time.Hour != forgets {
						t.Errorf("after Forget(%q): got error %v, want that %t", address, err, forgets)
					}
				}
			},
			want: counts{Rows: 3, Sent: 3},
		},
		"the journal is damaged": {
			between: func(t *testing.T, l *loaded) {
				damaged := append([]byte("no event"), wal.AppendFrame(nil, job.Finished())...)
				file, err := os.OpenFile(logOf(l.store, l.first), os.O_APPEND|os.O_WRONLY, 0)
				if err == nil {
					_, err = file.Write(damaged)
				}
				noError(t, cmp.Or(err, file.Close()))
			},
			texts: []string{"a", "b", "c", "d"},
			want:  counts{Rows: 4, Sent: 1, Present: 3}, note: "is corrupt: rows that it has sent may be sent again",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &loaded{f: newUnreliableService(1), store: newStore(t), path: keywordFile(t, "a", "b", "c")}
			l.f.listDelay = time.Hour
			var sum job.Summary
			sum, _, l.first = l.f.load(t, l.store, l.path, Options{})
			wantCounts(t, sum, counts{Rows: 3, Sent: 3})
			if c.between != nil {
				c.between(t, l)
			}
			if c.texts != nil {
				l.path = keywordFile(t, c.texts...)
			}
			sum, notes, _ := l.f.load(t, l.store, l.path, c.options)
			wantCounts(t, sum, c.want)
			if !strings.Contains(notes, c.note) || c.note == "" && strings.Contains(notes, "acknowledged") {
				t.Errorf("got the notes %q, want one with %q", notes, c.note)
			}
			if c.want.Sent == 0 { // what counts as present was not sent by this job, so the first one is still remembered
				sum, _, _ = l.f.load(t, l.store, l.path, c.options)
				wantCounts(t, sum, c.want)
			}
		})
	}
}

// TestRecentRowsAreComparedByContent loads rows and then, while the list does not show them yet, a file that says another
// type of one of them, and the same of another.
func TestRecentRowsAreComparedByContent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		listDelay time.Duration
		options   Options
		want      counts
		note      string
		kinds     string // of the keywords in the service, after the second load
	}{
		"only added": {
			listDelay: time.Hour, want: counts{Rows: 3, Sent: 1, Present: 1, Differs: 1}, kinds: "target target target",
			note: "with other content and not listed by the service yet: differs",
		},
		"changed once it is listed": {
			options: Options{UpdateExisting: true}, want: counts{Rows: 3, Sent: 2, Present: 1}, kinds: "interest target target",
		},
		"never listed": {
			listDelay: time.Hour, options: Options{UpdateExisting: true}, want: counts{Rows: 3, Sent: 1, Present: 1, Unknown: 1}, kinds: "target target target",
			note: " with other content, and it can't be changed before the service lists it",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, store := newUnreliableService(1), newStore(t)
			f.listDelay = c.listDelay
			sum, _, _ := f.load(t, store, keywordFile(t, "a", "b"), Options{})
			wantCounts(t, sum, counts{Rows: 2, Sent: 2})
			path := writeFile(t, "k.csv", keywordHead+"1,1,A,interest\n1,1,b,target\n1,1,c,target\n")
			sum, notes, _ := f.load(t, store, path, c.options)
			wantCounts(t, sum, c.want)
			if !strings.Contains(notes, c.note) {
				t.Errorf("got the notes %q, want one with %q", notes, c.note)
			}
			var kinds []string
			for _, k := range f.stored {
				kinds = append(kinds, k.kind)
			}
			if got := strings.Join(kinds, " "); got != c.kinds {
				t.Errorf("the service has keywords of the types %s, want %s", got, c.kinds)
			}
			f.wantStoredOnce(t)
		})
	}
}

// age sets the time at which a file was last written.
func age(t *testing.T, path string, by time.Duration) {
	t.Helper()
	noError(t, os.Chtimes(path, time.Time{}, time.Now().Add(-by)))
}

// TestOlderCopiesAreNotTakenForTheRow loads rows, and at once loads them again with
// no-skip-existing. The calls of the second load are lost. What the list shows of the rows
// later was sent by the first load, so it does not prove that the second one has sent them.
func TestOlderCopiesAreNotTakenForTheRow(t *testing.T) {
	for name, restart := range map[string]bool{"a finished job": false, "a restarted job": true} {
		t.Run(name, func(t *testing.T) {
			f, store := newUnreliableService(1), newStore(t)
			f.listDelay = 30 * time.Second
			f.load(t, store, keywordFile(t, "a", "b", "c"), Options{})
			path := keywordFile(t, "a", "b", "c", "d")
			src, j := beginJob(t, store, path, createSchema())
			defer func() { _, _ = j.Close(), src.Close() }()
			j.Restarted = restart
			sum, err := Run(t.Context(), src, Rows(loseResponses(f, 1, false)), j, Options{BatchSize: 3, Concurrency: 1, ResendExisting: true, sleep: f.sleep, now: f.time, boot: f.boot})
			noError(t, err)
			wantCounts(t, sum, counts{Rows: 4, Sent: 1, Unknown: 3})
		})
	}
}

// TestRestartForgets restarts a job while the list does not show its rows, and kills and
// resumes the new job.
func TestRestartForgets(t *testing.T) {
	f, store, path := newUnreliableService(1), newStore(t), keywordFile(t, "a", "b", "c")
	f.listDelay = time.Hour
	f.load(t, store, path, Options{})
	src := openText(t, "csv", readFile(t, path), createSchema())
	if _, err := src.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, j := beginJob(t, store, path, createSchema())
	header := j.Header
	noError(t, j.Close())
	j, err := Begin(store, header, src, true)
	noError(t, err)
	if err := j.Close(); err != nil { // before it has sent anything
		t.Fatal(err)
	}
	sum, _, id := f.load(t, store, path, Options{})
	if wantCounts(t, sum, counts{Rows: 3, Sent: 3}); id != j.ID {
		t.Errorf("job %s was loaded, want the restarted job %s", id, j.ID)
	}
}

// TestOtherResellersAreNotRecalled loads the rows of one reseller for another one.
func TestOtherResellersAreNotRecalled(t *testing.T) {
	f, store, path := newUnreliableService(1), newStore(t), keywordFile(t, "a", "b", "c")
	f.listDelay = time.Hour
	f.load(t, store, path, Options{})
	_, j := beginJob(t, store, path, createSchema())
	for _, key := range []job.Key{{BaseURL: "http://localhost", Subject: "8"}, {BaseURL: "http://localhost:81"}, {BaseURL: "http://localhost"}} {
		j.Key = key
		jobs := 0
		for m, err := range j.Memories("keyword", job.MemoryTime, f.boot(), func(dedupe.Fingerprint) (int, bool) { return 0, true }) {
			noError(t, err)
			for range m.Rows {
				jobs++
			}
		}
		if same := key.Hash() == (job.Key{BaseURL: "http://localhost"}).Hash(); (jobs == 3) != same || (jobs == 0) == same {
			t.Errorf("%+v: got %d rows of other jobs", key, jobs)
		}
	}
}

// TestEditedFilesAreStoredExactlyOnce loads a file, kills the process, edits the file and
// loads it again, until all versions of the file are loaded. The list may be late.
func TestEditedFilesAreStoredExactlyOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "bulk-*")
		noError(t, err)
		defer func() { _ = os.RemoveAll(dir) }()
		f := newUnreliableService(rapid.Uint64().Draw(t, "seed"))
		f.failureRate = rapid.SampledFrom([]float64{0, 0, 0.1, 0.5}).Draw(t, "failure rate")
		f.listDelay = rapid.SampledFrom([]time.Duration{0, 500 * time.Millisecond, 10 * time.Second, time.Hour}).Draw(t, "list delay")
		f.alters = rapid.Bool().Draw(t, "alters")
		options := Options{
			BatchSize: rapid.IntRange(1, 10).Draw(t, "batch size"), Concurrency: rapid.IntRange(1, 8).Draw(t, "concurrency"),
			Retries: 2, sleep: f.sleep, now: f.time, boot: f.boot,
		}
		store := job.Store(filepath.Join(dir, "jobs"))
		versions := rapid.IntRange(2, 4).Draw(t, "versions")
		for n := range 3 * versions {
			words := rapid.SliceOfNDistinct(rapid.IntRange(0, 60), 1, 60, rapid.ID[int]).Draw(t, "words")
			path := filepath.Join(dir, fmt.Sprintf("%d.csv", n%versions))
			if n < versions { // later, the unfinished jobs are resumed
				var text strings.Builder
				text.WriteString(keywordHead)
				for _, word := range words {
					fmt.Fprintf(&text, "1,1,word %d,target\n", word)
				}
				noError(t, os.WriteFile(path, []byte(text.String()), 0o600))
			}
			src, j := beginJob(t, store, path, createSchema())
			log, durable := logOf(store, j.ID), int64(-1)
			f.killed, f.killAt = false, 0
			if n < 2*versions && f.random.IntN(3) > 0 {
				f.killAt = f.posts + 1 + f.random.IntN(10)
				f.onKill = func() {
					if info, err := os.Stat(log); err == nil {
						durable = info.Size()
					}
				}
			}
			_, err := Run(context.Background(), src, Rows(f.op()), j, options)
			if !mayEndRun(err) {
				t.Fatalf("run %d got the error %v", n, err)
			}
			_ = j.Close()
			_ = src.Close()
			if f.killed {
				tearLog(t, log, durable, f.random)
			}
		}
		for id, n := range f.storedCounts() {
			if n != 1 {
				t.Fatalf("%q is stored %d times, want once; %v", id, n, f)
			}
		}
	})
}

// TestRowsInDoubtOfOtherJobs kills a job while its calls are under way, and loads an edited
// file: the rows in doubt are sent only once they are proven absent, and count as present
// if the list shows them.
func TestRowsInDoubtOfOtherJobs(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			f, store := newUnreliableService(seed), newStore(t)
			path := keywordFile(t, "a", "b", "c")
			src, j := beginJob(t, store, path, createSchema())
			durable := int64(0)
			f.killAt, f.onKill = 2, func() {
				info, err := os.Stat(logOf(store, j.ID))
				if err != nil {
					t.Error(err)
					return
				}
				durable = info.Size()
			}
			o := Options{BatchSize: 1, Concurrency: 1, sleep: f.sleep, now: f.time, boot: f.boot}
			_, _ = Run(t.Context(), src, Rows(f.op()), j, o)
			_, _ = j.Close(), src.Close()
			noError(t, os.Truncate(logOf(store, j.ID), durable))
			stored := len(f.stored) // with or without b
			f.killed, f.killAt = false, 0
			f.listDelay = 0
			sum, notes, _ := f.load(t, store, keywordFile(t, "x", "c", "b", "a"), Options{BatchSize: 1, Retries: 3})
			want := counts{Rows: 4, Sent: 4 - stored, Present: stored}
			wantCounts(t, sum, want)
			f.wantStoredOnce(t)
			if note := fmt.Sprintf("job %s sent 1 row with an unknown outcome", j.ID); stored == 1 && !strings.Contains(notes, note) {
				t.Errorf("got the notes %q, want one with %q", notes, note)
			}
			if got := len(f.stored); got != 4 {
				t.Errorf("got %d keywords, want 4", got)
			}
		})
	}
}
