package bulk_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sync"

	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/schema"
)

// A shelf is a service that stores texts and can list them.
type shelf struct {
	mu    sync.Mutex
	texts []string
}

// operation says how rows are stored on the shelf, and how it is read back.
func (s *shelf) operation() bulk.Operation {
	return bulk.Operation{
		Name: "texts.create",
		Send: func(group []rows.Row) bulk.Call {
			var texts []string
			for _, row := range group {
				texts = append(texts, row.Values.Get("keyword").Text())
			}
			return func(_ context.Context, onSend func() error) ([]bulk.Outcome, error) {
				if err := onSend(); err != nil { // records that the batch is in flight
					return nil, err
				}
				s.mu.Lock()
				defer s.mu.Unlock()
				s.texts = append(s.texts, texts...)
				return []bulk.Outcome{{State: bulk.Sent}}, nil // one outcome for all rows
			}
		},
		Snapshot: func(_ context.Context, r bulk.SnapshotRequest) (bulk.Snapshot, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			for _, text := range s.texts {
				r.List.Add(bulk.Remote{ID: []byte(text)})
			}
			return r.List, nil
		},
	}
}

// Send the rows of a file to any service, each of them exactly once. An Operation
// says how: package loads has those of the reseller service.
func Example() {
	dir, err := os.MkdirTemp("", "bulk")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "texts.txt")
	if err := os.WriteFile(path, []byte("red shoes\nblue shoes\ngreen shoes\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	s := &shelf{texts: []string{"blue shoes"}}
	source, err := rows.Open(decode.Options{Path: path}, rows.Schema{
		Resource: schema.Keywords.Only("keyword"), Use: schema.Create,
		Identity: func(v rows.Values, id, content []byte) ([]byte, []byte) {
			return v.Get("keyword").AppendText(id), content
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = source.Close() }()
	if _, err := source.Validate(context.Background()); err != nil {
		log.Fatal(err)
	}
	header := job.Header{File: path, Format: source.File.Format}
	header.Operation = "texts.create"
	j, err := bulk.Begin(job.Store(filepath.Join(dir, "jobs")), header, source, false)
	if err != nil {
		log.Fatal(err)
	}
	summary, err := bulk.Run(context.Background(), source, bulk.Rows(s.operation()), j, bulk.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if err := j.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(summary.Rows, "rows:", summary.Sent, "sent,", summary.Present, "present")
	fmt.Println(s.texts)
	// Output:
	// 3 rows: 2 sent, 1 present
	// [blue shoes red shoes green shoes]
}
