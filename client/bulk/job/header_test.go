package job

import (
	"errors"
	"fmt"
	"testing"

	"reseller/client/bulk/wal"
)

// TestForgedCounts checks that counts which no job can have make the journal corrupt,
// instead of taking all memory.
func TestForgedCounts(t *testing.T) {
	const id = "0123abcd-1"
	for name, counts := range map[string]string{
		"negative rows":       `"rows":-5`,
		"too many rows":       `"rows":4611686018427387904`,
		"one row too many":    fmt.Sprintf(`"rows":%d`, maxRows+1),
		"no number":           `"rows":1e300`,
		"negative shard":      `"rows":3,"shares":-1`,
		"shard of more rows":  `"rows":3,"shares":4`,
		"negative duplicates": `"rows":3,"shares":3,"duplicates":-1`,
		"more invalid rows":   `"rows":3,"shares":3,"invalid":4`,
	} {
		t.Run(name, func(t *testing.T) {
			store := Store(t.TempDir())
			log, err := wal.Create(store.path(id, logSuffix))
			noError(t, err)
			log.Append([]byte(fmt.Sprintf(`%c{"id":%q,%s}`, kindHeader, id, counts)))
			log.Append(Finished())
			noError(t, log.Close())
			status, err := store.Find(id)
			if err != nil || !errors.As(status.Corrupt, new(*CorruptError)) {
				t.Errorf("Find: got %v, error %v, want a corrupt job", status.Corrupt, err)
			}
			if all, err := store.List(); err != nil || len(all) != 1 || all[0].Corrupt == nil {
				t.Errorf("List: got %v, error %v, want a corrupt job", all, err)
			}
			if _, err := store.open(id); !errors.As(err, new(*CorruptError)) {
				t.Errorf("open: got error %v, want a *CorruptError", err)
			}
		})
	}
}

// TestIDs checks which names of files are of jobs.
func TestIDs(t *testing.T) {
	for text, want := range map[string]bool{
		"0123abcd-1": true, "deadbeef-4711": true, "": false, "*": false, "0123abcd-*": false, "0123abc?-1": false, "0123abcd": false,
		"0123abcd-": false, "0123abcd-0": false, "0123abcd-01": false, "0123ABCD-1": false, "../0123ab-1": false, "0123abcd-1/2": false,
		"0123abcd--1": false, "0123abcd-1-2": false, "0123abcd-99999999999": false,
	} {
		t.Run(text, func(t *testing.T) {
			if got := isID(text); got != want {
				t.Errorf("got %t, want %t", got, want)
			}
		})
	}
}
