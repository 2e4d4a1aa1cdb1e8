package bulk

import (
	"context"
	"fmt"
	"testing"

	"reseller/client/bulk/dedupe"
	"reseller/client/bulk/rows"
	"reseller/client/record"
)

// listSnapshotOf returns the snapshot of a list for two keywords, "a" and "b" of type
// target.
func listSnapshotOf(t *testing.T, requireUnique bool, remote ...Remote) *ListSnapshot {
	t.Helper()
	src := openText(t, "csv", keywordHead+"1,1,a,target\n1,1,b,target\n", createSchema())
	if _, err := src.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	index, err := src.Index()
	noError(t, err)
	s := &ListSnapshot{total: src.Len(), index: index}
	s.Names, s.RequireUnique, s.Compare = []string{"rank_id"}, requireUnique, otherContent
	for _, r := range remote {
		s.Add(r)
	}
	return s
}

// otherContent is a comparison of rows with records whose content is not theirs.
func otherContent(*rows.Row, record.Record) (Outcome, error) {
	return Outcome{Changes: []Change{{Field: "keyword_type"}}}, nil
}

func remoteKeyword(text, kind string, id int64) Remote {
	return Remote{ID: []byte(keywordID("1", "1", text)), Content: []byte(kind), IDs: []int64{id}}
}

// largeIndex returns an index of so many rows that it is on disk. The first two are those
// of listSnapshotOf.
func largeIndex(t *testing.T) *dedupe.Index {
	t.Helper()
	defer func(rows int) { dedupe.MaxInMemory = rows }(dedupe.MaxInMemory)
	dedupe.MaxInMemory = 1000
	index := dedupe.NewIndex(dedupe.NewKey(), false)
	t.Cleanup(index.Close)
	for row := 0; !index.IsOnDisk(); row++ {
		text := []string{"a", "b", fmt.Sprint(row)}[min(row, 2)]
		index.Add(row, row+2, index.Fingerprint([]byte(keywordID("1", "1", text)), []byte("target")))
	}
	noError(t, index.Finish(nil))
	return index
}

// TestListSnapshotOfARow looks the records of a list up in an index in memory, and in one
// on disk.
func TestListSnapshotOfARow(t *testing.T) {
	large := largeIndex(t)
	inactive := remoteKeyword("A", "target", 7)
	inactive8 := remoteKeyword("a", "target", 8)
	inactive8.Inactive = true
	inactive.Inactive = true
	for name, c := range map[string]struct {
		requireUnique bool
		remote        []Remote
		state         string
		count         int
		id            string
	}{
		"not listed":             {false, nil, Absent, 0, ""},
		"other rows are listed":  {false, []Remote{remoteKeyword("b", "target", 7), remoteKeyword("c", "target", 8)}, Absent, 0, ""},
		"listed":                 {false, []Remote{remoteKeyword(" A", "target", 7)}, Present, 1, "7"},
		"an id of 64 bits":       {false, []Remote{remoteKeyword("a", "target", 7<<40+5)}, Present, 1, "7696581394437"},
		"other content":          {false, []Remote{remoteKeyword("a", "interest", 7)}, Differs, 1, "7"},
		"inactive":               {false, []Remote{inactive}, Differs, 1, "7"},
		"the match comes first":  {false, []Remote{remoteKeyword("a", "target", 7), remoteKeyword("a", "interest", 8)}, Present, 2, "7"},
		"the match comes last":   {false, []Remote{remoteKeyword("a", "interest", 8), remoteKeyword("a", "target", 7)}, Present, 2, "7"},
		"one of two in force":    {false, []Remote{remoteKeyword("a", "target", 8), inactive}, Present, 1, "8"},
		"the last one in force":  {false, []Remote{inactive, inactive8, remoteKeyword("a", "interest", 9)}, Differs, 1, "9"},
		"two not in force":       {false, []Remote{inactive, inactive8}, Differs, 1, "7"},
		"two, one required":      {true, []Remote{remoteKeyword("a", "target", 7), remoteKeyword("a", "target", 8)}, Unknown, 2, "8"},
		"the same one two times": {true, []Remote{remoteKeyword("a", "target", 7), remoteKeyword("a", "target", 7)}, Present, 1, "7"},
	} {
		t.Run(name, func(t *testing.T) {
			s := listSnapshotOf(t, c.requireUnique, c.remote...)
			row := rows.Row{Ordinal: 0}
			out, err := s.Find(t.Context(), &row)
			if err != nil || out.State != c.state || out.Count != c.count {
				t.Errorf("got state %q, count %d, error %v; want %q, %d", out.State, out.Count, err, c.state, c.count)
			}
			onDisk := &ListSnapshot{total: s.total, index: large}
			onDisk.Names, onDisk.RequireUnique, onDisk.Compare = s.Names, s.RequireUnique, otherContent
			for _, r := range c.remote {
				onDisk.Add(r)
			}
			if err := large.Err(); err != nil || fmt.Sprint(onDisk.at(0)) != fmt.Sprint(s.at(0)) || string(onDisk.idsOf(0).Raw()) != string(s.idsOf(0).Raw()) {
				t.Errorf("identities on disk: got %v with %s, error %v; want %v with %s", onDisk.at(0), onDisk.idsOf(0).Raw(), err, out, s.idsOf(0).Raw())
			}
			if got := row.Values.Get("rank_id").Text(); got != c.id {
				t.Errorf("the row has rank_id %q, want %q", got, c.id)
			}
			if got := s.idsOf(0).Get("rank_id").Text(); got != c.id {
				t.Errorf("idsOf has rank_id %q, want %q", got, c.id)
			}
			if got, want := s.isEmpty(), c.remote == nil; got != want {
				t.Errorf("isEmpty is %t, want %t", got, want)
			}
			s.Doubt = func(*rows.Row) string { return "unclear" }
			doubted, err := s.Find(t.Context(), &row)
			if absent := c.state == Absent; err != nil || (doubted.Message == "unclear") != absent || absent && doubted.State != Unknown || !absent && doubted.State != c.state {
				t.Errorf("in doubt: got %+v, error %v; want an absent row to be unknown, and any other %q", doubted, err, c.state)
			}
		})
	}
}

