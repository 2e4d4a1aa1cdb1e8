package bulkcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/phrase"
	"reseller/client/schema"
	"reseller/cmd/cli"
)

func (l *load) beginJob(ctx context.Context) (*job.Job, error) {
	store, h, err := l.jobHeader(ctx)
	if err != nil {
		return nil, err
	}
	if l.f.Resumes != nil {
		h.ID = l.f.Resumes.ID
	}
	j, err := bulk.Begin(store, h, l.source, l.Restart)
	if err == nil && j.Resumed() && j.References != h.References {
		_ = j.Close()
		return nil, cli.Usagef("a name or an external identifier in the file stands for another account or campaign than when job %s began", j.ID).
			Hinted("nothing was sent; name the accounts by their ids, or begin a new job with --restart")
	}
	return j, err
}

// hintBusy gives an error that names a running job a hint, unless it has one.
func (l *load) hintBusy(err error) error {
	busy, ok := errors.AsType[*job.BusyError](err)
	switch {
	case !ok || cli.Hint(err) != "":
		return err
	case busy.ID == "":
		return cli.WithHint(err, "wait until it finishes")
	case busy.Finished:
		return cli.WithHint(err, "nothing was sent; run the original command to load the file again")
	}
	return cli.WithHint(err, "wait until it finishes, or stop it; "+l.f.JobCommand("show "+busy.ID)+" shows its progress")
}

// awaitUpdates waits until no call of another job can replace the changes of the load any more.
func (l *load) awaitUpdates(ctx context.Context) error {
	op := &l.resource.Operation
	if isUpdate := op.Idempotent || l.UpdateExisting || op.Creates == "" && !op.Unverifiable(); !isUpdate || l.f.Flags.DryRun {
		return nil
	}
	store, h, err := l.jobHeader(ctx)
	if err != nil {
		return err
	}
	h.Restarted = l.Restart
	return bulk.AwaitUpdates(ctx, store.Preview(h, 0), l.options())
}

// previewJob returns the job that the load would create, without creating it, and notes
// where the load would go on if it resumed one. It returns nil if nothing is known of earlier loads, and changes no file.
func (l *load) previewJob(ctx context.Context) (*job.Job, error) {
	store, err := l.f.Jobs()
	if err != nil {
		return nil, err
	}
	if files, _ := os.ReadDir(string(store)); len(files) == 0 {
		return nil, nil
	}
	_, h, err := l.jobHeader(ctx)
	if err != nil {
		return nil, nil // without a token, nobody knows whose jobs are meant
	}
	key, err := store.HashKey([16]byte{})
	if err != nil {
		return nil, err
	}
	l.source.SetHashKey(key)
	j := store.Preview(h, l.source.Len())
	j.Restarted, j.Started = l.Restart, time.Now()
	status, err := l.unfinishedJob(ctx)
	if status == nil {
		return j, err
	}
	j = store.PreviewResumed(status)
	sum := status.Summary
	again, lookedUp := "", ""
	if l.resource.Operation.Snapshot != nil || l.Steps != nil {
		lookedUp = " and is looked up"
	}
	switch {
	case l.Steps == nil && l.resource.NeedsHistory(): // which knows more than the job
		l.f.Note("without --dry-run, this command resumes job %s", status.ID)
		return j, nil
	case l.resource.Operation.Changes:
		again = ", besides what somebody has changed since"
	case sum.StepCounts != nil:
		again = fmt.Sprintf("; %d of %s done", sum.StepsDone, phrase.Count(sum.Steps, "step is", "steps are"))
	}
	l.f.Note("without --dry-run, this command resumes job %s: of %s, %s done, %s, and %s left to send%s",
		status.ID, phrase.Count(sum.Rows, "row", "rows"), phrase.Count(status.Done, "is", "are"),
		phrase.Count(sum.Unknown, "has an unknown outcome"+lookedUp, "have an unknown outcome"+strings.Replace(lookedUp, "is", "are", 1)),
		phrase.Count(sum.Remaining, "is", "are"), again)
	return j, nil
}

