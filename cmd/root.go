// Package cmd is the command tree.
package cmd

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"reseller/client/crash"
	"reseller/cmd/accounts"
	"reseller/cmd/api"
	"reseller/cmd/auth"
	"reseller/cmd/budget"
	"reseller/cmd/campaigns"
	"reseller/cmd/cli"
	"reseller/cmd/complete"
	"reseller/cmd/configure"
	"reseller/cmd/customers"
	"reseller/cmd/doctor"
	"reseller/cmd/gbp"
	"reseller/cmd/jobs"
	"reseller/cmd/keywords"
	"reseller/cmd/meta"
	"reseller/cmd/mock"
	"reseller/cmd/products"
	"reseller/cmd/reports"
	"reseller/output"
	"reseller/output/encode"
)

// Main runs a command line and returns its exit code.
func Main(ctx context.Context, args []string, streams cli.Streams, version string) int {
	log.SetOutput(io.Discard) // net/http logs what an invalid response contains, which may be a token
	streams.In = cli.ContextReader(ctx, streams.In)
	f := &cli.Factory{Streams: streams, Version: version, Started: time.Now()}
	f.GuardCommands()
	defer f.Close()
	if streams.Exit != nil {
		crash.Handle(func(value any, stack []byte) {
			f.EndForm()
			f.Report(&cli.PanicError{Value: value, Stack: stack}, wantsJSON(f, args))
			streams.Exit(cli.ExitFailed)
		})
	}
	defer crash.Recover()
	args, f.AllHelp = cli.CutAllHelp(args)
	root := branch(f, args)
	root.SetArgs(args)
	c, err := root.ExecuteContextC(ctx)
	err = cmp.Or(err, f.HelpError)
	// After a signal, any error of a canceled context is an interruption.
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, context.Canceled) {
		err = cause
	}
	// If the reader of stdout has closed the pipe, the command ends silently.
	if gone := (*output.BrokenPipeError)(nil); errors.As(err, &gone) {
		err = nil
	}
	switch failed := f.Finish(c, args, err); {
	case err == nil:
		err = failed
	case failed != nil:
		f.ReportFailure(failed)
	}
	if err == nil || errors.Is(err, cli.ErrChanges) {
		return cli.ExitCode(err)
	}
	f.Report(err, wantsJSON(f, args))
	return cli.ExitCode(err)
}

// groups are the commands below the root, by name. None of them needs to know the
// others.
func groups() []group {
	return []group{
		{"accounts", inCustomers, accounts.New}, {"onboard", inCustomers, customers.NewOnboard}, {"export", inCustomers, customers.NewExport},
		{"diff", inCustomers, customers.NewDiff}, {"apply", inCustomers, customers.NewApply}, {"gbp", inCustomers, gbp.New},
		{"keywords", inKeywords, keywords.New}, {"campaigns", inKeywords, campaigns.New}, {"products", inKeywords, products.New},
		{"budget", inKeywords, budget.New}, {"reports", inKeywords, reports.New},
		{"auth", inSettings, auth.New}, {"doctor", inSettings, doctor.New},
		{"config", inSettings, func(f *cli.Factory) *cobra.Command { return configure.New(f, auth.StoreToken) }},
		{"api", inSettings, api.New}, {"mock", inSettings, mock.New}, {"version", inSettings, meta.Version}, {"completion", inSettings, meta.Completion},
	}
}

type group struct {
	word    string
	heading string // in the help
	make    func(*cli.Factory) *cobra.Command
}

func (g group) build(f *cli.Factory) *cobra.Command {
	c := g.make(f)
	c.GroupID = g.heading
	keepOrder(c)
	return c
}

// keepOrder has the flags of a command and those below it listed in the order in which they were
// added.
func keepOrder(c *cobra.Command) {
	c.Flags().SortFlags = false
	for _, sub := range c.Commands() {
		keepOrder(sub)
	}
}

// The headings of the help, above the commands that belong together.
const (
	inCustomers = "Customers"
	inKeywords  = "Keywords, campaigns and reports"
	inSettings  = "Jobs, settings and tools"
)

