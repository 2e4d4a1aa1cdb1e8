package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"reseller/client/bulk"
	"reseller/client/bulk/history"
	"reseller/client/bulk/job"
	"reseller/client/record"
	"reseller/client/trust"
	"reseller/config"
	"reseller/config/token"
)

func (s *Session) stateDir() (string, error) {
	if dir := cmp.Or(s.Flags.stateDir, s.Var("RESELLER_STATE_DIR")); dir != "" {
		return filepath.Abs(dir)
	}
	if dir := s.userFolder("XDG_STATE_HOME", ".local/state"); dir != "" {
		return dir, nil
	}
	return "", &UsageError{Message: "no folder for jobs: neither XDG_STATE_HOME nor HOME is set to an absolute path", Hint: "name one: --state-dir DIR"}
}

// JobCommand returns a command on the jobs as the user runs it: with --state-dir, if that was given.
func (s *Session) JobCommand(words string) string {
	if s.Flags.changed("state-dir") {
		words += " --state-dir " + trust.ShellWord(s.Flags.stateDir)
	}
	return "`reseller jobs " + words + "`"
}

// ResumeCommand returns the command that resumes a job: with --base-url, if the user must confirm its address.
func (s *Session) ResumeCommand(h job.Header) string {
	words := "resume " + h.ID
	if !s.NamesAddress(h) {
		words += " --base-url " + trust.ShellWord(h.BaseURL)
	}
	return s.JobCommand(words)
}

func (s *Session) JobSettings(h job.Header, flags map[string]string) (*config.Settings, error) {
	flags["profile"] = h.Profile
	if s.Flags.AllowHTTP || h.Flags["allow-http"] != nil {
		flags["allow-http"] = "true"
	}
	return config.Load(config.Env{Lookup: s.Env}, config.FlagsOf(flags))
}

// NamesAddress reports whether a token of the environment may go to the address of a job
// because the environment or the profile of the job names it, or there is no such token.
// All other tokens serve their own address only.
func (s *Session) NamesAddress(h job.Header) bool {
	settings, err := s.JobSettings(h, map[string]string{})
	return err == nil && (h.BaseURL == "mock" || !settings.HasUnboundToken() || slices.Contains(settings.NamedAddresses(), h.BaseURL))
}

// Jobs returns the store of the jobs on this machine. A store in which somebody else
// could put journals is an error: a journal says what is sent, and to which address.
func (s *Session) Jobs() (job.Store, error) {
	dir, err := s.stateDir()
	if err != nil {
		return "", err
	}
	store := filepath.Join(dir, "jobs")
	if dir, err = trust.Resolve(dir); err == nil {
		// Whoever may write to the state folder, which need not lie below home, could replace
		// the folder of the jobs.
		store = filepath.Join(dir, "jobs")
		home := s.Var("HOME")
		err = cmp.Or(trust.CheckFolder(store, home), trust.CheckFolder(dir, home), trust.CheckUnshared(store), trust.CheckUnshared(dir), trust.CheckNoLinks(store))
	}
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return "", fmt.Errorf("the folder of the jobs %s: %w", store, at.Err)
	}
	if err != nil {
		return "", fmt.Errorf("the folder of the jobs %w", err)
	}
	return job.Store(store), nil
}

type Destination struct {
	BaseURL string // "mock" for the built-in mock
	Server  string
	Subject string // the subject of the token, empty for the built-in mock
}

func (s *Session) Destination(ctx context.Context) (Destination, error) {
	address, err := s.Address()
	if err != nil {
		return Destination{}, err
	}
	d := Destination{BaseURL: address.URL, Server: address.Server}
	if address.BuiltInMock {
		d.BaseURL = "mock"
		return d, nil
	}
	text, err := s.Token(ctx)
	d.Subject = token.ParseClaims(text).Subject
	return d, err
}

// Memory returns what this machine has written to the server of the command, for its reseller.
func (s *Session) Memory(ctx context.Context) (m bulk.Memory, err error) {
	store, err := s.Jobs()
	to, failed := s.Destination(ctx)
	if err = cmp.Or(err, failed); err != nil {
		return m, err
	}
	return bulk.Remember(store, job.Key{BaseURL: to.BaseURL, Subject: to.Subject})
}

// Unlisted returns words for the error that a list lacks a record, if this machine has created such records so lately that the list
// may be late; else an empty text. A record is an account or a keyword.
func (s *Session) Unlisted(what string) (words string) {
	m, err := s.Memory(s.Context)
	if err == nil {
		_ = m.Each(what, bulk.MaxListLag, nil, func(int, *job.Memory, job.SentRow) {
			words = "; the service may not list yet what this machine has created in the last two minutes"
		})
	}
	return words
}

// isLate returns the function that looks into the journals of this machine for changes of a field. It reads them when it is called first.
func (s *Session) isLate() record.LateFunc {
	read := sync.OnceValues(func() (record.LateFunc, error) {
		m, err := s.Memory(s.Context)
		if err != nil {
			return nil, err
		}
		return m.LastChanges()
	})
	note := sync.OnceFunc(func() {
		s.Note("rows that the list shows as the file says are not taken as done: this machine has changed them since, and the list may be late")
	})
	return func(key string, id record.Value, field string, v record.Value, isWanted bool) bool {
		isLate, err := read()
		found := err == nil && isLate(key, id, field, v, isWanted) // after an error, no job begins
		if found && isWanted {
			note()
		}
		return found
	}
}

// History opens the history of the destination, nil for a dry run if nothing was ever sent, which takes no token.
func (s *Session) History(ctx context.Context) (*history.History, error) {
	path, err := s.historyPath()
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); s.Flags.DryRun && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	to, err := s.Destination(ctx)
	if err != nil {
		return nil, err
	}
	h, err := history.Open(path, to.BaseURL, to.Subject)
	if err == nil {
		h.Sent = s.Flags.ResendSent
	}
	return h, err
}

// historyPath returns the path of the history. That of the built-in mock lies beside its database, with which it is reset.
func (s *Session) historyPath() (string, error) {
	address, err := s.Address()
	if err != nil {
		return "", err
	}
	if address.BuiltInMock {
		database, err := s.MockPath("")
		return MockHistory(database), err
	}
	store, err := s.Jobs()
	return history.Path(string(store)), err
}
