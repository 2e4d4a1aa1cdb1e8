package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/client/trust"
	"reseller/config"
	"reseller/config/token"
	"reseller/output/summaryfile"
)

// A Factory gives each command its streams, settings, client, output and prompts.
// Expensive things are made on first use: help and version read no files and use neither
// network nor keyring.
type Factory struct {
	Streams
	Version string
	Flags   Flags
	Words   []string // of the command line, by which commands are still to be found; without any, all are made
	// Observer sees the records that the command prints. It may be nil.
	Observer Observer
	// Summary is the outcome of a command that AddSummaryFile has given its flag. The command sets
	// what it knows, Finish the rest.
	Summary summaryfile.Summary
	Started time.Time // when the program was started
	// Resumes is the header of the job that the command resumes, nil if it begins one.
	Resumes *job.Header
	// NoLogin is set for the completion, which does not log in to get a token.
	NoLogin bool
	// AllHelp is set by --all beside --help: the help shows all flags.
	AllHelp bool
	// HelpError is the error of writing the help of a command, which cobra does not return.
	HelpError error
	// HideStatus removes the progress bar from the terminal before a note is written. It
	// is nil if there is no bar.
	HideStatus func()

	settings            *config.Settings
	tokens              *token.Source
	client              *client.Client
	closers             []func()
	messages            messages
	noted               map[string]bool
	summarized          bool     // the command has a summary, and its flags are valid
	summaryFiles        []string // where to write it
	completionResources map[*cobra.Command]*schema.Resource
}

// Settings returns the settings from flags, environment and configuration file.
func (f *Factory) Settings() (*config.Settings, error) {
	return f.LoadSettings(config.Load)
}

// SettingsToEdit returns the settings for a command that may create the profile.
func (f *Factory) SettingsToEdit() (*config.Settings, error) {
	return f.LoadSettings(config.LoadToEdit)
}

// LoadSettings returns the settings that load gives, the first time.
func (f *Factory) LoadSettings(load func(config.Env, *pflag.FlagSet) (*config.Settings, error)) (*config.Settings, error) {
	if f.settings == nil {
		settings, err := load(config.Env{Lookup: f.Env}, f.Flags.set)
		if err != nil {
			return settings, err
		}
		f.settings = settings
		for _, pair := range config.Misspelt(os.Environ(), []string{"CA_FILE", "STATE_DIR", "SHARDS"}) {
			f.Note("no variable is called %s: did you mean %s?", pair[0], pair[1])
		}
	}
	return f.settings, nil
}

// Address returns the address that the command calls. A note says if a variable gives it in place of the profile that a
// flag names.
func (f *Factory) Address() (config.Address, error) {
	settings, err := f.Settings()
	if err != nil {
		return config.Address{}, err
	}
	if name := settings.AddressOverride(); name != "" {
		f.noteOverride(name, "address")
	}
	return settings.Address()
}

// noteOverride notes that a variable gives what a profile has, if a flag names the profile.
func (f *Factory) noteOverride(variable, what string) {
	if f.Flags.Profile != "" {
		f.NoteOnce(what, "%s is set and overrides the %s of profile %s", variable, what, f.Flags.Profile)
	}
}

// Client returns the client for the configured address. If that is the built-in mock,
// the mock is started first.
func (f *Factory) Client() (*client.Client, error) {
	if f.client != nil {
		return f.client, nil
	}
	settings, err := f.Settings()
	if err != nil {
		return nil, err
	}
	options, err := f.clientOptions(settings)
	if err != nil {
		return nil, err
	}
	address, err := f.Address()
	if err != nil {
		return nil, err
	}
	if address.BuiltInMock {
		service, err := f.startMock()
		if err != nil {
			return nil, err
		}
		options.BaseURL, options.Tokens, options.AllowHTTP = service.url, service, false
	} else {
		options.BaseURL = address.URL
		var noteOverride func(variable, what string)
		if f.Flags.Profile != "" {
			noteOverride = f.noteOverride // it needs the keyring, which may be slow
		}
		if f.tokens, err = settings.Tokens(address.URL, f.login(options), noteOverride); err != nil {
			return nil, err
		}
		options.Tokens = f.tokens
	}
	c, err := client.New(options)
	if err != nil {
		return nil, err
	}
	f.client = c
	f.closers = append(f.closers, c.Close)
	return c, nil
}

