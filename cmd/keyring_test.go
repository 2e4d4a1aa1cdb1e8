//go:build linux

package cmd_test

import (
	"net"
	"sync/atomic"
	"testing"

	"reseller/cmd/cli"
)

// TestKeyringThatHangsUp has a message bus that closes every connection. A write
// to it fails like one to a closed pipe, which ends a program silently elsewhere;
// here it must be an error. Which write fails depends on who is faster, so it is
// tried many times.
func TestKeyringThatHangsUp(t *testing.T) {
	path, _ := busThatHangsUp(t)
	for range 50 {
		s := session{env: map[string]string{"DBUS_SESSION_BUS_ADDRESS": path}}
		if code, _, errs := s.run(t, "accounts", "list", "--base-url", "http://127.0.0.1:1"); code != cli.ExitAuth || errs == "" {
			t.Fatalf("got exit code %d and stderr %q, want %d and a message", code, errs, cli.ExitAuth)
		}
	}
}

// TestTokenNeedsNoKeyring: with RESELLER_TOKEN, only a command with --profile looks whether the keyring has a token
// that the variable overrides.
func TestTokenNeedsNoKeyring(t *testing.T) {
	path, opened := busThatHangsUp(t)
	s := session{home: t.TempDir(), env: map[string]string{"DBUS_SESSION_BUS_ADDRESS": path, "RESELLER_TOKEN": "atoken"}}
	s.run(t, "config", "init", "--profile", "two", "--timeout", "1m")
	args := []string{"accounts", "list", "--base-url", "http://127.0.0.1:1", "--retries", "0"}
	s.run(t, args...)
	if n := opened.Load(); n != 0 {
		t.Errorf("got %d connections to the keyring, want none", n)
	}
	s.run(t, append(args, "--profile", "two")...)
	if opened.Load() == 0 {
		t.Error("got no connection to the keyring with --profile, want one")
	}
}

// busThatHangsUp sets the address of a message bus that closes every connection and counts them.
func busThatHangsUp(t *testing.T) (path string, opened *atomic.Int64) {
	t.Helper()
	path, opened = t.TempDir()+"/bus", &atomic.Int64{}
	bus, err := net.Listen("unix", path)
	noError(t, err)
	t.Cleanup(func() { _ = bus.Close() })
	go func() {
		for {
			conn, err := bus.Accept()
			if err != nil {
				return
			}
			opened.Add(1)
			_ = conn.Close()
		}
	}()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+path)
	return path, opened
}
