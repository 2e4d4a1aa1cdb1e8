package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"reseller/output"
)

// TestDrawingFails checks that a command fails whose output is whole but for its chart.
func TestDrawingFails(t *testing.T) {
	want := errors.New("no space")
	out := &Out{file: output.Direct(io.Discard), draw: func(*Out) (*output.File, error) { return nil, want }, written: func() { t.Error("opened what is not there") }}
	if err := out.Commit(); !errors.Is(err, want) {
		t.Errorf("got error %v, want %v", err, want)
	}
}

// TestChartStandsBesideItsOutput checks that the chart is put in place if the output is, and not otherwise.
func TestChartStandsBesideItsOutput(t *testing.T) {
	for _, fails := range []bool{false, true} {
		dir := t.TempDir()
		table, path := filepath.Join(dir, "a.csv"), filepath.Join(dir, "a.svg")
		file, err := output.OpenFile(table)
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := output.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if fails {
			if err := os.Mkdir(table, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		out := &Out{file: file, draw: func(*Out) (*output.File, error) { return drawn, nil }}
		err = out.Commit()
		drawn.Abort()
		if _, failed := os.Stat(path); (err != nil) != fails || (failed != nil) != fails {
			t.Errorf("got error %v of the output, %v of the chart; want errors %t", err, failed, fails)
		}
	}
}
