package cli

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"iter"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"reseller/client"
	"reseller/client/bulk/job"
	"reseller/client/mock"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/client/trust"
	"reseller/config"
	"reseller/config/token"
	"reseller/output/textwidth"
)

// A Session has the parts of one call of a command: streams, flags and settings, and the client for the service. Expensive things
// are made on first use: help and version read no files and use neither network nor keyring.
type Session struct {
	Streams
	Context context.Context // of the command
	Version string
	Flags   Flags
	Typed   []string  // the words of the command line
	Words   []string  // of the command line, by which commands are still to be found; without any, all are made
	Started time.Time // when the program was started
	// Resumes is the header of the job that the command resumes, nil if it begins one.
	Resumes *job.Header
	// NoLogin is set for the completion, which does not log in to get a token.
	NoLogin bool
	// AllHelp is set by --all beside --help: the help shows all flags.
	AllHelp bool
	// HideStatus removes the progress bar before a note is written, nil without one.
	HideStatus func()

	settings            *config.Settings
	tokens              *token.Source      // nil for the built-in mock
	source              client.TokenSource // tokens, or the built-in mock
	client              *client.Client
	closers             []func()
	messages            messages
	filled              string // a hint: the command that does the same without the last form
	noted               map[string]bool
	completionResources map[*cobra.Command]*schema.Resource
	printed             map[*cobra.Command][]any
}

func (s *Session) Settings() (*config.Settings, error) {
	return s.LoadSettings(config.Load)
}

// SettingsToEdit returns the settings for a command that may create the profile.
func (s *Session) SettingsToEdit() (*config.Settings, error) {
	return s.LoadSettings(config.LoadToEdit)
}

func (s *Session) LoadSettings(load func(config.Env, *pflag.FlagSet) (*config.Settings, error)) (*config.Settings, error) {
	if s.settings == nil {
		settings, err := load(config.Env{Lookup: s.Env}, s.Flags.set)
		if err != nil {
			return settings, err
		}
		s.settings = settings
		for _, pair := range config.Misspelt(os.Environ(), []string{"CA_FILE", "STATE_DIR", "SHARDS"}) {
			s.Note("no variable is called %s: did you mean %s?", pair[0], pair[1])
		}
	}
	return s.settings, nil
}

// Address returns the address that the command calls. If a variable overrides the address of the profile that a flag names, a
// note says so.
func (s *Session) Address() (config.Address, error) {
	settings, err := s.Settings()
	if err != nil {
		return config.Address{}, err
	}
	if s.Flags.Profile != "" {
		if name := settings.AddressOverride(); name != "" {
			s.noteOverride(name, "address")
		}
	}
	return settings.Address()
}

func (s *Session) noteOverride(variable, what string) {
	s.NoteOnce(what, "%s is set and overrides the %s of profile %s", variable, what, s.Flags.Profile)
}

// Client returns the client for the configured address. The built-in mock is started first.
func (s *Session) Client() (*client.Client, error) {
	if s.client != nil {
		return s.client, nil
	}
	settings, err := s.Settings()
	if err != nil {
		return nil, err
	}
	options, err := s.clientOptions(settings)
	if err != nil {
		return nil, err
	}
	address, err := s.Address()
	if err != nil {
		return nil, err
	}
	if address.BuiltInMock {
		path, err := s.MockPath("")
		if err != nil {
			return nil, err
		}
		service, err := mock.Start(mock.Options{Path: path, OpenAPI: schema.OpenAPI})
		if err != nil {
			return nil, err
		}
		s.AtEnd(service.Close)
		options.BaseURL, options.Tokens, options.AllowHTTP = service.URL, client.StaticToken(service.Token), false
	} else {
		options.BaseURL = address.URL
		var noteOverride func(variable, what string)
		if s.Flags.Profile != "" {
			noteOverride = s.noteOverride // it needs the keyring, which may be slow
		}
		if s.tokens, err = settings.Tokens(address.URL, s.login(options), noteOverride); err != nil {
			return nil, err
		}
		options.Tokens = s.tokens
	}
	c, err := client.New(options)
	if err != nil {
		return nil, err
	}
	s.client, s.source, c.IsLate = c, options.Tokens, s.isLate()
	c.MayLack = func(what string) bool { return s.Unlisted(what) != "" }
	s.AtEnd(c.Close)
	return c, nil
}

