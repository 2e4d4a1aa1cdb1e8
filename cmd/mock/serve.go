package mock

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"reseller/client/crash"
	"reseller/client/mock"
	"reseller/client/mock/fault"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/output"
)

// shutdownTimeout is how long running requests may take after the signal, in addition
// to the latency.
const shutdownTimeout = 10 * time.Second

type serveOptions struct {
	mock.Options
	addr     string
	host     string // of addr
	failRate float64
	seed     int64
}

func newServeCmd(f *cli.Frame) *cobra.Command {
	o := &serveOptions{Options: mock.Options{OpenAPI: schema.OpenAPI}}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the mock service to other programs",
		Long: `Serve the mock service until interrupted; requests in progress are finished first. The address is printed on
stdout as one line, so that a script can read it (port 0 picks a free port). The data is stored in the database
of --server mock, or in the file of --db, which several programs may use. /openapi.yaml is the OpenAPI document.

Requests must name this machine or the host of --addr in their Host header, which keeps web pages out. With
--addr 0.0.0.0:8080, any IP address will do; to be reached by a name, give it: --addr mock.example.com:8080.

--latency makes the mock slow, --rate-limit makes it respond with 429, and --fail-rate makes requests fail with 500,
502 or 503, before or after they are carried out. --seed decides which requests fail, so that a run can be
repeated.`,
		Example: `reseller mock serve
reseller mock serve --addr 127.0.0.1:0 --db trial.db
reseller mock serve --latency 200ms --fail-rate 0.1 --rate-limit 50 --seed 7`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			var err error
			if o.Path, err = f.MockPath(o.Path); err != nil {
				return err
			}
			return serve(c.Context(), f, o)
		},
	}
	c.Flags().StringVar(&o.addr, "addr", "127.0.0.1:8080", "listen on this `HOST:PORT` (default 127.0.0.1:8080)")
	addDatabaseFlag(c, &o.Path)
	c.Flags().DurationVar(&o.Latency, "latency", 0, "let every request take at least this `DURATION`")
	c.Flags().Float64Var(&o.failRate, "fail-rate", 0, "share of requests that fail, from 0 to 1 (default 0)")
	c.Flags().Float64Var(&o.RateLimit, "rate-limit", 0, "refuse more than `N` requests per second with 429 (default: no limit)")
	c.Flags().Int64Var(&o.seed, "seed", 0, "random seed that decides which requests fail")
	return c
}

func (o *serveOptions) check() error {
	host, port, err := net.SplitHostPort(o.addr)
	if err != nil {
		return cli.Usagef("--addr: invalid address %q: must be HOST:PORT", o.addr)
	}
	o.host = host
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return cli.Usagef("--addr: invalid port %q", port)
	}
	switch {
	case o.Latency < 0:
		return cli.Usagef("--latency: %v is negative", o.Latency)
	case !(o.failRate >= 0 && o.failRate <= 1):
		return cli.Usagef("--fail-rate: %v is not between 0 and 1", o.failRate)
	case !(o.RateLimit >= 0 && o.RateLimit <= 1e9):
		return cli.Usagef("--rate-limit: %v is not between 0 and 1000000000", o.RateLimit)
	}
	if o.failRate > 0 {
		o.Faults = fault.NewSchedule(o.seed, o.failRate)
	}
	return nil
}

func serve(ctx context.Context, f *cli.Frame, o *serveOptions) error {
	service, err := mock.Open(o.Options)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.addr)
	if err != nil {
		return err
	}
	server := service.Server(o.host)
	served := make(chan error, 1)
	go func() {
		defer crash.Recover()
		served <- server.Serve(listener)
	}()
	if err := printAddress(f.Session, o, listener.Addr().(*net.TCPAddr)); err != nil {
		_ = server.Close()
		return err
	}
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.Background(), o.Latency+shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(drain); err != nil {
		_ = server.Close()
	}
	service.Wait()
	return context.Cause(ctx)
}

// printAddress prints the URL on stdout for scripts, and on stderr for people how to use it.
func printAddress(session *cli.Session, o *serveOptions, addr *net.TCPAddr) error {
	if !addr.IP.IsLoopback() {
		// Not a note: --quiet must not hide that other machines can reach it.
		fmt.Fprintf(session.Err, "warning: other machines can reach %s, and anyone can create a token for the mock\n", addr)
	}
	url := "http://" + dialAddress(addr)
	session.Note("mock service listening on %s, data in %s; press Ctrl-C to stop", addr, o.Path)
	session.Note("to use it, set RESELLER_BASE_URL=%s and RESELLER_TOKEN=$(reseller mock token)", url)
	session.Note("or log in as reseller1 or reseller2 with the password mock: `reseller auth login --base-url %s --username reseller1`", url)
	_, err := fmt.Fprintln(output.Direct(session.Out), url)
	return err
}

// dialAddress returns the address at which programs on this machine reach a server
// that listens on addr. A server can listen on an unspecified address such as
// 0.0.0.0, but a client can't dial it.
func dialAddress(addr *net.TCPAddr) string {
	if !addr.IP.IsUnspecified() {
		return addr.String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(addr.Port))
}
