//go:build linux

package cmd_test

import (
	"net"
	"testing"

	"reseller/cmd/cli"
)

// TestKeyringThatHangsUp has a message bus that closes every connection. A write
// to it fails like one to a closed pipe, which ends a program silently elsewhere;
// here it must be an error. Which write fails depends on who is faster, so it is
// tried many times.
func TestKeyringThatHangsUp(t *testing.T) {
	path := t.TempDir() + "/bus"
	bus, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	go func() {
		for {
			conn, err := bus.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
		}
	}()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+path)
	for range 50 {
		s := session{env: map[string]string{"DBUS_SESSION_BUS_ADDRESS": path}}
		if code, _, errs := s.run(t, "accounts", "list", "--base-url", "http://127.0.0.1:1"); code != cli.ExitAuth || errs == "" {
			t.Fatalf("got exit code %d and stderr %q, want %d and a message", code, errs, cli.ExitAuth)
		}
	}
}
