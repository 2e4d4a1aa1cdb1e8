package job

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reseller/client/bulk/wal"
)

// exported returns a store with a job that reads standard input and has sent one of its
// three rows, and an archive of it.
func exported(t *testing.T) (store Store, id string, archive []byte) {
	t.Helper()
	store = Store(t.TempDir())
	j, err := store.Begin(Header{Key: Key{Operation: "keywords.create", BaseURL: "mock"}, File: "-", Format: "csv"}, threeRows(), false)
	if err != nil {
		t.Fatal(err)
	}
	j.Record(RowResult(Result{State: StateSent}, 0))
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return store, j.ID, exportOf(t, store, j.ID)
}

func exportOf(t *testing.T, store Store, id string) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := store.Export(id, &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func accept(*Header) error { return nil }

// record adds an event to a job of a store.
func record(t *testing.T, store Store, id string, event Event) {
	t.Helper()
	j, err := store.open(id)
	if err != nil {
		t.Fatal(err)
	}
	j.Record(event)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestImport checks that an import brings the journal and the input, and that it replaces a
// journal only by one that continues it.
func TestImport(t *testing.T) {
	from, id, archive := exported(t)
	to := Store(t.TempDir())
	status, added, err := to.Import(bytes.NewReader(archive), accept)
	if err != nil || !added || status.ID != id || status.Done != 1 || !status.Imported {
		t.Fatalf("got job %s, added %v, %d done, imported %v, error %v; want job %s with 1 done", status.ID, added, status.Done, status.Imported, err, id)
	}
	if text, err := os.ReadFile(status.Input(to)); string(text) != "a\nb\nc\n" {
		t.Errorf("got input %q, error %v, want that of the job", text, err)
	}
	if _, added, err := to.Import(bytes.NewReader(archive), accept); added || err != nil {
		t.Errorf("a second import: got added %v, error %v, want neither", added, err)
	}
	record(t, from, id, RowResult(Result{State: StateSent}, 1))
	if status, added, err := to.Import(bytes.NewReader(exportOf(t, from, id)), accept); err != nil || !added || status.Done != 2 {
		t.Errorf("an archive that continues the journal: got added %v, %d done, error %v, want 2 done", added, status.Done, err)
	}
	wantKept := func(name, reason string, archive []byte) {
		t.Helper()
		log, _ := os.ReadFile(to.path(id, logSuffix))
		_, added, err := to.Import(bytes.NewReader(archive), accept)
		var exists *ExistsError
		if added || !errors.As(err, &exists) || exists.ID != id || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: got added %v, error %v, want an ExistsError with %q", name, added, err, reason)
		}
		if now, _ := os.ReadFile(to.path(id, logSuffix)); !bytes.Equal(now, log) {
			t.Errorf("%s: the journal has changed", name)
		}
	}
	wantKept("older archive", "is newer on this machine (2 of 3 rows done) than in the archive (1 done)", archive)
	record(t, to, id, RowResult(Result{State: StateSent}, 2))
	record(t, from, id, RowResult(Result{State: StateRefused}, 2))
	wantKept("both went on", "in another way", exportOf(t, from, id))
	_, other, _ := exported(t)
	if other != id {
		t.Fatalf("got job %s, want %s with the same key", other, id)
	}
	_, _, archive = exported(t)
	wantKept("another job of the same load", "this machine has job "+id+" of the same load", archive)

	j, err := to.open(id)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := to.Import(bytes.NewReader(exportOf(t, from, id)), accept); !errors.As(err, new(*BusyError)) {
		t.Errorf("a running job: got error %v, want a BusyError", err)
	}
	if err := to.Export(id, io.Discard); !errors.As(err, new(*BusyError)) {
		t.Errorf("the export of a running job: got error %v, want a BusyError", err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// A member is a member of a forged archive.
type member struct {
	header tar.Header
	text   []byte
}

func plain(name string, text []byte) member {
	return member{tar.Header{Name: name, Size: int64(len(text)), Mode: 0o600, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR}, text}
}

// forge returns an archive of members, with what follows the end of the tar file.
func forge(t *testing.T, padding []byte, members ...member) []byte {
	t.Helper()
	var out bytes.Buffer
	compressed := gzip.NewWriter(&out)
	in := tar.NewWriter(compressed)
	for _, m := range members {
		if err := in.WriteHeader(&m.header); err != nil {
			t.Fatal(err)
		}
		if _, err := in.Write(m.text); err != nil {
			t.Fatal(err)
		}
	}
	_ = in.Close()
	if _, err := compressed.Write(padding); err != nil {
		t.Fatal(err)
	}
	_ = compressed.Close()
	return out.Bytes()
}

func membersOf(t *testing.T, archive []byte) (members []member) {
	t.Helper()
	compressed, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	in := tar.NewReader(compressed)
	for {
		h, err := in.Next()
		if err == io.EOF {
			return members
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, member{*h, text})
	}
}

// manifestOf returns the manifest of a journal and an input.
func manifestOf(id string, version int, journal, input []byte) member {
	describe := func(text []byte) string {
		sum := sha256.Sum256(text)
		return fmt.Sprintf(`{"bytes":%d,"sha256":%q}`, len(text), hex.EncodeToString(sum[:]))
	}
	text := fmt.Sprintf(`{"version":%d,"job":%q,"journal":%s`, version, id, describe(journal))
	if input != nil {
		text += `,"input":` + describe(input)
	}
	return plain(manifestMember, []byte(text+"}"))
}

// TestHostileArchives checks that an archive with anything but a job is refused, and leaves
// nothing in the store.
func TestHostileArchives(t *testing.T) {
	_, id, archive := exported(t)
	sound := membersOf(t, archive)
	journal, input := sound[1].text, sound[2].text
	head := sound[0]
	as := func(m member, name string, kind byte, link string) member {
		m.header.Name, m.header.Typeflag, m.header.Linkname = name, kind, link
		if kind != tar.TypeReg {
			m.header.Size, m.text = 0, nil
		}
		return m
	}
	pax := sound[1]
	pax.header.Format, pax.header.PAXRecords = tar.FormatPAX, map[string]string{"comment": "x"}
	renamed := bytes.Replace(journal, []byte(id), []byte("00000000-1"), 1)
	flipped := bytes.Clone(journal)
	flipped[len(flipped)-1] ^= 1
	// A length may be written with more bytes than it needs.
	_, used := wal.AppendFrame(nil, journal[:1]), 0
	for used < len(journal) && journal[used]&0x80 != 0 {
		used++
	}
	padded := append(bytes.Clone(journal[:used]), journal[used]|0x80, 0)
	padded = append(padded, journal[used+1:]...)
	for name, c := range map[string]struct {
		archive []byte
		want    string
	}{
		"empty":                   {nil, "not compressed"},
		"no gzip":                 {[]byte("account_id,keyword\n"), "not compressed"},
		"no members":              {forge(t, nil), "no member manifest.json"},
		"no manifest":             {forge(t, nil, sound[1], sound[2]), `it has "journal"`},
		"no journal":              {forge(t, nil, head), "no member journal"},
		"no input":                {forge(t, nil, head, sound[1]), "no member input"},
		"later version":           {forge(t, nil, manifestOf(id, 2, journal, input), sound[1], sound[2]), "the archive has version 2; this program reads version 1"},
		"manifest is no JSON":     {forge(t, nil, plain(manifestMember, []byte("{")), sound[1]), "manifest.json"},
		"manifest is empty":       {forge(t, nil, plain(manifestMember, []byte("{}")), sound[1]), "version 0"},
		"large manifest":          {forge(t, nil, plain(manifestMember, make([]byte, maxManifest+1))), "more than"},
		"job is a path":           {forge(t, nil, manifestOf("../../x-1", 1, journal, input), sound[1], sound[2]), "names no job"},
		"path traversal":          {forge(t, nil, head, as(sound[1], "../journal", tar.TypeReg, "")), `it has "../journal"`},
		"absolute path":           {forge(t, nil, head, as(sound[1], "/journal", tar.TypeReg, "")), `it has "/journal"`},
		"symbolic link":           {forge(t, nil, head, as(sound[1], journalMember, tar.TypeSymlink, "/etc/passwd")), "not the plain file"},
		"hard link":               {forge(t, nil, head, as(sound[1], journalMember, tar.TypeLink, "/etc/passwd")), "not the plain file"},
		"folder":                  {forge(t, nil, head, as(sound[1], journalMember, tar.TypeDir, "")), "not the plain file"},
		"device":                  {forge(t, nil, head, as(sound[1], journalMember, tar.TypeChar, "")), "not the plain file"},
		"extended header":         {forge(t, nil, head, pax), "not the plain file"},
		"journal twice":           {forge(t, nil, head, sound[1], sound[1], sound[2]), "not the plain file input"},
		"input twice":             {forge(t, nil, head, sound[1], sound[2], sound[2]), "a member \"input\" too many"},
		"another journal":         {forge(t, nil, head, plain(journalMember, flipped), sound[2]), "journal is not the one"},
		"another input":           {forge(t, nil, head, sound[1], plain(inputMember, []byte("x"))), "input is not the one"},
		"torn journal":            {forge(t, nil, manifestOf(id, 1, flipped, input), plain(journalMember, flipped), sound[2]), "cut short or padded"},
		"padded journal":          {forge(t, nil, manifestOf(id, 1, padded, input), plain(journalMember, padded), sound[2]), "cut short or padded"},
		"empty journal":           {forge(t, nil, manifestOf(id, 1, []byte{}, input), plain(journalMember, nil), sound[2]), "no complete header"},
		"journal of another job":  {forge(t, nil, manifestOf("00000000-1", 1, journal, input), sound[1], sound[2]), "not that of job"},
		"changed header":          {forge(t, nil, manifestOf("00000000-1", 1, renamed, input), plain(journalMember, renamed), sound[2]), "the journal"},
		"input that no job reads": {forge(t, nil, manifestOf(id, 1, journal, nil), sound[1]), "the job has an input"},
		"padding":                 {forge(t, make([]byte, 1<<20), sound...), "something follows its end"},
		"second archive":          {append(bytes.Clone(archive), archive...), "something follows its end"},
		"trailing byte":           {append(bytes.Clone(archive), 0), "something follows its end"},
	} {
		t.Run(name, func(t *testing.T) {
			wantRefused(t, c.archive, c.want)
		})
	}
	t.Run("huge member", func(t *testing.T) {
		var out bytes.Buffer
		compressed := gzip.NewWriter(&out)
		in := tar.NewWriter(compressed)
		huge := sound[1].header
		huge.Size = maxMember + 1
		if err := errors.Join(in.WriteHeader(&head.header), func() error { _, err := in.Write(head.text); return err }(), in.WriteHeader(&huge)); err != nil {
			t.Fatal(err)
		}
		_ = compressed.Close()
		wantRefused(t, out.Bytes(), "more than")
	})
	t.Run("cut at each byte", func(t *testing.T) {
		for n := range archive {
			wantRefused(t, archive[:n], "this is no archive of a job")
		}
	})
	t.Run("refused by the caller", func(t *testing.T) {
		store, refusal := Store(t.TempDir()), errors.New("no such command")
		if _, _, err := store.Import(bytes.NewReader(archive), func(*Header) error { return refusal }); !errors.Is(err, refusal) {
			t.Errorf("got error %v, want %v", err, refusal)
		}
	})
}

// wantRefused checks that an import fails with a reason and leaves nothing in the store.
func wantRefused(t *testing.T, archive []byte, want string) {
	t.Helper()
	store := Store(t.TempDir())
	if _, added, err := store.Import(bytes.NewReader(archive), accept); added || err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got added %v, error %v, want an error with %q", added, err, want)
	}
	if left, _ := filepath.Glob(store.path("*.*", "")); len(left) > 1 { // the store's own lock
		t.Errorf("files left: %q", left)
	}
}
