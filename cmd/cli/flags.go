package cli

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"reseller/client/nearest"
	"reseller/client/phrase"
	"reseller/output"
	"reseller/output/encode"
)

type Flags struct {
	Output, JQ, OutputFile, Color               string
	Columns, Sort                               []string
	NoHeader, Print0, Raw, DryRun, Yes, NoInput bool
	Quiet, Debug, AllowHTTP, CSVSafe            bool
	CSVBOM                                      bool
	NoValidate, Strict, Chart, ResendSent, Open bool
	ChartFile, caFile, stateDir                 string
	SettleTime                                  *time.Duration // nil: by the evidence
	Shards                                      int            // the machines that share the rate; 0 is this one only
	Profile, server, baseURL                    string
	timeout, retries, rate                      string
	summaryFiles                                []string
	ci                                          string
	where                                       []string
	search                                      string
	limit                                       int
	set                                         *pflag.FlagSet
}

// A checked is the value of a flag whose text is checked when it is given.
type checked struct {
	kind, text string
	take       func(text string) (kept string, err error)
}

// Checked returns the value of a flag of a kind, as the help calls it. take checks a text and returns the value in words.
func Checked(kind string, take func(text string) (string, error)) pflag.Value {
	return &checked{kind: kind, take: take}
}

func (c *checked) String() string { return c.text }
func (c *checked) Type() string   { return c.kind }
func (c *checked) Set(text string) (err error) {
	c.text, err = c.take(text)
	return err
}

func (f *Flags) AddSettleTime(c *cobra.Command) {
	c.Flags().Var(Checked("duration", func(text string) (string, error) {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			return "", errors.New("not a duration such as 30s or 2m")
		}
		f.SettleTime = &d
		return d.String(), nil
	}), "settle-time", "wait `DURATION` until a row that the service does not list counts as not stored (default: by its speed)")
}

func (f *Flags) AddResendSent(c *cobra.Command) {
	c.Flags().BoolVar(&f.ResendSent, "resend-sent", false, "send again what an earlier command has sent, or may have sent, from this machine")
}

func (f *Flags) AddOpen(c *cobra.Command) {
	c.Flags().BoolVar(&f.Open, "open", false, "open the written file with the program for its kind, such as the browser")
}

func (f *Flags) AddTo(root *cobra.Command) {
	p := root.PersistentFlags()
	f.set = p
	p.StringVar(&f.Profile, "profile", "", "use the profile `NAME` of the configuration")
	p.StringVar(&f.server, "server", "", "`SERVER` to use: production (default), sandbox or mock")
	p.StringVar(&f.baseURL, "base-url", "", "use the service at this `URL`")
	p.VarP(Checked("string", func(text string) (string, error) {
		f.Output = strings.ToLower(text)
		return f.Output, nil
	}), "output", "o", "output `FORMAT`, such as csv, json or table (default)")
	p.StringSliceVar(&f.Columns, "columns", nil, "`COLUMNS` to show, such as a,b; all shows every column")
	p.BoolVar(&f.NoHeader, "no-header", false, "omit the header row")
	p.BoolVar(&f.Print0, "print0", false, "end each id of -o ids and -o name with a NUL byte")
	p.StringSliceVar(&f.Sort, "sort", nil, "sort by `COLUMNS`, such as a,-b; - is descending")
	p.StringVar(&f.JQ, "jq", "", "filter the JSON output with a jq `EXPRESSION`")
	p.BoolVar(&f.Raw, "raw", false, "print the response of the service unchanged")
	p.BoolVar(&f.CSVSafe, "csv-safe", false, "put ' before cells that could be a formula")
	p.BoolVar(&f.CSVBOM, "csv-bom", false, "begin csv with a byte-order mark, for Excel")
	p.StringVar(&f.OutputFile, "output-file", "", "write the output to `FILE`, whole or not at all")
	p.StringVar(&f.timeout, "timeout", "", "give up after `DURATION` without an answer (default 60s)")
	p.StringVar(&f.retries, "retries", "", "retry a failed read or login up to `N` times (default 4)")
	p.StringVar(&f.rate, "rate", "", "send at most `N` requests per second (default: no limit)")
	p.StringVar(&f.caFile, "ca-file", "", "trust the root certificates in `FILE` (PEM) as well")
	p.StringVar(&f.stateDir, "state-dir", "", "keep the journals of jobs in `DIR`")
	p.BoolVar(&f.AllowHTTP, "allow-http", false, "allow plain http to other machines")
	p.BoolVar(&f.DryRun, "dry-run", false, "print the requests of a write without sending them")
	p.BoolVarP(&f.Yes, "yes", "y", false, "answer yes to all questions")
	p.BoolVar(&f.NoInput, "no-input", false, "never prompt")
	p.BoolVarP(&f.Quiet, "quiet", "q", false, "print no notes and no progress")
	p.BoolVar(&f.Debug, "debug", false, "log HTTP to stderr, with secrets redacted")
	p.StringVar(&f.ci, "ci", "", "write stderr for this CI `SYSTEM`: github or none")
	p.StringVar(&f.Color, "color", "auto", "`WHEN` to use color: auto (default), always or never")
}

func (f *Flags) AddSelection(c *cobra.Command) {
	f.AddFilters(c)
	c.Flags().Var(Checked("int", func(text string) (_ string, err error) {
		if f.limit, err = strconv.Atoi(text); err != nil || f.limit < 1 {
			return "", errors.New("not a number from 1 up")
		}
		return text, nil
	}), "limit", "print at most `N` records")
}

