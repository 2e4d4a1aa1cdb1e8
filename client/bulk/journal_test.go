package bulk

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
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
