package cli

import (
	"errors"
	"io"
	"testing"

	"reseller/output"
)

// TestDrawingFails checks that a command fails whose output is whole but for its chart.
func TestDrawingFails(t *testing.T) {
	want := errors.New("no space")
	out := &Out{file: output.Direct(io.Discard), draw: func(*Out) error { return want }, written: func() { t.Error("opened what is not there") }}
	if err := out.Commit(); !errors.Is(err, want) {
		t.Errorf("got error %v, want %v", err, want)
	}
}
