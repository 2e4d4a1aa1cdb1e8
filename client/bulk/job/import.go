package job

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"reseller/client/atomicfile"
	"reseller/client/bulk/wal"
)

// An ArchiveError says why an archive can't be imported.
type ArchiveError struct{ Reason string }

func (e *ArchiveError) Error() string { return "this is no archive of a job: " + e.Reason }

func archiveErrorf(format string, args ...any) error {
	return &ArchiveError{fmt.Sprintf(format, args...)}
}

// An ExistsError says that the store has a job of the same load, which the import would have
// to overwrite.
type ExistsError struct {
	ID     string // of the job of the store
	Reason string
}

func (e *ExistsError) Error() string { return e.Reason }

// An archived job is what was read of an archive, in files without names.
type archived struct {
	Header
	journal *atomicfile.Unnamed
	events  int64 // the offset in the journal behind the header
	size    int64 // of the journal
	done    int   // the number of rows with a final state
	input   *atomicfile.Unnamed
}

func (a *archived) close() {
	for _, file := range []*atomicfile.Unnamed{a.journal, a.input} {
		if file != nil {
			_ = file.Close()
		}
	}
}

// Import adds the job of an archive to the store. accept may change the header of the job,
// but for its key, or refuse it. If the store has the job already, the archive replaces it
// only if it continues the store's journal; added is false if both are the same.
func (s Store) Import(r io.Reader, accept func(*Header) error) (status Status, added bool, err error) {
	a := &archived{}
	defer a.close()
	if err := a.read(r); err != nil {
		return status, false, err
	}
	a.Imported = true
	if err := accept(&a.Header); err != nil {
		return status, false, err
	}
	unlock, err := s.lockAll()
	if err != nil {
		return status, false, err
	}
	defer unlock()
	if added, err = s.place(a); err != nil {
		return status, false, err
	}
	status, err = s.Find(a.ID)
	return status, added, err
}

// read reads and checks an archive.
func (a *archived) read(r io.Reader) error {
	buffered := bufio.NewReader(r)
	compressed, err := gzip.NewReader(buffered)
	if err != nil {
		return archiveErrorf("it is not compressed by gzip (%v)", err)
	}
	compressed.Multistream(false)
	in := tar.NewReader(compressed)
	m, err := readManifest(in)
	if err != nil {
		return err
	}
	if a.journal, err = readMember(in, journalMember, m.Journal); err != nil {
		return err
	}
	if m.Input != nil {
		if a.input, err = readMember(in, inputMember, m.Input); err != nil {
			return err
		}
	}
	if extra, err := in.Next(); err == nil {
		return archiveErrorf("it has a member %q too many", extra.Name)
	} else if err != io.EOF {
		return archiveErrorf("%v", err)
	}
	padding, err := io.Copy(io.Discard, io.LimitReader(compressed, maxPadding))
	if err != nil {
		return archiveErrorf("%v", err)
	}
	if _, err := buffered.ReadByte(); err != io.EOF || padding == maxPadding {
		return archiveErrorf("something follows its end")
	}
	return a.replay(m)
}