func (s *Session) List(ctx context.Context, call client.Call) iter.Seq2[record.Record, error] {
	c, err := s.Client()
	if err != nil {
		return func(yield func(record.Record, error) bool) { yield(record.Record{}, err) }
	}
	return c.List(ctx, call)
}

// Token returns the token that commands use for the configured address.
func (s *Session) Token(ctx context.Context) (string, error) {
	if _, err := s.Client(); err != nil {
		return "", err
	}
	return s.source.Token(ctx)
}

// Tokens returns the source of tokens for the configured address, nil for the built-in mock.
func (s *Session) Tokens() (*token.Source, error) {
	_, err := s.Client()
	return s.tokens, err
}

// ShareOfRate returns the part of a rate that this machine has, if several machines load a shard of a file each.
func (s *Session) ShareOfRate(rate float64) float64 { return rate / float64(max(s.Flags.Shards, 1)) }

func (s *Session) clientOptions(settings *config.Settings) (client.Options, error) {
	timeout, timeoutErr := settings.Timeout()
	retries, retriesErr := settings.Retries()
	rate, rateErr := settings.Rate()
	roots, rootsErr := s.rootCAs()
	if err := cmp.Or(timeoutErr, retriesErr, rateErr, rootsErr); err != nil {
		return client.Options{}, err
	}
	o := client.Options{
		RootCAs: roots,
		Timeout: timeout, Retries: retries, Rate: s.ShareOfRate(rate), AllowHTTP: s.Flags.AllowHTTP, Concurrency: MaxConcurrency,
		UserAgent: "reseller/" + s.Version,
		Notify:    func(text string) { s.Note("%s", text) },
	}
	if s.Flags.Debug {
		o.Debug = s.Err
	}
	return o, nil
}

