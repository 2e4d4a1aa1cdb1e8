// Package cmd is the command tree.
package cmd

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log"
	"maps"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

func Main(ctx context.Context, args []string, streams cli.Streams, version string) int {
	log.SetOutput(io.Discard) // net/http logs what an invalid response contains, which may be a token
	streams.In = cli.ContextReader(ctx, streams.In)
	f := cli.NewFrame(streams, "")
	f.Context, f.Version, f.Started = ctx, version, time.Now()
	f.GuardCommands()
	defer f.Close()
	if streams.Exit != nil {
		crash.Handle(func(value any, stack []byte) {
			f.EndForm()
			f.Report(&cli.PanicError{Value: value, Stack: stack}, wantsJSON(f.Session, args))
			streams.Exit(cli.ExitFailed)
		})
	}
	defer crash.Recover()
	args, f.AllHelp = cli.CutAllHelp(args)
	f.Typed = args
	if f.Words = args; len(args) > 0 && args[0] == jobsWord {
		f.Words = nil // a job is resumed by the command that began it
	}
	root := New(f)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		complete.Register(root, f.Session)
	}
	root.SetArgs(args)
	c, err := root.ExecuteContextC(ctx)
	err = cmp.Or(err, f.Output.HelpError)
	// After a signal, any error of a canceled context is an interruption.
	if errors.Is(err, context.Canceled) {
		err = cmp.Or(context.Cause(ctx), err)
	}
	// If the reader of stdout has closed the pipe, the command ends silently.
	if gone := (*output.BrokenPipeError)(nil); errors.As(err, &gone) {
		err = nil
	}
	err = f.Both(err, f.Outcome.Finish(c, args, err))
	if err == nil || errors.Is(err, cli.ErrChanges) {
		return cli.ExitCode(err)
	}
	f.Report(err, wantsJSON(f.Session, args))
	return cli.ExitCode(err)
}

// headings are those of the help, in their order, above the commands that belong together.
var headings = []struct {
	title    string
	commands cli.Commands
}{
	{"Customers", cli.Commands{
		"accounts": accounts.New, "onboard": customers.NewOnboard, "export": customers.NewExport, "diff": customers.NewDiff,
		"apply": customers.NewApply, "gbp": gbp.New,
	}},
	{"Keywords, campaigns and reports", cli.Commands{
		"keywords": keywords.New, "campaigns": campaigns.New, "products": products.New, "budget": budget.New, "reports": reports.New,
	}},
	{"Jobs, settings and tools", cli.Commands{
		"auth": auth.New, "doctor": doctor.New, "api": api.New, "mock": mock.New,
		"config":  func(f *cli.Frame) *cobra.Command { return configure.New(f, auth.StoreToken) },
		"version": meta.Version, "completion": meta.Completion, jobsWord: jobs.New,
	}},
}

const jobsWord = "jobs"

// New returns the tree of the commands that the words of the command line may name.
func New(f *cli.Frame) *cobra.Command {
	root := newRoot(f)
	all, titles := cli.Commands{}, map[string]string{}
	for _, heading := range headings {
		root.AddGroup(&cobra.Group{ID: heading.title, Title: heading.title})
		maps.Copy(all, heading.commands)
		for word := range heading.commands {
			titles[word] = heading.title
		}
	}
	f.AddCommands(root, all)
	if len(root.Commands()) == len(all) {
		root.SetHelpCommand(meta.Help(f.Session, f.Output))
	}
	for _, c := range root.Commands() {
		c.GroupID = titles[c.Name()]
	}
	return root
}

func newRoot(f *cli.Frame) *cobra.Command {
	var showVersion bool
	root := &cobra.Command{
		Use:   "reseller",
		Short: "Work with a search-marketing reseller service",
		Long: "Onboard customers, load keywords and read reports of a search-marketing service.\n\n" +
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
				return meta.WriteVersion(c.Context(), f.Session, f.Output)
			}
			return cli.GroupRun(c, args)
		},
		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return f.Outcome.Begin(c) },
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetOut(f.Out)
	root.SetErr(f.Err)
	root.SetIn(f.In)
	root.SetGlobalNormalizationFunc(cli.Normalize)
	root.SetFlagErrorFunc(cli.FlagError)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { // cobra's own template engine would slow down every start
		if about, rest, err := c.Find(c.Flags().Args()); err == nil && about.HasSubCommands() { // also of `reseller --help accounts`
			if len(rest) > 0 {
				f.Output.HelpError = cli.GroupRun(about, rest)
				return
			}
			c = about
			c.InitDefaultHelpFlag()
		}
		_, f.Output.HelpError = io.WriteString(output.Direct(c.OutOrStdout()), f.Output.Fit(f.Output.Help(c)))
	})
	root.Flags().BoolVar(&showVersion, "version", false, "show the version of this program")
	f.Flags.AddTo(root)
	root.PersistentFlags().SortFlags = false
	root.SetHelpCommand(&cobra.Command{Use: "help", Hidden: true}) // in place of cobra's own, which is slower to make
	return root
}

// wantsJSON reports whether errors are printed as JSON. It asks --output, which must
// be found even if parsing the command line failed, else the environment and the
// profile.
func wantsJSON(session *cli.Session, args []string) bool {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.ParseErrorsAllowlist.UnknownFlags = true
	name := flags.StringP("output", "o", session.Flags.Output, "")
	for name, short := range map[string]string{"help": "h", "quiet": "q", "yes": "y"} { // which -o may follow, as in -yqojson
		flags.BoolP(name, short, false, "")
	}
	_ = flags.Parse(args)
	if *name == "" {
		settings, _ := session.Settings() // the variable counts even if the file or the profile is invalid
		*name, _ = settings.Output()
	}
	format := encode.Format(strings.ToLower(*name))
	return format == encode.JSON || format == encode.NDJSON
}