// Selecting returns the names of the flags that select records, with their verb: "--where keeps". It is empty without any.
func (f *Flags) Selecting() string {
	var names []string
	for name, isGiven := range map[string]bool{"--where": len(f.where) > 0, "--search": f.search != "", "--limit": f.limit > 0} {
		if isGiven {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if names == nil {
		return ""
	}
	return phrase.And(names) + phrase.Noun(len(names), " keeps", " keep")
}

// AddFilters is AddSelection without --limit, for a command with a --limit of its own.
func (f *Flags) AddFilters(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.where, "where", nil, "only records that meet the `CONDITION`, such as city=Portland; operators: =, !=, <, <=, >, >=, ~ (contains), in")
	c.Flags().StringVar(&f.search, "search", "", "only records that contain `TEXT` in a column that is shown, in capitals or not")
}

// Uses reports whether a column is printed, or records are chosen or sorted by it.
func (f *Flags) Uses(column string) bool {
	return len(f.Columns) == 0 || slices.ContainsFunc(slices.Concat(f.Columns, f.Sort, f.where), func(text string) bool {
		return strings.TrimSpace(text) == "all" || strings.Contains(text, column)
	})
}

// Format returns the format that the flags name: the one that --jq filters, that of
// --output, or else that of the ending of --output-file. It is empty if they name none.
func (f *Flags) Format() (encode.Format, error) {
	ending := encode.OfFile(f.OutputFile)
	switch {
	case f.JQ != "":
		return encode.JSON, nil // whatever the results are, such as lines of csv
	case f.Output == "":
		return ending, nil
	case ending != "" && f.Output != string(ending):
		return "", Usagef("--output-file %s: the name ends like %s, but -o is %s", f.OutputFile, ending, f.Output)
	}
	return output.ParseFormat(f.Output)
}

func (f *Flags) check() error {
	if f.Output != "" || f.changed("output") {
		if _, err := output.ParseFormat(f.Output); err != nil {
			return err
		}
	}
	if !slices.Contains([]string{"auto", "always", "never"}, f.Color) {
		return Usagef("--color: %q is not one of auto, always, never", f.Color)
	}
	if f.changed("columns") && len(f.Columns) == 0 {
		return Usagef("--columns: the list is empty")
	}
	if f.JQ != "" && f.Output != "" && f.Output != string(encode.JSON) {
		return Usagef("--jq filters what -o json prints, so it can't be used with -o %s", f.Output)
	}
	if f.Print0 && !encode.Format(f.Output).IsIDs() {
		return Usagef("--print0 can be used only with -o ids or -o name")
	}
	if f.Raw && (len(f.where) > 0 || f.search != "" || f.limit > 0) {
		return Usagef("--raw prints the response unchanged, so it can't be used with --where, --search or --limit")
	}
	if name := f.shaping(encode.JSON, ""); f.Raw && name != "" {
		return Usagef("--raw prints the response unchanged, so it can't be used with --%s", name)
	}
	return nil
}

// shaping returns the first given flag that says how records are written, empty if none does but the taken one. -o with the format as is does not.
func (f *Flags) shaping(as encode.Format, taken string) string {
	for _, name := range []string{"output", "columns", "sort", "jq", "no-header", "csv-safe", "csv-bom"} {
		if f.changed(name) && name != taken && (name != "output" || f.Output != string(as)) {
			return name
		}
	}
	return ""
}

func (f *Flags) changed(name string) bool { return f.set != nil && f.set.Changed(name) }

// Normalize maps alternative names of flags to one: --account-id is --account.
func Normalize(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name {
	case "account-id":
		name = "account"
	case "campaign-id":
		name = "campaign"
	case "keyword-type":
		name = "type"
	case "service-plan-id":
		name = "plan"
	}
	return pflag.NormalizedName(name)
}

func FlagValues(flag *pflag.Flag) []string {
	if list, ok := flag.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{flag.Value.String()}
}

const DefaultConcurrency = 8

const MaxConcurrency = 256

func CheckConcurrency(n int) error {
	if n >= 1 && n <= MaxConcurrency {
		return nil
	}
	return Usagef("--concurrency: %d is not between 1 and %d", n, MaxConcurrency)
}

func FlagName(field string) string { return strings.NewReplacer("_", "-", ".", "-").Replace(field) }

// harmful are the commands, flags and methods that delete or stop something, that confirm or repeat such a command, or that
// switch off a protection.
var harmful = []string{
	"delete", "remove", "reset", "logout", "deactivate", "prune", "yes", "restart", "resend-sent", "resend-unknown", "DELETE",
	"allow-http", "insecure-storage", "no-verify", "no-validate", "no-skip-existing",
}

// Suggest returns the one of words that the user probably meant by another word, "" if no word is near. It returns a
// harmful word only if a single character differs.
func Suggest(typed string, words []string) string {
	words = slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return slices.Contains(harmful, word) && nearest.Distance(strings.ToLower(typed), strings.ToLower(word)) > 1
	})
	return nearest.Name(typed, words)
}

// DidYouMean returns a hint with what Suggest returns, "" if that is none.
func DidYouMean(typed string, words []string) string {
	if near := Suggest(typed, words); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}