func TestListSnapshotRowOfIdentity(t *testing.T) {
	s := listSnapshotOf(t, false)
	for text, want := range map[string]int{"a": 0, "B": 1, "c": -1} {
		t.Run(text, func(t *testing.T) {
			row, ok := s.Row(keywordID("1", "1", text))
			if row != want || ok != (want >= 0) {
				t.Errorf("got row %d, %t; want %d, %t", row, ok, want, want >= 0)
			}
		})
	}
}

func TestListSnapshotCountsUpTo255(t *testing.T) {
	s := listSnapshotOf(t, false)
	for id := range int64(300) {
		s.Add(remoteKeyword("a", "target", id))
	}
	if out := s.at(0); out.Count != 255 || out.State != Present {
		t.Errorf("got state %q, count %d; want %q, 255", out.State, out.Count, Present)
	}
}

// TestIDsThatNobodyNeeds checks when a list keeps the ids of its records, which take most
// of its memory.
func TestIDsThatNobodyNeeds(t *testing.T) {
	for name, c := range map[string]struct {
		options       Options
		requireUnique bool
		want          string
	}{
		"not needed":                   {want: ""},
		"for the results file":         {options: Options{Results: "results.csv"}, want: "7"},
		"to converge":                  {options: Options{UpdateExisting: true}, want: "7"},
		"to tell records from another": {requireUnique: true, want: "7"},
	} {
		t.Run(name, func(t *testing.T) {
			src := openText(t, "csv", keywordHead+"1,1,a,target\n", createSchema())
			if _, err := src.Validate(t.Context()); err != nil {
				t.Fatal(err)
			}
			op := Operation{Creates: "keyword", Snapshot: func(_ context.Context, r SnapshotRequest) (Snapshot, error) {
				r.List.Names, r.List.RequireUnique = []string{"rank_id"}, c.requireUnique
				r.List.Add(remoteKeyword("a", "target", 7))
				return r.List, nil
			}}
			l, err := newLoad(src, Rows(op), nil, c.options)
			noError(t, err)
			run := l.runs[0]
			snapshot, err := takeSnapshot(t.Context(), &run.op, src, SnapshotRequest{})
			noError(t, err)
			row := rows.Row{Ordinal: 0}
			out, err := snapshot.Find(t.Context(), &row)
			if got := row.Values.Get("rank_id").Text(); err != nil || out.State != Present || got != c.want {
				t.Errorf("got state %q, rank_id %q, error %v; want %q, %q", out.State, got, err, Present, c.want)
			}
		})
	}
}
