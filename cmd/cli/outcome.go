package cli

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"reseller/client"
	"reseller/client/atomicfile"
	"reseller/client/bulk/decode"
	"reseller/client/redact"
	"reseller/client/safetext"
	"reseller/output"
	"reseller/output/summaryfile"
)

const flagSummaryFile = "summary-file"

func (f *Flags) AddSummaryFile(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.summaryFiles, flagSummaryFile, nil, "write the outcome to `FILE`, also if the command fails: "+summaryfile.Endings+" (repeatable)")
	_ = c.MarkFlagFilename(flagSummaryFile, "json", "xml", "md")
}

// An Outcome is what is told of a command when it has ended.
type Outcome struct {
	// Summary is the outcome of a command with AddSummaryFile, which sets the fields that it knows, and Finish the rest.
	Summary summaryfile.Summary

	s            *Session
	summarized   bool     // the command has a summary, and its flags are valid
	summaryFiles []string // where to write it
}

// Begin is called before a command runs. It checks the flags of every command, and which files get the outcome.
func (o *Outcome) Begin(c *cobra.Command) error {
	if err := cmp.Or(checkTexts(c), o.s.Flags.check(), checkFiles(c)); err != nil {
		return err
	}
	if !slices.Contains([]string{"", "github", "none"}, o.s.Flags.ci) {
		return Usagef("--ci: %q is neither github nor none", o.s.Flags.ci)
	}
	if c.Flags().Lookup(flagSummaryFile) == nil {
		return nil
	}
	o.Summary.Operation = operationOf(c)
	paths := o.s.Flags.summaryFiles
	for _, path := range paths {
		if err := checkSummaryFile(path); err != nil {
			return err
		}
	}
	o.summarized, o.summaryFiles = true, paths
	return o.s.Context.Err() // from now on, a signal is told in the summary
}

// Spare returns an error if --summary-file names one of the files of a job, and keeps it from being written.
func (o *Outcome) Spare(files ...string) error {
	for _, path := range o.summaryFiles {
		if slices.ContainsFunc(files, func(file string) bool { return output.SameFile(path, file) }) {
			o.summaryFiles = nil
			return Usagef("--summary-file: %s is a file of the job", path)
		}
	}
	return nil
}

// RemoveOld removes the files of --summary-file that an earlier run has written, so that a command that is killed leaves none.
func (o *Outcome) RemoveOld() {
	for _, path := range o.summaryFiles {
		removeOld(path)
	}
}

func removeOld(path string) {
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		_ = os.Remove(path)
	}
}

// checkTexts checks that all arguments and flags but the names of files are UTF-8, since nothing that the service holds
// could equal another text, and none can be sent. No name of a file may be empty, such as that of an unset variable.
func checkTexts(c *cobra.Command) (err error) {
	for i, arg := range c.Flags().Args() {
		if !utf8.ValidString(arg) {
			return Usagef("argument %d is not valid UTF-8", i+1)
		}
	}
	c.Flags().Visit(func(flag *pflag.Flag) {
		word := ValueWord(flag)
		switch isPath := word == "FILE" || word == "DIR"; {
		case err != nil:
		case isPath && slices.Contains(FlagValues(flag), ""):
			err = Usagef("--%s: the path is empty", flag.Name)
		case !isPath && !utf8.ValidString(flag.Value.String()):
			err = Usagef("--%s is not valid UTF-8", flag.Name) // the value may be a secret
		}
	})
	return err
}

func operationOf(c *cobra.Command) string {
	_, words, _ := strings.Cut(c.CommandPath(), " ")
	return words
}

func checkSummaryFile(path string) error {
	if !summaryfile.IsKnown(path) {
		return Usagef("--summary-file %s: the name does not end in %s", safetext.Quote(path), summaryfile.Endings)
	}
	return CheckOutputPath("--summary-file", path)
}

// writes are the flags that name files to write, and the flag whose file each may replace, since that has been read by then.
var writes = [...]struct{ flag, replaces string }{
	{flagSummaryFile, ""}, {"failures", "file"}, {"plan-file", ""}, {"results", ""}, {"unknown", ""}, {"rejects", "file"},
	{"output-file", "input"}, {"chart-file", ""}, {"save-map", "map-file"},
}

// checkFiles checks that no file which a flag names to be written is that of another flag, or one of a folder that is read.
func checkFiles(c *cobra.Command) (err error) {
	checked := map[string]bool{}
	for _, one := range writes {
		flag := c.Flags().Lookup(one.flag)
		if flag == nil || !flag.Changed {
			continue
		}
		checked[one.flag] = true
		paths := FlagValues(flag)
		for i, path := range paths {
			if slices.ContainsFunc(paths[:i], func(other string) bool { return output.SameFile(path, other) }) {
				return Usagef("--%s names %s twice", one.flag, path)
			}
			c.Flags().VisitAll(func(other *pflag.Flag) { // those of a resumed job as well, which Visit passes over
				switch value := other.Value.String(); {
				case err != nil || !other.Changed || checked[other.Name] || ValueWord(other) != "FILE":
				case other.Name != one.replaces && output.SameFile(path, value):
					err = Usagef("--%s and --%s name the same file", one.flag, other.Name)
				case other.Name == "file" && decode.ReadsFile(value, path):
					err = Usagef("--%s: %s is in the folder %s, so it would be read with the other files: give a path outside of it", one.flag, path, value)
				}
			})
		}
	}
	return err
}