// branch builds as much of the command tree as the command line needs: the group that
// its first word names, or all of it. Building all takes longer than a short command
// runs.
func branch(f *cli.Factory, args []string) *cobra.Command {
	for _, g := range groups() {
		if len(args) > 0 && args[0] == g.word {
			root := newRoot(f)
			root.AddCommand(g.build(f))
			return root
		}
	}
	root := New(f)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		complete.Register(root, f)
	}
	return root
}

// New returns the whole command tree.
func New(f *cli.Factory) *cobra.Command {
	root := newRoot(f)
	for _, g := range groups() {
		root.AddCommand(g.build(f))
	}
	root.AddCommand(group{"jobs", inSettings, jobs.New}.build(f))
	return root
}

func newRoot(f *cli.Factory) *cobra.Command {
	var showVersion bool
	root := &cobra.Command{
		Use:   "reseller",
		Short: "Work with a search-marketing reseller service",
		Long: "Onboard customers, load and export keywords, and read reports of a\n" +
			"search-marketing reseller service from a terminal, a pipeline or a CI job.\n\n" +
			"Accounts and campaigns are given by their ids or names, accounts by their\n" +
			"external identifiers as well.\n\n" +
			"To try any command, add `--server mock`. It runs a mock of the service inside\n" +
			"the command and keeps its data for the next command.",
		Example: "reseller accounts list --server mock\n" +
			"reseller keywords list --server mock --account 'Harbor Dental' -o csv\n" +
			"reseller reports traffic --server mock --account 1 --campaign 101 --from -7d",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if showVersion && len(args) == 0 {
				return meta.WriteVersion(c.Context(), f)
			}
			return cli.GroupRun(c, args)
		},
		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return f.Begin(c) },
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	for _, heading := range []string{inCustomers, inKeywords, inSettings} {
		root.AddGroup(&cobra.Group{ID: heading, Title: heading})
	}
	root.SetOut(f.Out)
	root.SetErr(f.Err)
	root.SetIn(f.In)
	root.SetGlobalNormalizationFunc(cli.Normalize)
	root.SetFlagErrorFunc(cli.FlagError)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { // cobra's own template engine would slow down every start
		if about, rest, err := c.Find(c.Flags().Args()); err == nil && about.HasSubCommands() { // also of `reseller --help accounts`
			if len(rest) > 0 {
				f.HelpError = cli.GroupRun(about, rest)
				return
			}
			c = about
			c.InitDefaultHelpFlag()
		}
		_, f.HelpError = io.WriteString(output.Direct(c.OutOrStdout()), f.Fit(f.Help(c)))
	})
	root.Flags().BoolVar(&showVersion, "version", false, "show the version of this program")
	f.Flags.AddTo(root)
	root.PersistentFlags().SortFlags = false
	root.SetHelpCommand(meta.Help(f))
	return root
}

// wantsJSON reports whether errors are printed as JSON. It asks --output, which must
// be found even if parsing the command line failed, else the environment and the
// profile.
func wantsJSON(f *cli.Factory, args []string) bool {
	name := f.Flags.Output
	for i, arg := range args {
		if arg == "--" {
			break
		}
		// -o may follow short flags without a value, as in -yqojson.
		if letters, ok := strings.CutPrefix(arg, "-"); ok && strings.HasPrefix(strings.TrimLeft(letters, "hqy"), "o") {
			arg = "-" + strings.TrimLeft(letters, "hqy")
		}
		switch {
		case (arg == "-o" || arg == "--output") && i+1 < len(args):
			name = args[i+1]
		case strings.HasPrefix(arg, "--output="):
			name = strings.TrimPrefix(arg, "--output=")
		case strings.HasPrefix(arg, "-o") && arg != "-o":
			name = strings.TrimPrefix(strings.TrimPrefix(arg, "-o"), "=")
		}
	}
	if name == "" {
		settings, _ := f.Settings() // the variable counts even if the file or the profile is invalid
		name, _ = settings.Output()
	}
	name = strings.ToLower(name)
	return name == string(encode.JSON) || name == string(encode.NDJSON)
}
