package job_test

import (
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"reseller/client/bulk/job"
)

// Record what becomes of the rows of a job, and resume the job after its process ended
// in the middle of a call.
func Example() {
	dir, err := os.MkdirTemp("", "jobs")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	store := job.Store(dir)
	header := job.Header{Key: job.Key{Operation: "keywords.create", Digest: "5f3a"}, File: "keywords.csv", Format: "csv"}
	input := job.Input{Counts: job.Counts{Rows: 3, ShardRows: 3}, Opened: time.Now(), CopyTo: func(w io.Writer) error {
		_, err := io.Copy(w, strings.NewReader("red shoes\nblue shoes\ngreen shoes\n"))
		return err
	}}

	j, err := store.Begin(header, input, false)
	if err != nil {
		log.Fatal(err)
	}
	j.StartRun(job.BootClock()())
	first := j.RecordIntent([]uint32{0, 1})
	second := j.RecordIntent([]uint32{2})
	j.Record(job.CallStarted(second, 0)) // no outcome of this call is recorded
	if err := j.Sync(); err != nil {
		log.Fatal(err)
	}
	j.Record(job.BatchResult(first, job.Result{State: job.StateSent}))
	if err := j.Close(); err != nil {
		log.Fatal(err)
	}

	j, err = store.Begin(header, input, false)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	recovered := j.StartRun(job.BootClock()()).Rows
	fmt.Printf("resumed: %t, left in flight: %d\n", j.Resumed(), recovered)
	for row := range uint32(3) {
		fmt.Println("row", row, j.Table().State(row))
	}
	// Output:
	// resumed: true, left in flight: 1
	// row 0 sent
	// row 1 sent
	// row 2 unknown
}
