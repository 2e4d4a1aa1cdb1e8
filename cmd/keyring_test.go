//go:build linux

package cmd_test

import (
	"net"
	"strings"
	"testing"

	"reseller/cmd"
	"reseller/cmd/cli"
)

// TestKeyringThatHangsUp: a write to a bus that closed fails as one to a reader
// of the data who went away does, and is no silent success. It depends on who
// is faster, so it is tried several times.
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
		var out, errs strings.Builder
		streams := cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(name string) (string, bool) { return path, name == "DBUS_SESSION_BUS_ADDRESS" }}
		args := []string{"accounts", "list", "--base-url", "http://127.0.0.1:1"}
		if code := cmd.Main(t.Context(), args, streams, "test"); code != cli.ExitAuth || errs.Len() == 0 {
			t.Fatalf("exit %d: %q", code, errs.String())
		}
	}
}
