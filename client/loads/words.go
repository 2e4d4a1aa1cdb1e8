package loads

import "strings"

// programWords has, for the flags and the words of commands that errors and notes have, those of a program.
var programWords = strings.NewReplacer(
	"--csv-safe puts", "exports put",
	", or name its encoding, as in --encoding windows-1252", "",
	", for which to try --encoding utf-16be", "", ", for which to try --encoding utf-16le", "",
	"--ignore-unknown", "Load.Schema.IgnoreUnknown",
	"--input-format csv", "a name that ends with .csv",
	"--input-format ndjson", "a name that ends with .ndjson",
	"--input-format", "a name that ends with the format",
	"--keyword-separator", "Load.Schema.ListSeparators with",
	"--map-file", "Load.Schema.MapFile",
	"--map", "Load.Schema.Map",
	"--restart", "another job.Store",
	"--resend-sent", "Options.ResendSent",
	"--resend-unknown", "Options.ResendUnknown",
	"--settle-time", "Options.SettleTime",
	"--sheet takes another one", "not read",
	"--strict", "Load.Schema.Strict",
	"--verify", "Options.Verify",
	"--visible-rows", "Load.Schema.VisibleRows",
	"`accounts update --file` changes", "loads.AccountUpdates changes",
	"`reseller keywords get", "`Client.Keyword",
	"and no flag sets it", "and Load.Schema.Constants does not set it",
	"the value of the flag", "the value of Load.Schema.Constants",
	"the flag's value", "the value of Load.Schema.Constants,",
	"Ctrl-C stops", "the end of the context stops",
	"those of this command", "those of this load",
	"the same command", "the next run",
	"when this command started", "when this run started",
)

// A programError is an error whose text is in the words of a program.
type programError struct{ error }

func (e *programError) Error() string { return programWords.Replace(e.error.Error()) }
func (e *programError) Unwrap() error { return e.error }
