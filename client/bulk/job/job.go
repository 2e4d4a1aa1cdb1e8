package job

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"reseller/client/atomicfile"
	"reseller/client/bulk/wal"
)

// A Header describes a job, so that a later command can resume it. It is the first event
// of the job's log. It contains no token and no password.
type Header struct {
	ID      string    `json:"id"`
	Started time.Time `json:"started"`
	Counts
	Key
	Command []string            `json:"command"` // the path of the command, such as keywords, create
	Flags   map[string][]string `json:"flags"`
	File    string              `json:"file"` // the absolute path; "-" for standard input
	Format  string              `json:"format"`
	Secret  bool                `json:"secret,omitempty"` // the input was standard input with passwords, so it was not copied
	// Restarted says that the job was started with restart, so that rows which other jobs had sent before are sent again.
	Restarted bool `json:"restarted,omitempty"`
	// Since is nil unless the job replaces jobs that were not finished: these may have created the records with a larger id.
	Since  *int64 `json:"since,omitempty"`
	Server string `json:"server,omitempty"`
	// References is a hash of the accounts and campaigns that the file names in other words than by their ids, empty if it
	// names none: the rows of a job go to those that the names stood for when it began.
	References string `json:"references,omitempty"`
	// Kept is data that the command read from the service when the job began. When the job is resumed, the command needs it again
	// as it was then.
	Kept json.RawMessage `json:"kept,omitempty"`
}

type Counts struct {
	Rows       int `json:"rows"`                 // rows of the file, those of other shards included
	ShardRows  int `json:"shares"`               // rows of this shard
	Duplicates int `json:"duplicates,omitempty"` // rows of this shard that repeat an earlier one
	Invalid    int `json:"invalid,omitempty"`    // rows of this shard that are invalid or in conflict
	Appended   int `json:"appended,omitempty"`   // rows behind those of the file, which it does not have
}

// A Key identifies a job: a load with the same key resumes it.
type Key struct {
	Operation string            `json:"operation"`
	BaseURL   string            `json:"base_url"`
	Profile   string            `json:"profile"`
	Subject   string            `json:"subject,omitempty"` // the subject (sub) of the token
	Digest    string            `json:"content"`           // a hash of the file's content
	Mapping   map[string]string `json:"mapping,omitempty"`
	Constants map[string]string `json:"constants,omitempty"`
	Shard     string            `json:"shard,omitempty"`
}