// Tokens returns the source of tokens for the configured address. It is nil for the
// built-in mock.
func (f *Factory) Tokens() (*token.Source, error) {
	if f.tokens == nil {
		if _, err := f.Client(); err != nil {
			return nil, err
		}
	}
	return f.tokens, nil
}

// ShareOfRate returns the part of a rate that this machine has, if several machines load a shard of a file each.
func (f *Factory) ShareOfRate(rate float64) float64 { return rate / float64(max(f.Flags.Shards, 1)) }

func (f *Factory) clientOptions(settings *config.Settings) (client.Options, error) {
	timeout, timeoutErr := settings.Timeout()
	retries, retriesErr := settings.Retries()
	rate, rateErr := settings.Rate()
	roots, rootsErr := f.rootCAs()
	if err := cmp.Or(timeoutErr, retriesErr, rateErr, rootsErr); err != nil {
		return client.Options{}, err
	}
	o := client.Options{
		RootCAs: roots,
		Timeout: timeout, Retries: retries, Rate: f.ShareOfRate(rate), AllowHTTP: f.Flags.AllowHTTP, Concurrency: MaxConcurrency,
		UserAgent: "reseller/" + f.Version,
		Notify:    func(text string) { f.Note("%s", text) },
	}
	if f.Flags.Debug {
		o.Debug = f.Err
	}
	return o, nil
}

// login returns a function that logs in at the address of o, without a token.
func (f *Factory) login(o client.Options) token.LoginFunc {
	if f.NoLogin {
		return nil
	}
	o.Tokens = nil
	return func(ctx context.Context, username, password string) (string, time.Time, error) {
		c, err := client.New(o)
		if err != nil {
			return "", time.Time{}, err
		}
		defer c.Close()
		return c.Login(ctx, username, password)
	}
}

// AtEnd calls end when the command has ended, also with an error.
func (f *Factory) AtEnd(end func()) { f.closers = append(f.closers, end) }

// Close closes the client and stops the built-in mock.
func (f *Factory) Close() {
	for i := len(f.closers) - 1; i >= 0; i-- {
		f.closers[i]()
	}
	f.closers = nil
}

// Note writes a note to stderr, unless --quiet is given.
func (f *Factory) Note(format string, args ...any) {
	if !f.Flags.Quiet {
		if f.HideStatus != nil {
			f.HideStatus()
		}
		fmt.Fprintf(f.Err, "note: %s\n", safetext.Escape(f.WithFlags(fmt.Sprintf(format, args...))))
	}
}

// WithFlags returns a hint or note whose commands use the profile and the address of this command: with --profile,
// --server or --base-url, if they would use others without.
func (f *Factory) WithFlags(text string) string {
	profile := f.Flags.Profile
	if profile+f.Flags.server+f.Flags.baseURL == "" || !strings.Contains(text, "`reseller ") || strings.HasPrefix(text, "did you mean") {
		return text
	}
	var name, value string
	if settings, err := f.Settings(); err == nil {
		profile = settings.OtherProfile()
		name, value = settings.AddressFlag()
	}
	anyProfile := regexp.MustCompile(`^.reseller (help|version|jobs|config use)\b|--(help|example|profile)\b`)
	anyAddress := regexp.MustCompile(`^.reseller (help|version|jobs|config|mock)\b|--(help|example|server|base-url)\b`)
	return regexp.MustCompile("`reseller [^`]+").ReplaceAllStringFunc(text, func(command string) string {
		out := command
		if profile != "" && !anyProfile.MatchString(command) {
			out += " --profile " + profile
		}
		if name != "" && !anyAddress.MatchString(command) {
			out += " --" + name + " " + trust.ShellWord(value)
		}
		return out
	})
}

// Report writes the error of the command to stderr.
func (f *Factory) Report(err error, asJSON bool) {
	report(f.Err, err, f.WithFlags(Hint(err)), asJSON)
}

// ToTerminal reports whether the output of the command goes to a terminal.
func (f *Factory) ToTerminal() bool {
	return f.OutTTY && (f.Flags.OutputFile == "" || f.Flags.OutputFile == "-")
}

// NoteOnce is Note for the first note about a column, or about an override; later ones are dropped.
func (f *Factory) NoteOnce(column, format string, args ...any) {
	if f.noted == nil {
		f.noted = map[string]bool{}
	}
	if !f.noted[column] {
		f.noted[column] = true
		f.Note(format, args...)
	}
}