// readManifest reads the first member.
func readManifest(in *tar.Reader) (m manifest, err error) {
	size, err := nextMember(in, manifestMember, maxManifest)
	if err != nil {
		return m, err
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(in, text); err != nil {
		return m, archiveErrorf("%s: %v", manifestMember, err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, archiveErrorf("%s: %v", manifestMember, err)
	}
	if m.Version != archiveVersion {
		return m, fmt.Errorf("the archive has version %d; this program reads version %d: import it with the version of the program that exported it", m.Version, archiveVersion)
	}
	if !isID(m.Job) || m.Journal == nil {
		return m, archiveErrorf("%s names no job and journal", manifestMember)
	}
	return m, nil
}

// nextMember goes to the next member, which must be a plain file with a name and at most
// limit bytes, and returns its size.
func nextMember(in *tar.Reader, name string, limit int64) (size int64, err error) {
	h, err := in.Next()
	if err == io.EOF {
		return 0, archiveErrorf("it has no member %s", name)
	}
	if err != nil {
		return 0, archiveErrorf("%s: %v", name, err)
	}
	// Other formats than USTAR have what the sizes and names of an archive do not need.
	if h.Name != name || h.Typeflag != tar.TypeReg || h.Format&tar.FormatUSTAR == 0 {
		return 0, archiveErrorf("it has %q, which is not the plain file %s", h.Name, name)
	}
	if h.Size > limit {
		return 0, archiveErrorf("%s has %d bytes, more than %d", name, h.Size, limit)
	}
	return h.Size, nil
}

// readMember copies the next member to a file without a name and checks its content.
func readMember(in *tar.Reader, name string, want *content) (*atomicfile.Unnamed, error) {
	size, err := nextMember(in, name, maxMember)
	if err != nil {
		return nil, err
	}
	file, err := atomicfile.CreateUnnamed()
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(file, sum), in)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = archiveErrorf("%s is cut short", name)
	case err == nil && (size != want.Bytes || hex.EncodeToString(sum.Sum(nil)) != want.SHA256):
		err = archiveErrorf("%s is not the one that %s describes", name, manifestMember)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// replay reads the header of the journal and checks all events.
func (a *archived) replay(m manifest) error {
	var first []byte
	var table *Table
	err := replay(&a.Header, &table, func(apply func([]byte) error) (err error) {
		a.size, err = wal.ReplayFrom(a.journal.File, 0, isKind, func(event []byte) error {
			if first == nil {
				first = wal.AppendFrame(nil, event)
			}
			return apply(event)
		})
		return err
	})
	if err != nil {
		return archiveErrorf("the journal: %s", strings.TrimPrefix(err.Error(), a.journal.Name()+": "))
	}
	a.events = int64(len(first))
	head := make([]byte, len(first))
	_, err = a.journal.ReadAt(head, 0)
	key := a.Hash()
	switch {
	case err != nil || !bytes.Equal(head, first) || a.size != m.Journal.Bytes:
		return archiveErrorf("the journal is cut short or padded")
	case a.ID != m.Job || !strings.HasPrefix(a.ID, key[:8]+"-") || a.Operation == "":
		return archiveErrorf("the journal is not that of job %s", m.Job)
	case a.keepsInput() != (a.input != nil):
		return archiveErrorf("the job has an input, and the archive has none, or the reverse")
	}
	table.RollUp(func(int) bool { return false })
	a.done = table.Done()
	return nil
}

// place puts an archived job into the store, unless that has it already. The store is
// locked.
func (s Store) place(a *archived) (added bool, err error) {
	all, err := s.headers()
	if err != nil {
		return false, err
	}
	if old := latest(all, a.Hash()); old != nil {
		if added, err := s.compare(old, a); !added || err != nil {
			return false, err
		}
	}
	for slices.ContainsFunc(all, func(old Header) bool { return old.ID == a.ID && !old.isSame(&a.Header) }) {
		a.ID = fmt.Sprintf("%s-%d", a.Hash()[:8], sequenceOf(a.ID)+1)
	}
	if len(all) >= maxFinished {
		s.removeOldest(all)
	}
	unlock, err := s.lockJob(a.ID)
	if err != nil {
		return false, err
	}
	defer unlock()
	if a.input != nil {
		copyTo := func(w io.Writer) error {
			_, err := io.Copy(w, io.NewSectionReader(a.input, 0, maxMember))
			return err
		}
		if err := s.copyInput(a.ID, copyTo); err != nil {
			return false, err
		}
	}
	header, err := json.Marshal(a.Header)
	if err != nil {
		return false, err
	}
	log, err := atomicfile.Create(s.path(a.ID, logSuffix), 0o600)
	if err != nil {
		return false, err
	}
	defer log.Abort()
	if _, err := log.Write(wal.AppendFrame(nil, append([]byte{kindHeader}, header...))); err != nil {
		return false, err
	}
	if _, err := io.Copy(log, io.NewSectionReader(a.journal, a.events, a.size-a.events)); err != nil {
		return false, err
	}
	return true, log.Commit()
}

// isSame reports whether two headers are of the same job, which one of them may have got
// from an archive.
func (h *Header) isSame(other *Header) bool {
	return h.Started.Equal(other.Started) && h.Hash() == other.Hash()
}

// compare reports whether an archived job is to be added to a store whose latest job of the
// same load is old: a later job is, and so is one that continues the store's journal, whose
// id it gets. It is neither added nor an error if it is the same.
func (s Store) compare(old *Header, a *archived) (added bool, err error) {
	here, err := s.status(*old)
	if err != nil {
		return false, err
	}
	exists := func(reason string) error { return &ExistsError{old.ID, reason} }
	switch {
	case here.State == JobRunning:
		return false, &BusyError{ID: old.ID}
	case here.Corrupt != nil:
		return false, exists(here.Corrupt.Error())
	case !old.isSame(&a.Header) && here.State == JobFinished && sequenceOf(old.ID) < sequenceOf(a.ID):
		return true, nil
	case !old.isSame(&a.Header):
		return false, exists(fmt.Sprintf("this machine has job %s of the same load, begun %s (%d of %d rows done); that of the archive was begun %s (%d done)",
			old.ID, stamp(old), here.Done, old.ShardRows, stamp(&a.Header), a.done))
	}
	difference, err := s.compareEvents(old.ID, a)
	switch {
	case err != nil:
		return false, err
	case difference == archiveIsNewer, difference == sameEvents:
		a.ID = old.ID
		return difference == archiveIsNewer, nil
	case difference == storeIsNewer:
		return false, exists(fmt.Sprintf("job %s is newer on this machine (%d of %d rows done) than in the archive (%d done)", old.ID, here.Done, old.ShardRows, a.done))
	}
	return false, exists(fmt.Sprintf("job %s went on here (%d of %d rows done) and, in another way, in the archive (%d done)", old.ID, here.Done, old.ShardRows, a.done))
}

func stamp(h *Header) string { return h.Started.UTC().Format("2006-01-02 15:04:05") }

// The results of compareEvents.
const (
	sameEvents = iota
	archiveIsNewer
	storeIsNewer
	otherEvents
)

// compareEvents compares the events of a job behind its header with those of an archive.
func (s Store) compareEvents(id string, a *archived) (int, error) {
	log, err := os.Open(s.path(id, logSuffix))
	if err != nil {
		return 0, err
	}
	defer func() { _ = log.Close() }()
	var begin int64
	end, err := wal.ReplayFrom(log, 0, isKind, func(event []byte) error {
		if begin == 0 {
			begin = int64(len(wal.AppendFrame(nil, event)))
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	here, there := end-begin, a.size-a.events
	both := min(here, there)
	same, err := sameBytes(io.NewSectionReader(log, begin, both), io.NewSectionReader(a.journal, a.events, both))
	switch {
	case err != nil:
		return 0, err
	case !same:
		return otherEvents, nil
	case here < there:
		return archiveIsNewer, nil
	case here > there:
		return storeIsNewer, nil
	}
	return sameEvents, nil
}

// sameBytes reports whether two readers of the same length have the same bytes.
func sameBytes(a, b io.Reader) (bool, error) {
	x, y := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, err := io.ReadFull(a, x)
		if _, otherErr := io.ReadFull(b, y[:n]); otherErr != nil {
			return false, otherErr
		}
		if !bytes.Equal(x[:n], y[:n]) {
			return false, nil
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
}