// Hash returns a hash of the key. Equal keys have equal hashes, and different keys have different ones.
func (k Key) Hash() string {
	text, _ := json.Marshal(k) // strings and maps of strings give no error, and the keys of a map are sorted
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// A Job is a job on disk that this process works on. Its lock keeps other processes from working on it until Close.
type Job struct {
	Header
	*Recorder
	Abandoned *Abandoned // the unfinished job that this one replaces
	Stale     []string   // the stopped jobs that were removed since nobody had resumed them
	store     Store
	lock      *flock.Flock
	resumed   bool // an earlier process created the job
	ran       bool // Start was called
}

// Abandoned describes an unfinished job that was removed because a new one replaces it.
type Abandoned struct {
	ID      string
	Unknown int  // rows whose calls have no known outcome
	Corrupt bool // the log was corrupt, so nothing is known about the rows
	since   *int64
}

// A BusyError says that another process works on a job, or did so when the load started.
type BusyError struct {
	ID       string
	Finished bool   // the other run has finished the job
	Rows     int    // the rows that the other job is loading as well, if it is not the same job
	What     string // what a command without a job writes, and the other job as well
}

func (e *BusyError) Error() string {
	if e.Finished {
		return fmt.Sprintf("job %s was already running when this run started, and has finished since", e.ID)
	}
	if e.What != "" {
		return fmt.Sprintf("job %s, which is running, has %s to send", e.ID, e.What)
	}
	if e.Rows > 0 {
		return fmt.Sprintf("%s, which is running, has %d of the rows of this load to send", nameOf(e.ID), e.Rows)
	}
	return fmt.Sprintf("job %s is already running", e.ID)
}

// A CorruptError says that the log of a job has an invalid event in its midst: a valid
// one follows it. An invalid event at the end is normal after a crash. After Store.Remove, the load skips the rows that it can read
// back or remembers as sent, and sends all others again.
type CorruptError struct {
	ID     string
	Offset int64 // the number of bytes before the invalid event
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("the journal of job %s is corrupt at byte %d: everything recorded after that is lost", e.ID, e.Offset)
}

var (
	errNoHeader      = errors.New("the journal has no complete header")
	errInvalidHeader = errors.New("the header of the journal is invalid")
)

const maxRows = 1 << 28 // a table of them takes a quarter of a gigabyte

func (c *Counts) areValid() bool {
	isPart := func(n int) bool { return 0 <= n && n <= c.Rows }
	return c.Rows <= maxRows && isPart(c.ShardRows) && isPart(c.Appended) && isPart(c.Duplicates) && isPart(c.Invalid)
}

func (j *Job) Resumed() bool { return j.resumed }

// MayHaveCreated reports whether the job, or one that it replaces, may have created a record that the service lists,
// although the log does not say so: it may have been cut off.
func (j *Job) MayHaveCreated(id int64) bool {
	before := j.Table().first().lastID
	return j.Since != nil && id > *j.Since || before >= 0 && id > before
}

// CreatedAfter reports whether the job, which was stopped, may have created a record with a larger id than those that the
// service listed before, although the log does not say so. before is that id.
func (s *Status) CreatedAfter() (before int64, mayHave bool) {
	if s.Since != nil {
		return *s.Since, true
	}
	first := s.Table.first()
	return first.lastID, first.lastID >= 0 && (s.Corrupt != nil || !first.IsReconciled())
}

// Others yields the jobs with steps for the same address and subject, but for the job itself, oldest first.
func (j *Job) Others() iter.Seq[Status] {
	isOther := func(h *Header) bool {
		return h.BaseURL == j.BaseURL && h.Subject == j.Subject && h.ID != j.ID && !strings.Contains(h.Operation, ".") // as that of one step has
	}
	return func(yield func(Status) bool) {
		for status, err := range j.store.statuses(isOther) {
			if err == nil && len(status.Table.steps) > 0 && !yield(status) {
				return
			}
		}
	}
}

func (j *Job) Finished() bool { return j.table.finished }

// Rejects returns the default path of the job's rejects file: beside its input or, if that is standard input or can't have files
// beside it, its journal. The rejects of a txt file are csv, since they have columns, and those of a folder ndjson.
func (j *Job) Rejects() string { return j.fileOfRows(rejectsSuffix) }

func (j *Job) Unknown() string { return j.fileOfRows(unknownSuffix) }

func (j *Job) fileOfRows(suffix string) string {
	suffix += strings.Replace(cmp.Or(j.Format, "ndjson"), "txt", "csv", 1)
	if beside := strings.TrimSuffix(j.File, filepath.Ext(j.File)) + "." + j.ID + suffix; j.File != "-" && j.File != "" {
		if file, err := atomicfile.Create(beside, 0o600); err == nil {
			file.Abort()
			return beside
		}
	}
	return j.store.path(j.ID, suffix)
}

// Start starts a goroutine that writes the log in the background. After each second without events it appends a
// Heartbeat with the time since the run began, if isBusy returns true.
func (j *Job) Start(elapsed func() time.Duration, isBusy func() bool) {
	j.ran = true
	j.log.Start(func() []byte {
		if isBusy() {
			return Heartbeat(elapsed())
		}
		return nil
	})
}

// Close makes all recorded events durable and releases the job's lock.
func (j *Job) Close() error {
	err := j.log.Close()
	if j.ran && j.Finished() {
		// Store.resume compares this time with the clock. The time that the file system
		// sets may be some milliseconds behind the clock.
		_ = os.Chtimes(j.store.path(j.ID, logSuffix), time.Time{}, time.Now())
	}
	_ = j.lock.Unlock()
	return err
}

// replay rebuilds a header and a table from the events of a log. run must read the log
// and pass each event to apply. If table is nil, replay stops after the header.
func replay(h *Header, table **Table, run func(apply func([]byte) error) error) error {
	seen := false
	err := run(func(e []byte) error {
		switch {
		case seen:
			return (*table).apply(e)
		case e[0] != kindHeader:
			return errNoHeader
		}
		seen = true
		if json.Unmarshal(e[1:], h) != nil || !h.areValid() {
			return errInvalidHeader
		}
		if table == nil {
			return wal.ErrStop
		}
		*table = NewTable(h.Rows)
		return nil
	})
	if err == nil && !seen {
		err = errNoHeader
	}
	return err
}

// open locks a job, replays its log, and opens the log for further events.
func (s Store) open(id string) (*Job, error) {
	lock := s.newLock(id, os.O_CREATE)
	got, err := lock.TryLock()
	// Another process that lists the jobs locks each of them for a moment. A busy machine may stop this one for longer, so tries count.
	for tries := 15; !got && err == nil && tries > 0; tries-- {
		time.Sleep(20 * time.Millisecond)
		got, err = lock.TryLock()
	}
	if !got {
		return nil, cmp.Or[error](err, &BusyError{ID: id})
	}
	j := &Job{store: s, lock: lock, resumed: true, Recorder: &Recorder{}}
	err = corrupted(id, replay(&j.Header, &j.table, func(apply func([]byte) error) (err error) {
		j.log, err = wal.Open(s.path(id, logSuffix), isKind, apply)
		return err
	}))
	if err != nil {
		if j.log != nil {
			_ = j.log.Close()
		}
		_ = lock.Unlock()
		return nil, err
	}
	return j, nil
}

// read rebuilds the header and the table of a job from the log at a path, as replay does.
func read(path, id string, h *Header, table **Table) error {
	return corrupted(id, replay(h, table, func(apply func([]byte) error) error {
		_, err := wal.Replay(path, isKind, apply)
		return err
	}))
}

// corrupted replaces an error that tells of damage in the log by a *CorruptError that names the job.
func corrupted(id string, err error) error {
	if corrupt, ok := errors.AsType[*wal.CorruptError](err); ok {
		return &CorruptError{id, corrupt.Offset}
	}
	if errors.Is(err, errInvalidHeader) {
		return &CorruptError{id, 0}
	}
	return err
}

// create creates a job and locks it. When create returns, the header is durable.
func (s Store) create(h Header) (*Job, error) {
	lock := s.newLock(h.ID, os.O_CREATE)
	switch got, err := lock.TryLock(); {
	case err != nil:
		return nil, err
	case !got:
		return nil, &BusyError{ID: h.ID}
	}
	// If the process is killed now, it leaves a log without a complete header, which Store.headers skips.
	log, err := wal.Create(s.path(h.ID, logSuffix))
	if err != nil {
		_ = lock.Unlock()
		return nil, err
	}
	j := &Job{Header: h, store: s, lock: lock, Recorder: &Recorder{table: NewTable(h.Rows), log: log}}
	text, err := json.Marshal(h)
	if err == nil {
		log.Append(append([]byte{kindHeader}, text...))
		err = log.Sync()
		atomicfile.SyncFolder(string(s))
	}
	if err != nil {
		_ = j.Close()
		s.erase(h.ID)
		return nil, err
	}
	return j, nil
}