// summaryFilesOf returns the files of --summary-file in a command line whose flags can't all be
// parsed: those that can be written, and that no other argument names.
func summaryFilesOf(args []string) []string {
	var paths []string
	for i, arg := range args {
		path, ok := strings.CutPrefix(arg, "--"+flagSummaryFile+"=")
		if i > 0 && args[i-1] == "--"+flagSummaryFile {
			path, ok = arg, true
		}
		if !ok || checkSummaryFile(path) != nil {
			continue
		}
		for k, other := range args {
			_, value, _ := strings.Cut(other, "=")
			ok = ok && (k == i || !output.SameFile(path, other) && !output.SameFile(path, value) && !decode.ReadsFile(other, path) && !decode.ReadsFile(value, path))
		}
		if ok {
			paths = append(paths, path)
		}
	}
	return paths
}

// Finish tells the outcome of the command c, which returned err, to the CI system and in the files of --summary-file.
func (o *Outcome) Finish(c *cobra.Command, args []string, err error) error {
	if !o.summarized { // the command line is wrong, or the command is --help
		if err == nil || c == nil || c.Flags().Lookup(flagSummaryFile) == nil {
			return nil
		}
		o.summaryFiles, o.Summary.Operation = summaryFilesOf(args), operationOf(c)
	}
	failed := o.writeSummaries(err)
	if guard, ok := o.s.Err.(*summaryfile.CommandGuard); ok && o.s.onGitHub() {
		o.Summary.Annotate(guard.Unguarded(), o.s.Var("GITHUB_WORKSPACE"))
		if path := o.s.Var("GITHUB_STEP_SUMMARY"); path != "" {
			if err := atomicfile.Append(path, append(o.Summary.Markdown(), '\n'), 0o644); err != nil {
				o.s.Note("the summary of the step is not written: %v", err)
			}
		}
	}
	return failed
}

// writeSummaries writes the summary of a command that returned err. The exit code is another one if a file can't be written.
func (o *Outcome) writeSummaries(err error) error {
	o.summarize(err)
	var errs []error
	for _, path := range o.summaryFiles {
		if err := o.Summary.WriteFile(path); err != nil {
			errs = append(errs, err)
			removeOld(path) // which may have another exit code
		}
	}
	failed := errors.Join(errs...)
	if worst := worse(err, failed); ExitCode(worst) != ExitCode(err) {
		failed = cmp.Or(o.writeSummaries(worst), failed)
	}
	return failed
}

func (o *Outcome) summarize(err error) {
	s := &o.Summary
	if s.ExitCode = ExitCode(err); err != nil && s.ExitCode != ExitChanges {
		s.Error = safetext.Escape(o.s.hide(messageOf(err)), '\n')
	}
	if s.Faults == nil {
		o.AddFaults(err)
	}
	switch {
	case s.State != "":
	case err == nil && o.s.Flags.DryRun:
		s.State = summaryfile.StatePlanned
	case err == nil || s.ExitCode == ExitChanges:
		s.State = summaryfile.StateFinished
	default:
		s.State = summaryfile.StateFailed
	}
	s.IsWhole = s.State == summaryfile.StateStopped || s.State == summaryfile.StateFailed && decode.AsError(err) == nil
	if s.Requests == nil && s.Job == "" {
		requests, retries := cmp.Or(o.s.client, &client.Client{}).Count()
		s.Requests, s.Retries = &requests, &retries
	}
	if s.Seconds == 0 && !o.s.Started.IsZero() {
		s.Seconds = time.Since(o.s.Started).Round(time.Millisecond).Seconds()
	}
}

func (o *Outcome) AddFaults(err error) {
	s := &o.Summary
	all := append(s.Faults, faults(decode.AsError(err))...)
	s.Faults = all[:min(len(all), summaryfile.MaxListed)]
}

func (o *Outcome) Summarized(err error) summaryfile.Summary {
	_ = o.writeSummaries(err) // Finish returns the error
	return o.Summary.Printable()
}

func (s *Session) onGitHub() bool {
	if s.Flags.ci != "" {
		return s.Flags.ci == "github"
	}
	return s.Var("GITHUB_ACTIONS") == "true"
}

// hide takes tokens out of a text, since one may be typed as any word: those by their form, and those that this command uses.
func (s *Session) hide(text string) string {
	known := redact.Secrets{s.Var("RESELLER_TOKEN")}
	if s.client != nil {
		known = append(known, s.client.Secrets()...)
	}
	return redact.NewFilter(known).Text(redact.Tokens(text))
}

// GuardCommands keeps texts on stderr from being commands to GitHub Actions, if that reads it, and from repeating tokens.
func (s *Session) GuardCommands() {
	s.messages.w, s.messages.hide = s.Err, s.hide
	s.Err = summaryfile.NewCommandGuard(&s.messages, s.onGitHub)
}