// ReportFailure writes the failure of one of several calls to stderr. The command
// returns an error about all of them.
func (f *Factory) ReportFailure(err error) {
	fmt.Fprintf(f.Err, "failed: %s\n", safetext.Escape(text(err)))
}

// Commands make the commands of a group, by their names.
type Commands map[string]func(*Factory) *cobra.Command

// With returns what makes a command that does its work by run.
func With[R any](newCmd func(*Factory, R) *cobra.Command, run R) func(*Factory) *cobra.Command {
	return func(f *Factory) *cobra.Command { return newCmd(f, run) }
}

// Group returns a command that only has subcommands.
func (f *Factory) Group(use, short string, commands Commands) *cobra.Command {
	g := &cobra.Command{Use: use, Short: short, Args: cobra.ArbitraryArgs, RunE: GroupRun}
	f.AddCommands(g, commands)
	return g
}

// AddCommands adds to a group the command that the next word of the command line names, or all commands if it names none.
// Making all takes longer than a short command runs.
func (f *Factory) AddCommands(g *cobra.Command, commands Commands) {
	if len(f.Words) > 0 && commands[f.Words[0]] != nil {
		commands, f.Words = Commands{f.Words[0]: commands[f.Words[0]]}, f.Words[1:]
	} else {
		f.Words = nil
	}
	for _, newCmd := range commands {
		g.AddCommand(newCmd(f))
	}
}

// GroupRun runs a group without a subcommand: it prints the help of the group, or
// suggests a subcommand for an unknown word.
func GroupRun(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	err := &UsageError{Message: fmt.Sprintf("unknown command %q for %q", args[0], c.CommandPath())}
	if near := Suggest(args[0], Subcommands(c)); !c.HasParent() && (args[0] == "login" || args[0] == "logout") {
		err.Hint = fmt.Sprintf("did you mean `%s auth %s`?", c.CommandPath(), args[0])
	} else if near != "" {
		err.Hint = fmt.Sprintf("did you mean `%s %s`?", c.CommandPath(), near)
	} else {
		if c.Name() == "auth" || MayBeSecret(args[0]) {
			err.Message = fmt.Sprintf("unknown command for %q", c.CommandPath())
		}
		err.Hint = fmt.Sprintf("`%s --help` lists the commands", c.CommandPath())
	}
	return err
}

// Subcommands returns the names of the commands of a group.
func Subcommands(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}

// MayBeSecret reports whether an unknown word may be a token or a password that the user gave in the wrong place: it is not
// written like a command.
func MayBeSecret(word string) bool {
	return len(word) > 24 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") != ""
}

// probeTimeout is how long the service may take to respond to a call that only checks
// whether it does.
const probeTimeout = 20 * time.Second

// ProbeContext returns a context for a call that only checks whether the service responds.
func ProbeContext(ctx context.Context, op *schema.Operation) (context.Context, context.CancelFunc) {
	timedOut := &client.NetworkError{Operation: op.Name(), Action: op.Title, Err: fmt.Errorf("%w after %v", client.ErrTimeout, probeTimeout)}
	return context.WithTimeoutCause(ctx, probeTimeout, timedOut)
}

// Probe checks whether the service at an address accepts a token: it
// requests the list of campaigns and reads as much of it as shows that it is one. With an
// empty token, it checks the address alone, for which a refusal is as good as a list.
func (f *Factory) Probe(ctx context.Context, url, token string) error {
	settings, err := f.Settings()
	if err != nil {
		return err
	}
	options, err := f.clientOptions(settings)
	if err != nil {
		return err
	}
	options.BaseURL, options.Tokens = url, client.StaticToken(token)
	c, err := client.New(options)
	if err != nil {
		return err
	}
	defer c.Close()
	if f.ErrTTY { // only somebody who waits needs it
		f.Note("trying %s", url)
	}
	op := schema.OpCampaignsList
	op.Public = token == ""
	ctx, cancel := ProbeContext(ctx, &op)
	defer cancel()
	for _, err = range c.List(ctx, client.Call{Op: &op}) {
		break // one record is enough
	}
	var refusal *client.Error
	if op.Public && errors.As(err, &refusal) && (refusal.HTTPStatus == http.StatusUnauthorized || refusal.HTTPStatus == http.StatusForbidden) {
		return nil
	}
	return err
}
