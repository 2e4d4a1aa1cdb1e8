package output

import (
	"bufio"
	"fmt"
	"io"
	"iter"

	"reseller/client/atomicfile"
	"reseller/client/record"
)

// maxSortedRecord is the largest record in a run, in bytes: no response has a larger one.
const maxSortedRecord = 64 << 20

// sortedRuns are sequences of records in one temporary file, one behind the other. The
// file is made for the first run.
type sortedRuns struct {
	file *atomicfile.Unnamed
	ends []int64 // where each run ends in the file
}

func sortError(err error) error { return fmt.Errorf("sorting in a temporary file: %w", err) }

func (r *sortedRuns) write(records iter.Seq[[]byte]) error {
	if r.file == nil {
		file, err := atomicfile.CreateUnnamed()
		if err != nil {
			return sortError(err)
		}
		r.file = file
	}
	out := bufio.NewWriterSize(r.file, flushSize)
	end := int64(0)
	if len(r.ends) > 0 {
		end = r.ends[len(r.ends)-1]
	}
	for raw := range records {
		_, _ = out.Write(raw) // Flush returns its error
		_ = out.WriteByte('\n')
		end += int64(len(raw)) + 1
	}
	if err := out.Flush(); err != nil {
		return sortError(err)
	}
	r.ends = append(r.ends, end)
	return nil
}

func (r *sortedRuns) reader(i int) *record.Reader {
	start := int64(0)
	if i > 0 {
		start = r.ends[i-1]
	}
	return record.NewReader(io.NewSectionReader(r.file, start, r.ends[i]-start), maxSortedRecord)
}

func (r *sortedRuns) close() {
	if r.file != nil {
		_ = r.file.Close()
	}
}