func (s *Session) login(o client.Options) token.LoginFunc {
	if s.NoLogin {
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

func (s *Session) AtEnd(end func()) { s.closers = append(s.closers, end) }

func (s *Session) Close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
	s.closers = nil
}

// Note writes a note to stderr, unless --quiet is given.
func (s *Session) Note(format string, args ...any) {
	if !s.Flags.Quiet {
		if s.HideStatus != nil {
			s.HideStatus()
		}
		fmt.Fprintf(s.Err, "note: %s\n", safetext.Escape(s.WithFlags(fmt.Sprintf(format, args...))))
	}
}

// Status shows on a terminal what the command does meanwhile, in one line that the next note or status removes, "" as well.
func (s *Session) Status(text string) {
	if s.HideStatus != nil {
		s.HideStatus()
	}
	if text != "" && s.ErrTTY && !s.Flags.Quiet {
		fmt.Fprint(s.Err, textwidth.Truncate(text, s.Width()-1))
		s.HideStatus = func() {
			fmt.Fprint(s.Err, "\r\x1b[K")
			s.HideStatus = nil
		}
	}
}

// WithFlags returns a hint or note whose commands use the profile and the address of this command: with --profile,
// --server or --base-url, if they would use others without.
func (s *Session) WithFlags(text string) string {
	profile := s.Flags.Profile
	if profile+s.Flags.server+s.Flags.baseURL == "" || !strings.Contains(text, "`reseller ") || strings.HasPrefix(text, "did you mean") {
		return text
	}
	var name, value string
	if settings, err := s.Settings(); err == nil {
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

func (s *Session) Report(err error, asJSON bool) {
	hint := Hint(err)
	if code := ExitCode(err); code == ExitUsage || code == ExitBusy {
		hint = cmp.Or(hint, s.filled)
	}
	report(s.Err, err, s.WithFlags(hint), asJSON)
}

func (s *Session) ToTerminal() bool {
	return s.OutTTY && (s.Flags.OutputFile == "" || s.Flags.OutputFile == "-")
}

// NoteOnce is Note for the first note about a column, or about an override; later ones are dropped.
func (s *Session) NoteOnce(column, format string, args ...any) {
	if !s.noted[column] {
		s.noted[column] = true
		s.Note(format, args...)
	}
}

// ReportFailure writes the failure of one of several calls, about all of which the command returns an error.
func (s *Session) ReportFailure(err error) {
	fmt.Fprintf(s.Err, "failed: %s\n", safetext.Escape(messageOf(err)))
}

// probeTimeout is how long the service may take to respond to a call that only checks whether it does.
const probeTimeout = 20 * time.Second

// ProbeContext returns a context for a call that only checks whether the service responds.
func ProbeContext(ctx context.Context, op *schema.Operation) (context.Context, context.CancelFunc) {
	timedOut := &client.NetworkError{Operation: op.Name(), Action: op.Title, Err: fmt.Errorf("%w after %v", client.ErrTimeout, probeTimeout)}
	return context.WithTimeoutCause(ctx, probeTimeout, timedOut)
}

// Probe checks whether the service at an address accepts a token: it reads as much of the list of campaigns as shows that it is one.
// Without a token, it checks the address alone, for which a refusal is as good as a list.
func (s *Session) Probe(ctx context.Context, url, token string) error {
	settings, err := s.Settings()
	if err != nil {
		return err
	}
	options, err := s.clientOptions(settings)
	if err != nil {
		return err
	}
	options.BaseURL, options.Tokens = url, client.StaticToken(token)
	c, err := client.New(options)
	if err != nil {
		return err
	}
	defer c.Close()
	if s.ErrTTY { // only somebody who waits needs it
		s.Note("trying %s", url)
	}
	op := schema.OpCampaignsList
	op.Public = token == ""
	ctx, cancel := ProbeContext(ctx, &op)
	defer cancel()
	for _, err = range c.List(ctx, client.Call{Op: &op}) {
		break // one record is enough
	}
	if op.Public && errors.Is(err, client.ErrUnauthorized) {
		return nil
	}
	return err
}

// ReadInput reads a file of at most limit bytes, or stdin if path is -, until ctx ends, as for a pipe without a writer.
func (s *Session) ReadInput(ctx context.Context, path string, limit int64) ([]byte, error) {
	return WithContext(ctx, func() ([]byte, error) {
		r, name := s.In, "stdin"
		if path != "-" {
			file, err := os.Open(path)
			if err != nil {
				return nil, err
			}
			defer func() { _ = file.Close() }()
			r, name = file, path
		}
		return ReadAtMost(r, name, limit)
	})
}

const maxCAFile = 16 << 20

// rootCAs returns the root certificates of the system with those of --ca-file or RESELLER_CA_FILE, nil if neither is given.
func (s *Session) rootCAs() (*x509.CertPool, error) {
	flags := &s.Flags
	source, path := "--ca-file", flags.caFile
	if !flags.changed("ca-file") {
		if source, path = "RESELLER_CA_FILE", s.Var("RESELLER_CA_FILE"); path == "" {
			return nil, nil
		}
	}
	var text []byte
	file, err := trust.OpenFile(path) // a named pipe without a writer is empty
	if err == nil {
		defer func() { _ = file.Close() }()
		text, err = ReadAtMost(file, "it", maxCAFile)
	}
	if err != nil {
		return nil, Usagef("%s: %s can't be read: %v", source, path, trust.WithoutPath(err))
	}
	pool, err := x509.SystemCertPool()
	if err != nil { // a machine without certificates of its own
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, Usagef("%s: %s contains no certificates", source, path).
			Hinted("a file of certificates in PEM has lines such as -----BEGIN CERTIFICATE-----")
	}
	return pool, nil
}