// unfinishedJob returns the job that the load resumes, nil if it begins one.
func (l *load) unfinishedJob(ctx context.Context) (*job.Status, error) {
	store, h, err := l.jobHeader(ctx)
	if err != nil {
		return nil, err
	}
	status, ok, err := store.Unfinished(h.Key)
	switch {
	case ok && status.State == job.JobRunning:
		return nil, &job.BusyError{ID: status.ID}
	case err != nil || !ok || l.Restart:
		return nil, err
	}
	return &status, nil
}

// hasRows reports whether rows of the file were loaded or refused: by the job of the load, or by an unfinished one, also
// if its reseller is not known for want of a token.
func (l *load) hasRows() bool {
	if s := &l.f.Outcome.Summary; s.Job != "" {
		return s.Sent+s.Present+s.Differs+s.Refused > 0
	}
	store, err := l.f.Jobs()
	if err != nil {
		return false
	}
	digest, err := l.source.Digest()
	return err == nil && store.HoldsRows(l.resource.Operation.Name, digest, l.shard)
}

func checkResumed(old *job.Header, h job.Header) error {
	if old == nil {
		return nil
	}
	was, is := old.Key, h.Key
	mapped := ""
	if path := old.Flags["map-file"]; path != nil && !maps.Equal(was.Mapping, is.Mapping) {
		mapped = path[0]
	}
	switch {
	case mapped != "" && was.Digest == is.Digest:
		return changedFile(mapped, old.ID)
	case mapped != "":
		return changedFile(old.File+" or "+mapped, old.ID)
	case was.Digest != is.Digest && old.File != h.File:
		return cli.Usagef("%s does not have the content that job %s began with", h.File, old.ID).
			Hinted("resume the job with the same content, or load this file as a new job")
	case was.Digest != is.Digest:
		return changedFile(old.File, old.ID)
	case was.Subject != is.Subject:
		return cli.Usagef("the token belongs to a different reseller than the job: subject %q, not %q", is.Subject, was.Subject)
	case was.Hash() != is.Hash():
		return cli.Usagef("job %s can't be resumed, since its settings have changed: run the original command", old.ID)
	}
	return nil
}

func changedFile(path, id string) error {
	return cli.Usagef("%s has changed since job %s started", path, id).Hinted("restore the file, or load its new content as a new job")
}

// transientFlags are not saved with the other flags of a job: the header of the job
// has the file, and the rest apply to one run only.
var transientFlags = []string{"file", "input-format", "example", "restart", "resend-unknown", "save-map", "summary-file"}

func (l *load) jobHeader(ctx context.Context) (store job.Store, h job.Header, err error) {
	if store, err = l.f.Jobs(); err != nil {
		return store, h, err
	}
	settings, err := l.f.Settings()
	if err != nil {
		return store, h, err
	}
	to, err := l.f.Destination(ctx)
	if err != nil {
		return store, h, err
	}
	source := l.source
	h.Kept = l.kept
	h.Operation, h.Profile, h.Shard = l.resource.Operation.Name, settings.Profile(), l.shard
	h.BaseURL, h.Server, h.Subject = to.BaseURL, to.Server, to.Subject
	if h.Digest, err = source.Digest(); err != nil {
		return store, h, err
	}
	if h.File = l.Path; source.File.IsCopy() { // a pipe, whatever its name is
		h.File = "-"
	} else {
		h.File = absolutePath(h.File)
	}
	h.Format, h.Secret = source.File.Format, source.Layout.HoldsSecrets() && h.File == "-"
	h.Mapping, h.References = maps.Clone(source.MappingKey), source.Layout.References()
	h.Mapping["--input-format"] = h.Format
	given := func(to map[string]string, flag string, isGiven bool, value string) {
		if isGiven {
			to[flag] = value
		}
	}
	given(h.Mapping, "--sheet", source.File.Sheet() != "", source.File.Sheet())
	given(h.Mapping, "--encoding", source.File.Encoding != "", source.File.Encoding)
	given(h.Mapping, "--visible-rows", l.visible, "true")
	h.Constants = map[string]string{}
	for name, value := range l.Constants {
		if field := l.resource.Schema.Resource.Field(name); field == nil || field.Type != schema.Password {
			h.Constants[name] = value.Text()
		}
	}
	for name, value := range l.Defaults {
		h.Constants["default "+name] = value.Text()
	}
	for _, known := range l.JobKey {
		name, value, _ := strings.Cut(known, "=")
		h.Constants[name] = value
	}
	given(h.Constants, "--empty", l.empty == "clear", l.empty)
	given(h.Constants, "--strict", l.f.Flags.Strict, "true")
	h.Command = strings.Fields(l.command.CommandPath())[1:]
	h.Flags = map[string][]string{}
	l.command.LocalNonPersistentFlags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Changed || slices.Contains(transientFlags, flag.Name) {
			return
		}
		h.Flags[flag.Name] = cli.FlagValues(flag)
	})
	if all := slices.Concat(l.mapping.given, l.mapping.asked()); all != nil {
		h.Flags["map"] = all
	}
	if l.mapping.isAsked && l.mapping.saveTo != "" { // which has the values of the form, too
		h.Flags["map-file"] = []string{l.mapping.saveTo}
	}
	for name, texts := range h.Flags {
		if (slices.Contains(writtenFiles, name) || strings.HasSuffix(name, "-file")) && texts[0] != "-" {
			h.Flags[name] = []string{absolutePath(texts[0])}
		}
	}
	if l.f.Flags.AllowHTTP {
		h.Flags["allow-http"] = []string{"true"}
	}
	return store, h, checkResumed(l.f.Resumes, h)
}

