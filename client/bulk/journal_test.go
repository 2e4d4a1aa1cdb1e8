package bulk

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"reseller/client/bulk/decode"
)

// FuzzJournal: whatever a journal holds, what is read of it is whole entries
// from its beginning, and reading that part again tells the same.
func FuzzJournal(f *testing.F) {
	header := frame(nil, append([]byte{entryHeader}, `{"rows":4}`...))
	f.Add(bytes.Join([][]byte{
		{entryRun}, intentEntry(0, []uint32{0, 2}), numbersEntry(entryStart, 0, 5), numbersEntry(entryTick, 9),
		batchEntry(0, verdict{state: split, status: 422, words: "no"}), rowsEntry(verdict{state: sent, result: "{}"}, 0, 3),
		numbersEntry(entryClose, 0), appendRows([]byte{entryBase, 2}, []uint32{1}), numbersEntry(entryEnd, 3, 1, 700), {entryFinish},
	}, []byte("|")), []byte{})
	f.Add([]byte{entryBatch, 7, 200}, []byte("torn"))
	f.Fuzz(func(t *testing.T, entries, tail []byte) {
		text := bytes.Clone(header)
		for payload := range bytes.SplitSeq(entries, []byte("|")) {
			text = frame(text, payload)
		}
		text = append(text, tail...)
		path := filepath.Join(t.TempDir(), "j")
		read := func(text []byte) (int64, *ledger, error) {
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			var l *ledger
			end, err := readJournal(path, func([]byte) (*ledger, error) {
				l = newLedger(4)
				return l, nil
			})
			return end, l, err
		}
		end, l, err := read(text)
		if err != nil {
			return
		}
		if end <= 0 || end > int64(len(text)) {
			t.Fatalf("ends at %d of %d", end, len(text))
		}
		total := 0
		for _, n := range l.counts {
			total += n
		}
		if total != 4 {
			t.Errorf("%d rows of 4", total)
		}
		if again, m, err := read(text[:end]); again != end || err != nil || m.counts != l.counts {
			t.Errorf("%d, %v, %v; at first %d, %v", again, m.counts, err, end, l.counts)
		}
	})
}

// Damage of any byte is told, but for the last entry, which may be torn.
func TestDamage(t *testing.T) {
	text := frame(nil, append([]byte{entryHeader}, `{"rows":4}`...))
	var last int64
	for _, payload := range [][]byte{{entryRun}, intentEntry(0, []uint32{0, 2}), batchEntry(0, verdict{state: sent}), numbersEntry(entryEnd, 3, 1, 700)} {
		last = int64(len(text))
		text = frame(text, payload)
	}
	path := filepath.Join(t.TempDir(), "j"+journalEnding)
	for i := range text {
		for bit := range 8 {
			bad := bytes.Clone(text)
			bad[i] ^= 1 << bit
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			end, err := readJournal(path, func([]byte) (*ledger, error) { return newLedger(4), nil })
			damaged := (*DamagedError)(nil)
			if told := errors.As(err, &damaged); told != (int64(i) < last) || !told && end != last {
				t.Errorf("byte %d, bit %d: read to %d, %v", i, bit, end, err)
			}
		}
	}
}

// How long a lost call had lasted is known for as long as its rows are in
// doubt, whatever ends the runs until then.
func TestLastedOutlivesRuns(t *testing.T) {
	l := newLedger(2)
	for _, entry := range [][]byte{
		{entryRun}, intentEntry(0, []uint32{0}), numbersEntry(entryStart, 0, 1000), numbersEntry(entryTick, 7000),
		batchEntry(0, verdict{state: doubt}), {entryRun}, {entryRun},
	} {
		if err := l.apply(entry); err != nil {
			t.Fatal(err)
		}
	}
	if l.abandon(); l.lasted != 6*time.Second {
		t.Errorf("lasted %v", l.lasted)
	}
	_ = l.apply(rowsEntry(verdict{state: sent}, 0))
	if _ = l.apply([]byte{entryRun}); l.lasted != 0 {
		t.Errorf("nothing is in doubt, but %v", l.lasted)
	}
}

// Where a row that is not valid stands is part of a file with passwords, too.
func TestContentKnowsInvalidRows(t *testing.T) {
	const head, good, bad = "account_id,campaign_id,credentials_types_id,reseller_account_id,username,password,note\n", "1,2,4,9,a,p,\n", "x,2,4,9,a,p,\n"
	contents := map[string]string{}
	for _, text := range []string{head + good + bad, head + bad + good, head + good} {
		src, err := Open(decode.Options{Path: "-", Stdin: strings.NewReader(text), Format: "csv"}, credentials())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = src.Check(t.Context())
		content, err := src.Content()
		if err != nil || contents[content] != "" {
			t.Errorf("%q is %q, %v", text, contents[content], err)
		}
		contents[content] = text
		_ = src.Close()
	}
}

func TestEndsFinished(t *testing.T) {
	finish, end := frame(nil, []byte{entryFinish}), frame(nil, numbersEntry(entryEnd, 1<<40, 1<<40, 1<<40))
	words := frame(nil, rowsEntry(verdict{state: refused, words: string(finish) + string(end)}, 1))
	begin := frame(nil, []byte{entryRun})
	for name, c := range map[string]struct {
		text []byte
		want bool
	}{
		"finished":         {slices.Concat(begin, finish, end), true},
		"killed behind it": {slices.Concat(begin, finish), true},
		"stopped":          {slices.Concat(begin, end), false},
		"torn":             {slices.Concat(begin, finish, end[:3]), false},
		"begun again":      {slices.Concat(finish, end, begin), false},
		"in words":         {slices.Concat(begin, words), false},
		"empty":            {nil, false},
	} {
		if got := endsFinished(file(t, "j", string(c.text))); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
