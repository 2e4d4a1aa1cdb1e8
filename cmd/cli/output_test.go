package cli

import (
	"errors"
	"io"
	"testing"

	"reseller/client/record"
	"reseller/output"
)

// A failingObserver can't write its file.
type failingObserver struct{ err error }

func (failingObserver) Open(int, bool) error  { return nil }
func (failingObserver) Add(record.Record)     {}
func (failingObserver) Write(io.Writer) error { return nil }
func (o failingObserver) Commit() error       { return o.err }
func (failingObserver) Abort()                {}

// TestFileOfAnObserverCanNotBeWritten checks that a command fails whose output is whole but for the file of a chart.
func TestFileOfAnObserverCanNotBeWritten(t *testing.T) {
	want := errors.New("no space")
	out := &Out{file: output.Direct(io.Discard), observer: failingObserver{want}, written: func() { t.Error("opened what is not there") }}
	if err := out.Commit(); !errors.Is(err, want) {
		t.Errorf("got error %v, want %v", err, want)
	}
}
