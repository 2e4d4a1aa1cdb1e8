package mock

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"reseller/client/mock"
	"reseller/client/mock/fault"
	"reseller/cmd/cli"
	"reseller/docs"
)

func frame() *cli.Frame {
	return cli.NewFrame(cli.Streams{
		In: strings.NewReader("no\n"), Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, InTTY: true, ErrTTY: true,
		Env: func(name string) (string, bool) { return "/data", name == "XDG_DATA_HOME" },
	}, "")
}

func execute(session *cli.Session, c *cobra.Command, args string) error {
	root := &cobra.Command{Use: "reseller", SilenceErrors: true, SilenceUsage: true}
	session.Flags.AddTo(root)
	root.AddCommand(c)
	root.SetArgs(append([]string{c.Name()}, strings.Fields(args)...))
	return root.ExecuteContext(context.Background())
}

func TestServeFlags(t *testing.T) {
	const path = "/data/reseller/mock.db"
	for args, want := range map[string]*serveOptions{
		"": {Options: mock.Options{Path: path}, addr: "127.0.0.1:8080"},
		"--addr [::1]:0 --db x.db --latency 2s --fail-rate 0.5 --rate-limit 10 --seed -3": {
			Options: mock.Options{Path: "x.db", Latency: 2 * time.Second, RateLimit: 10}, addr: "[::1]:0", failRate: 0.5, seed: -3},
		"--addr :0": {Options: mock.Options{Path: path}, addr: ":0"},
		"--fail-rate 0.5 --faults late,lag --faults all": {
			Options: mock.Options{Path: path}, addr: "127.0.0.1:8080", failRate: 0.5, faults: []string{"late", "lag", "all"}},
		"--faults late":                nil,
		"--fail-rate 1 --faults sleet": nil,
		"--addr nowhere":               nil,
		"--addr a:b":                   nil,
		"--addr a:-1":                  nil,
		"--fail-rate NaN":              nil,
		"--rate-limit +Inf":            nil,
		"--latency -1ns":               nil,
	} {
		t.Run(args, func(t *testing.T) {
			f := frame()
			var got serveOptions
			err := execute(f.Session, newServeCmd(f, func(_ context.Context, _ *cli.Frame, o *serveOptions) error { got = *o; return nil }), args)
			isFailing := got.Faults != nil
			got.host, got.Faults, got.OpenAPI = "", nil, nil // made of the others
			switch {
			case want != nil && isFailing != (want.failRate > 0):
				t.Errorf("got a schedule of faults %v, want one only for a fail rate", isFailing)
			case want == nil && cli.ExitCode(err) != cli.ExitUsage:
				t.Errorf("got error %v, want a usage error", err)
			case want != nil && (err != nil || !reflect.DeepEqual(got, *want)):
				t.Errorf("got %+v, error %v, want %+v", got, err, *want)
			}
		})
	}
}

// TestServeNamesFaults checks that the help names every fault.
func TestServeNamesFaults(t *testing.T) {
	guide, err := docs.Guides.ReadFile("mock.md")
	for _, name := range fault.Names() {
		if !regexp.MustCompile(`[\s,]` + name + `[\s,]`).Match(guide) {
			t.Errorf("the guide does not name the fault %s (%v)", name, err)
		}
	}
}

// TestResetDeclined answers the question with no.
func TestResetDeclined(t *testing.T) {
	f := frame()
	path := filepath.Join(t.TempDir(), "new.db")
	if err := execute(f.Session, newResetCmd(f), "--db "+path); cli.ExitCode(err) != cli.ExitFailed {
		t.Errorf("got error %v, want exit code %d", err, cli.ExitFailed)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the database was created: %v", err)
	}
}

func TestDialAddress(t *testing.T) {
	for text, want := range map[string]string{"127.0.0.1:80": "127.0.0.1:80", "0.0.0.0:81": "127.0.0.1:81", "[::]:82": "127.0.0.1:82", "[::1]:83": "[::1]:83"} {
		t.Run(text, func(t *testing.T) {
			addr, err := net.ResolveTCPAddr("tcp", text)
			if err != nil {
				t.Fatal(err)
			}
			if got := dialAddress(addr); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// TestResetAsksForSignals resets a database after a signal came: once it begins, the database and what is remembered of it go
// together.
func TestResetAsksForSignals(t *testing.T) {
	f, path := frame(), filepath.Join(t.TempDir(), "mock.db")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f.Context = ctx
	if err := execute(f.Session, newResetCmd(f), "--yes --db "+path); !errors.Is(err, context.Canceled) {
		t.Errorf("got the error %v, want that of a signal", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the database was reset after a signal")
	}
}
