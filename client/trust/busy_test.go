package trust

import (
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

func TestWhileBusy(t *testing.T) {
	busy, failed := error(&os.PathError{Op: "open", Path: "a", Err: os.ErrPermission}), errors.New("failed")
	for name, c := range map[string]struct {
		errs  []error // of one call after the other; the last one stays
		want  error
		waits bool
		full  bool // the wait lasts until the timeout
	}{
		"free":            {[]error{nil}, nil, false, false},
		"another failure": {[]error{failed, nil}, failed, false, false},
		"soon free":       {[]error{busy, busy, nil}, nil, true, false},
		"soon failing":    {[]error{busy, failed, nil}, failed, true, false},
		"never free":      {[]error{busy}, busy, true, true},
		"open elsewhere":  {[]error{&os.PathError{Op: "open", Path: "a", Err: errSharingViolation}, nil}, nil, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls, start := 0, time.Now()
				err := WhileBusy(func() error {
					calls++
					return c.errs[min(calls, len(c.errs))-1]
				})
				took := time.Since(start)
				if !errors.Is(err, c.want) || took > 0 != c.waits || took >= busyTimeout != c.full || took > 2*busyTimeout {
					t.Errorf("got error %v after %d calls and %v, want %v", err, calls, took, c.want)
				}
			})
		})
	}
}
