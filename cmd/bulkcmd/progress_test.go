package bulkcmd

import (
	"bytes"
	"testing"
	"time"

	"reseller/cmd/cli"
)

func TestProgressInALog(t *testing.T) {
	var err bytes.Buffer
	f := &cli.Factory{}
	f.Err = &err
	p := newProgress(f, "keywords.create", "rows")
	p.update(0, 1000)
	if err.Len() > 0 {
		t.Fatalf("at once: %s", &err)
	}
	p.begun = p.begun.Add(-lineEvery)
	p.last = p.last.Add(-lineEvery)
	p.update(100, 1000)
	p.update(101, 1000)
	if got := err.String(); got != "keywords.create: 100 of 1000 rows, 10 a second, 1m30s left\n" {
		t.Fatalf("%q", got)
	}
	f.Flags.Quiet = true
	p.last = time.Time{}
	p.update(200, 1000)
	if bytes.Count(err.Bytes(), []byte("\n")) != 1 {
		t.Fatalf("quiet: %s", &err)
	}
}
