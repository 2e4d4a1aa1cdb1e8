package bulk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// Header is what makes a load the job that it is, and what is needed to run it
// again. It holds no token and no password.
type Header struct {
	ID         string    `json:"id"`
	Started    time.Time `json:"started"`
	Rows       int       `json:"rows"`   // of the file, those of other shards included
	Shares     int       `json:"shares"` // rows of this shard, and of these:
	Duplicates int       `json:"duplicates,omitempty"`
	Invalid    int       `json:"invalid,omitempty"`
	Identifying
	Command []string            `json:"command"` // the words of the command
	Flags   map[string][]string `json:"flags"`
	File    string              `json:"file"` // whole path; - for standard input
	Format  string              `json:"format"`
	Secret  bool                `json:"secret,omitempty"` // the input was standard input with passwords, and is not kept
	Server  string              `json:"server,omitempty"`
}

// Identifying is what a job is known by.
type Identifying struct {
	Operation string            `json:"operation"`
	BaseURL   string            `json:"base_url"`
	Profile   string            `json:"profile"`
	Subject   string            `json:"subject,omitempty"` // the token's sub
	Content   string            `json:"content"`           // hash of the file
	Mapping   map[string]string `json:"mapping,omitempty"`
	Constants map[string]string `json:"constants,omitempty"`
	Shard     string            `json:"shard,omitempty"`
}

// Key is one text for all of it.
func (i Identifying) Key() string {
	text, _ := json.Marshal(i) // strings and maps of them can't fail; keys come sorted
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// A Job is a load with its journal, held by this process.
type Job struct {
	Header
	GivenUp *GivenUp // the unfinished job in the place of which this one was begun
	dir     Store
	ledger  *ledger
	journal *journal
	lock    *flock.Flock
	resumed bool
	noted   time.Time // when its journal was last written, before this process took it up
}

// GivenUp is a job of which nothing is known any more.
type GivenUp struct {
	ID      string
	Doubt   int // rows the calls of which had no outcome
	Damaged bool
}

// BusyError is a job that another process holds, or held when the load began.
type BusyError struct {
	ID    string
	Ended bool
}

func (e *BusyError) Error() string {
	if e.Ended {
		return fmt.Sprintf("another run held the job %s when this one began, and has finished it", e.ID)
	}
	return fmt.Sprintf("another run holds the job %s", e.ID)
}

// Resumed tells whether the job was begun by an earlier run.
func (j *Job) Resumed() bool { return j.resumed }

// Finished tells whether nothing is left to do.
func (j *Job) Finished() bool { return j.ledger.finished }

// Rejects is where the job's refused rows go where the user says nothing.
func (j *Job) Rejects() string {
	format := j.Format
	if format == "txt" {
		format = "csv"
	}
	return j.dir.path(j.ID, ".rejects."+format)
}

// Close lets go of the job. What was added to its journal is durable then.
func (j *Job) Close() error {
	err := errors.Join(j.journal.halt(), j.journal.file.Close())
	if j.journal.used && j.Finished() {
		_ = os.Chtimes(j.journal.file.Name(), time.Time{}, time.Now()) // what the system notes is some ms behind
	}
	_ = j.lock.Unlock()
	return err
}

// open takes up a job that is on disk.
func (s Store) open(h Header) (*Job, error) {
	lock := flock.New(s.path(h.ID, ".lock"))
	// A look at the list of jobs takes the lock for a moment.
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if got, err := lock.TryLockContext(ctx, 20*time.Millisecond); !got {
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return nil, err
		}
		return nil, &BusyError{ID: h.ID}
	}
	j := &Job{dir: s, lock: lock, resumed: true}
	if err := j.replay(h.ID); err != nil {
		_ = lock.Unlock()
		return nil, err
	}
	return j, nil
}

func (j *Job) replay(id string) error {
	path := j.dir.path(id, journalEnding)
	end, err := readJournal(path, func(text []byte) (*ledger, error) {
		if err := json.Unmarshal(text, &j.Header); err != nil {
			return nil, err
		}
		j.ledger = newLedger(j.Rows)
		return j.ledger, nil
	})
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && info.Size() != end {
		err = file.Truncate(end)
	}
	if err == nil {
		_, err = file.Seek(end, io.SeekStart)
	}
	if err != nil {
		_ = file.Close()
		return err
	}
	j.journal, j.noted = &journal{file: file}, info.ModTime()
	return nil
}

// create begins a job. Its header is durable when it returns.
func (s Store) create(h Header) (*Job, error) {
	lock := flock.New(s.path(h.ID, ".lock"))
	if got, err := lock.TryLock(); err != nil || !got {
		return nil, errors.Join(err, &BusyError{ID: h.ID})
	}
	// One without a whole header may be left of a run that was killed right here.
	file, err := os.OpenFile(s.path(h.ID, journalEnding), os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600)
	if err != nil {
		_ = lock.Unlock()
		return nil, err
	}
	j := &Job{Header: h, dir: s, lock: lock, ledger: newLedger(h.Rows), journal: &journal{file: file}}
	text, err := json.Marshal(h)
	if err == nil {
		j.journal.add(append([]byte{entryHeader}, text...))
		err = errors.Join(j.journal.sync(), syncFolder(string(s)))
	}
	if err != nil {
		_ = j.Close()
		s.erase(h.ID)
		return nil, err
	}
	return j, nil
}

// syncFolder makes a new file's name durable, where the system can.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = f.Sync() // not every system syncs folders
	return f.Close()
}

// keep copies standard input to where a job finds it, whole or not at all.
func (s Store) keep(id string, src *Source) error {
	temp, err := os.CreateTemp(string(s), inputTemp+"*") // mode 0600
	if err != nil {
		return err
	}
	err = src.file.CopyTo(temp)
	err = errors.Join(err, temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), s.path(id, inputEnding))
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}

// Input is where the rows of a job come from again: the file, or the copy of
// standard input.
func (j *Header) Input(s Store) string {
	if j.File == "-" && !j.Secret {
		return s.path(j.ID, inputEnding)
	}
	return j.File
}
