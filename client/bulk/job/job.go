package job

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"

	"reseller/client/atomicfile"
	"reseller/client/bulk/wal"
)

// A Header says what a job is and how it is run again. It is the first event of the
// job's log. It contains no token and no password.
type Header struct {
	ID         string    `json:"id"`
	Started    time.Time `json:"started"`
	Rows       int       `json:"rows"`   // rows of the file, those of other shards included
	ShardRows  int       `json:"shares"` // rows of this shard, of which some are:
	Duplicates int       `json:"duplicates,omitempty"`
	Invalid    int       `json:"invalid,omitempty"`
	Key
	Command []string            `json:"command"` // the words of the command
	Flags   map[string][]string `json:"flags"`
	File    string              `json:"file"` // the absolute path; "-" for standard input
	Format  string              `json:"format"`
	Secret  bool                `json:"secret,omitempty"` // the input was standard input with passwords, which is not stored
	Server  string              `json:"server,omitempty"`
}

// A Key is what identifies a job: a load with the same key resumes it.
type Key struct {
	Operation string            `json:"operation"`
	BaseURL   string            `json:"base_url"`
	Profile   string            `json:"profile"`
	Subject   string            `json:"subject,omitempty"` // the token's sub
	Digest    string            `json:"content"`           // a hash of the file's content
	Mapping   map[string]string `json:"mapping,omitempty"`
	Constants map[string]string `json:"constants,omitempty"`
	Shard     string            `json:"shard,omitempty"`
}

// Hash returns a text that is the same for equal keys only.
func (k Key) Hash() string {
	text, _ := json.Marshal(k) // strings and maps of them always can be; the keys of a map come sorted
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// A Job is a job on disk. This process holds its lock until Close.
type Job struct {
	Header
	*Recorder
	Abandoned   *Abandoned // the unfinished job that this one replaces
	store       Store
	log         *wal.Log
	lock        *flock.Flock
	resumed     bool
	ran         bool      // a run of this process recorded events
	lastWritten time.Time // when the log was written last, before this process opened it
}

// Abandoned is a job whose state was thrown away.
type Abandoned struct {
	ID      string
	Unknown int // rows whose calls have no outcome
	Corrupt bool
}

// A BusyError says that another process holds a job, or held it when the load started.
type BusyError struct {
	ID       string
	Finished bool // the other run has finished the job
}

func (e *BusyError) Error() string {
	if e.Finished {
		return fmt.Sprintf("job %s was already running when this command started, and has finished since", e.ID)
	}
	return fmt.Sprintf("job %s is already running", e.ID)
}

// A CorruptError says that the log of a job has valid events behind an invalid one.
type CorruptError struct {
	ID     string
	Offset int64 // bytes of the log that can be read
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("the journal of job %s is corrupt at byte %d: everything recorded after that is lost", e.ID, e.Offset)
}

// Advice returns a sentence that says how to go on with the load.
func (e *CorruptError) Advice() string {
	return "run the command of the load with --restart: it skips the rows that it can read back, and sends all others again"
}

var errNoHeader = errors.New("the journal has no complete header")

// Resumed reports whether an earlier run created the job.
func (j *Job) Resumed() bool { return j.resumed }

// Finished reports whether nothing is left to do.
func (j *Job) Finished() bool { return j.Table().IsFinished() }

// Rejects returns the default path of the job's rejects file.
func (j *Job) Rejects() string {
	format := j.Format
	if format == "txt" {
		format = "csv"
	}
	return j.store.path(j.ID, rejectsSuffix+format)
}

// Start writes the job's log in the background, as Recorder.Start does.
func (j *Job) Start(began time.Time, isBusy func() bool) {
	j.ran = true
	j.Recorder.Start(began, isBusy)
}

// Close makes durable what was recorded and releases the job.
func (j *Job) Close() error {
	err := j.log.Close()
	if j.ran && j.Finished() {
		_ = os.Chtimes(j.log.Path(), time.Time{}, time.Now()) // the system's own time is some milliseconds late
	}
	_ = j.lock.Unlock()
	return err
}

// replay rebuilds a header and a table from the events that run passes to apply. If
// table is nil, it reads only the header.
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
		if err := json.Unmarshal(e[1:], h); err != nil {
			return err
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

// open opens a job that is on disk.
func (s Store) open(id string) (*Job, error) {
	lock := flock.New(s.path(id, lockSuffix))
	// Another process that lists the jobs takes each lock for a moment, so wait for it.
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if got, err := lock.TryLockContext(ctx, 20*time.Millisecond); !got {
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return nil, err
		}
		return nil, &BusyError{ID: id}
	}
	j := &Job{store: s, lock: lock, resumed: true}
	path := s.path(id, logSuffix)
	info, err := os.Stat(path)
	var table *Table
	if err == nil {
		err = s.corrupt(id, replay(&j.Header, &table, func(apply func([]byte) error) (err error) {
			j.log, err = wal.Open(path, isKind, apply)
			return err
		}))
	}
	if err != nil {
		if j.log != nil {
			_ = j.log.Close()
		}
		_ = lock.Unlock()
		return nil, err
	}
	j.Recorder, j.lastWritten = &Recorder{table: table, log: j.log}, info.ModTime()
	return j, nil
}

// corrupt names the job in an error about its log.
func (s Store) corrupt(id string, err error) error {
	var corrupt *wal.CorruptError
	if errors.As(err, &corrupt) {
		return &CorruptError{id, corrupt.Offset}
	}
	return err
}

// create creates a job. Its header is durable when create returns.
func (s Store) create(h Header) (*Job, error) {
	lock := flock.New(s.path(h.ID, lockSuffix))
	if got, err := lock.TryLock(); err != nil || !got {
		return nil, errors.Join(err, &BusyError{ID: h.ID})
	}
	// A log without a complete header may be left of a run that was killed right here.
	log, err := wal.Create(s.path(h.ID, logSuffix))
	if err != nil {
		_ = lock.Unlock()
		return nil, err
	}
	j := &Job{Header: h, store: s, lock: lock, log: log, Recorder: &Recorder{table: NewTable(h.Rows), log: log}}
	text, err := json.Marshal(h)
	if err == nil {
		log.Append(append([]byte{kindHeader}, text...))
		err = log.Sync()
		atomicfile.SyncDir(string(s))
	}
	if err != nil {
		_ = j.Close()
		s.erase(h.ID)
		return nil, err
	}
	return j, nil
}
