package mock

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"reseller/client/mock"
	"reseller/client/mock/fault"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/output"
)

// lastWait is how long requests under way may take after the signal, beside
// the latency that they were promised.
const lastWait = 10 * time.Second

type serveOptions struct {
	addr      string
	db        string
	latency   time.Duration
	failRate  float64
	rateLimit float64
	faults    []string
	seed      int64
}

func newServeCmd(f *cli.Factory, runF func(*serveOptions) error) *cobra.Command {
	o := &serveOptions{}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the mock service to other programs",
		Long: `Serve the mock service until interrupted; requests under way are finished first. Its address is printed on
stdout as one line, so that a script can read it (port 0 takes a free port). Its data is kept in the
database of --server mock, or in the file of --db, which several programs may use at once. The contract
is served at /openapi.yaml.

--latency, --fail-rate and --rate-limit make it behave badly on purpose: slow answers, answers of 500, 502
and 503 before or after the call was carried out, and 429. --seed decides which calls fail, so that a run
can be repeated.

--faults names the ways in which they fail, of which each is as likely as the others: all, or some of
reset-before, reset-after, 500-before, 500-after, 502-before, 502-after, 503-before, 503-after, 503-html,
503-html-after, 503-wait, 429, 429-wait (with Retry-After), late, late-reset (carried out 1.5 s after the
answer), lag, missing (lists without the newest records), half (a batch refused but stored in part), fold
(keywords stored in lower case), cut, garbled, page (an answer that can't be read), slow, expire (of the token).`,
		Example: `reseller mock serve
reseller mock serve --addr 127.0.0.1:0 --db trial.db
reseller mock serve --latency 200ms --fail-rate 0.1 --rate-limit 50 --seed 7
reseller mock serve --fail-rate 0.1 --faults late,lag,reset-after`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			var err error
			if o.db, err = databasePath(f, c, o.db); err != nil {
				return err
			}
			if runF != nil {
				return runF(o)
			}
			return serve(c.Context(), f, o)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&o.addr, "addr", "127.0.0.1:8080", "address to listen on, HOST:PORT")
	database(c, &o.db)
	c.Flags().DurationVar(&o.latency, "latency", 0, "delay of every answer")
	c.Flags().Float64Var(&o.failRate, "fail-rate", 0, "share of calls that fail, 0 to 1")
	c.Flags().StringSliceVar(&o.faults, "faults", nil, "ways in which calls fail, with --fail-rate")
	c.Flags().Float64Var(&o.rateLimit, "rate-limit", 0, "requests a second before 429, 0 for no limit")
	c.Flags().Int64Var(&o.seed, "seed", 0, "what decides which calls fail")
	_ = c.RegisterFlagCompletionFunc("faults", func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return cli.CompleteList(typed, append(fault.Names(), "all"))
	})
	return c
}

func (o *serveOptions) check() error {
	_, port, err := net.SplitHostPort(o.addr)
	if err != nil {
		return cli.Usagef("--addr: %q is not HOST:PORT", o.addr)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return cli.Usagef("--addr: %q is not a port", port)
	}
	switch {
	case o.latency < 0:
		return cli.Usagef("--latency: %v is below zero", o.latency)
	case !(o.failRate >= 0 && o.failRate <= 1):
		return cli.Usagef("--fail-rate: %v is not between 0 and 1", o.failRate)
	case !(o.rateLimit >= 0 && o.rateLimit <= 1e9):
		return cli.Usagef("--rate-limit: %v is not a number of requests a second", o.rateLimit)
	case o.faults != nil && o.failRate == 0:
		return cli.Usagef("--faults: says how calls fail, --fail-rate says how many")
	}
	if _, err := fault.NewSchedule(o.seed, o.failRate, o.faults...); err != nil {
		return cli.Usagef("--faults: %v", err)
	}
	return nil
}

func serve(ctx context.Context, f *cli.Factory, o *serveOptions) error {
	if err := f.Flags.Check(); err != nil {
		return err
	}
	options := mock.Options{
		Path: o.db, Latency: o.latency, FailRate: o.failRate, RateLimit: o.rateLimit, Seed: o.seed, OpenAPI: schema.OpenAPI,
	}
	if o.faults != nil {
		var err error
		if options.Faults, err = fault.NewSchedule(o.seed, o.failRate, o.faults...); err != nil {
			return err
		}
		options.FailRate = 0
	}
	service, err := mock.New(options)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.addr)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: service, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	if err := announce(f, o, listener.Addr()); err != nil {
		_ = server.Close()
		return err
	}
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), o.latency+lastWait)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		_ = server.Close()
	}
	service.Wait()
	return context.Cause(ctx)
}

// announce tells scripts the address, and people what to do with it.
func announce(f *cli.Factory, o *serveOptions, addr net.Addr) error {
	if !local(addr) {
		// Not a note: --quiet must not hide that others can reach it.
		fmt.Fprintf(f.Err, "warning: %s can be reached from other machines, and anybody can make a token for the mock\n", addr)
	}
	url := "http://" + callable(addr)
	f.Note("the mock service listens on %s, its data is in %s; Ctrl-C ends it", addr, o.db)
	f.Note("use it with RESELLER_BASE_URL=%s and RESELLER_TOKEN=$(reseller mock token)", url)
	f.Note("or log in as reseller1 or reseller2, password mock: reseller auth login --base-url %s --username reseller1", url)
	_, err := fmt.Fprintln(output.Direct(f.Out), url)
	return err
}

func local(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// callable is where a program on this machine reaches addr: an address that
// stands for all of them can be listened on, but not called.
func callable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
}
