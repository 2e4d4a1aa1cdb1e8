package loads

import (
	"errors"
	"path/filepath"
	"regexp"
	"strings"

	"reseller/client"
)

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

var quotedText = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// inProgramWords returns a text in the words of a program, but for the path of the file and what is quoted.
func inProgramWords(text, path string) string {
	if before, after, ok := strings.Cut(text, path); ok && filepath.IsAbs(path) {
		return inProgramWords(before, "") + path + inProgramWords(after, path)
	}
	var out strings.Builder
	end := 0
	for _, at := range quotedText.FindAllStringIndex(text, -1) {
		out.WriteString(programWords.Replace(text[end:at[0]]) + text[at[0]:at[1]])
		end = at[1]
	}
	return out.String() + programWords.Replace(text[end:])
}

// A programError is an error whose text is in the words of a program. That of a refusal is the service's.
type programError struct {
	error
	path string
}

func (e *programError) Error() string {
	if errors.As(e.error, new(*client.Error)) {
		return e.error.Error()
	}
	return inProgramWords(e.error.Error(), e.path)
}

func (e *programError) Unwrap() error { return e.error }
