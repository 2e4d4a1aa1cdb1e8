package cli

import (
	"bytes"
	"testing"
	"time"
)

func TestProgressInALog(t *testing.T) {
	var err bytes.Buffer
	f := &Factory{}
	f.Err = &err
	p := f.progress("keywords.create", "rows")
	p.show(0, 1000)
	if err.Len() > 0 {
		t.Fatalf("at once: %s", &err)
	}
	p.begun = p.begun.Add(-lineEvery)
	p.last = p.last.Add(-lineEvery)
	p.show(100, 1000)
	p.show(101, 1000)
	if got := err.String(); got != "keywords.create: 100 of 1000 rows, 10 a second, 1m30s left\n" {
		t.Fatalf("%q", got)
	}
	f.Flags.Quiet = true
	p.last = time.Time{}
	p.show(200, 1000)
	if bytes.Count(err.Bytes(), []byte("\n")) != 1 {
		t.Fatalf("quiet: %s", &err)
	}
}