func absolutePath(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// commandOf returns the command of a job. It is one that loads a file, and the flags of the
// job are its own: whoever writes a journal chooses the command and the flags.
func commandOf(root *cobra.Command, h *job.Header) (*cobra.Command, error) {
	c, rest, err := root.Find(h.Command)
	if err != nil || len(rest) > 0 || c.RunE == nil || c.Flags().Lookup("rejects") == nil {
		return nil, cli.Usagef("job %s was started by a command that this version does not have: %s", h.ID, strings.Join(h.Command, " "))
	}
	for _, name := range slices.Sorted(maps.Keys(h.Flags)) {
		if c.LocalNonPersistentFlags().Lookup(name) == nil && name != "allow-http" {
			return nil, cli.Usagef("job %s can't be resumed: %s has no flag --%s of its own", h.ID, c.CommandPath(), name)
		}
	}
	return c, nil
}

var writtenFiles = []string{"rejects", "results", "unknown"}

// Resume runs the command of a job again, with the address, profile and input of the
// job. The input is read from path, if it is not empty.
func Resume(ctx context.Context, session *cli.Session, outcome *cli.Outcome, root *cobra.Command, h job.Header, path string) error {
	store, err := session.Jobs()
	if err != nil {
		return err
	}
	c, err := commandOf(root, &h)
	if err != nil {
		return err
	}
	set := func(name, value string) {
		if err == nil {
			err = c.Flags().Set(name, value)
		}
	}
	c.InheritedFlags() // adds the global flags to the command
	set("profile", h.Profile)
	if h.BaseURL == "mock" {
		set("server", "mock")
	} else {
		set("base-url", h.BaseURL)
	}
	set("file", cmp.Or(path, h.Input(store)))
	set("input-format", h.Format)
	for _, name := range slices.Sorted(maps.Keys(h.Flags)) {
		for _, text := range h.Flags[name] {
			set(name, text)
		}
	}
	if err != nil {
		return cli.Usagef("job %s can't be resumed: %v", h.ID, err)
	}
	if err := outcome.Begin(c); err != nil {
		return err
	}
	c.SetContext(ctx)
	session.Resumes = &h
	return c.RunE(c, nil)
}

// A loadResult is the outcome of a load, from which its error and hints are made.
type loadResult struct {
	resume     string // the command that resumes the job, and words about the input that the user must give to it again
	rejects    string
	unknown    string
	correction string // which flags the command for the corrected rejects has or lacks
	isShard    bool   // other machines load the other rows of the file
	finished   bool
	advice     string // what else the user can do about unknown rows
}

func resultOf(session *cli.Session, h job.Header) loadResult {
	end := loadResult{resume: session.ResumeCommand(h), isShard: h.Shard != ""}
	if h.Secret { // so the input is not kept
		end.resume += ", with the same input on stdin,"
	}
	return end
}

// ResendCommand returns the command that sends the rows of a job with an unknown outcome again.
func ResendCommand(session *cli.Session, h job.Header) string {
	end := resultOf(session, h)
	return end.resend()
}

func (e *loadResult) resend() string {
	at := strings.LastIndexByte(e.resume, '`')
	return e.resume[:at] + " --resend-unknown" + e.resume[at:]
}

func (e *loadResult) error(s job.Summary, err error) error {
	if err != nil {
		code := cli.ExitCode(err)
		switch {
		case errors.As(err, new(*bulk.IncompleteError)), errors.As(err, new(*bulk.NoResponseError)):
			code = cli.ExitUnreachable
		case code == cli.ExitNotFound: // which is for a single id asked for
			code = cli.ExitRefused
		}
		done := s.Sent + s.Present + s.Differs + s.Refused
		hint := e.resume + " resumes the job"
		switch {
		case errors.As(err, new(*job.BusyError)):
			hint = "wait until it finishes, or stop it; then " + hint
		case errors.Is(err, decode.ErrChanged):
			hint = "restore the file; then " + hint
		case errors.Is(err, client.ErrNotOffered):
			hint = "the service does not have this operation, so resuming the job would fail as well"
		}
		if code == cli.ExitUsage && (s.Requests == nil || *s.Requests > 0) {
			code = cli.ExitFailed // since ExitUsage says that nothing was sent
		}
		return &cli.ExitError{Code: code, Err: fmt.Errorf("%w; %s done", err, phrase.Share(done, s.Rows-s.Duplicates, "row", "rows")), Hint: hint}
	}
	found := cmp.Or(s.Verification, &job.Verification{})
	if s.Refused+s.Unknown+s.Invalid+s.Altered+found.Doubled+found.Missing == 0 {
		return nil
	}
	var parts []string
	refused := "refused"
	if s.Refusal != "" {
		refused += " (" + s.Refusal + ")"
	}
	for _, part := range []struct {
		n    int
		word string
	}{{s.Refused, refused}, {s.Unknown, "unknown"}, {s.Invalid, "invalid"}, {s.Altered, "sent and stored otherwise"}, {found.Doubled, "in the service more than once"}, {found.Missing, subjects[s.Operation].notDone()}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.word))
		}
	}
	out := &cli.ExitError{Code: cli.ExitPartial, Err: fmt.Errorf("%s: %s", phrase.Count(s.Rows, "row", "rows"), strings.Join(parts, ", "))}
	when := func(isSo bool, hint string) string {
		if isSo {
			return hint
		}
		return ""
	}
	next := ""
	switch {
	case e.finished && found.Missing > 0:
		next = "the lists of the service may be late: the same command with --verify reads them again; with --restart it sends these rows again" + subjects[s.Operation].twice()
	case s.Unverifiable && s.Unknown > 0:
		why, again := "what became of unknown rows can't be found out", "the same command with --resend-unknown"
		if !e.finished {
			again = e.resend()
		}
		if s.MayBeShown && !e.finished {
			why = e.resume + " looks up the unknown rows again; of those that it does not find, nothing more can be known"
		}
		next = why + ": check the current data; " + again + " sends them again"
	case !e.finished:
		next = e.resume + " looks up the unknown rows again"
	case s.Unknown > 0 && e.advice == "":
		next = "the same command looks up the unknown rows again"
	}
	isOf := func(operation string) bool { return found.Doubled > 0 && strings.HasPrefix(s.Operation, operation) } // of a customer, the notes tell which parts are there twice
	out.Hint = phrase.Sentences(
		when(s.RejectsWritten, "the rows that were not loaded are in "+e.rejects+": correct them there, and give that file to the same command"+e.correction), when(s.UnknownWritten, "the rows with an unknown outcome are in "+e.unknown),
		when(isOf("accounts."), "of accounts that are there more than once, deactivate all but one, and give those another external_account_identifier: `reseller accounts update ACCOUNT_ID`"),
		when(isOf("keywords."), "of those that are there more than once, delete all but one: `reseller keywords delete RANK_ID`"),
		next, e.advice)
	var failed []int
	if s.Refused > s.Unfit {
		failed = append(failed, cli.ExitRefused)
	}
	if s.Invalid+s.Unfit > 0 {
		failed = append(failed, cli.ExitUsage)
	}
	isPart := s.Sent+s.Present+s.Differs+s.Unknown > 0 || s.PartialSteps || e.isShard && s.Invalid > 0 // of what was to be loaded
	if len(failed) > 0 && !isPart {
		out.Code = cli.JointExitCode(len(failed), failed...)
	}
	return out
}
