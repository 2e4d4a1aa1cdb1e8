// Package summaryfile tells the outcome of a command to other programs and to people: as JSON, as a
// JUnit report, as a page of Markdown, and as annotations of GitHub Actions.
package summaryfile

import (
	"cmp"
	"fmt"
	"strings"

	"reseller/client/bulk/job"
	"reseller/client/phrase"
	"reseller/output"
)

const (
	StateFinished = "finished" // nothing is left to do, whether or not all rows succeeded
	StateStopped  = "stopped"  // the command ended before all rows were tried
	StateFailed   = "failed"   // the command ended before it tried any row
	StatePlanned  = "planned"  // a dry run: nothing was sent
)

// MaxListed is how many faults and rows of a kind a summary lists.
const MaxListed = 10_000

// A Summary is the outcome of a command that reads a file or makes several requests.
type Summary struct {
	job.Summary
	ExitCode    int            `json:"exit_code"`
	State       string         `json:"state" enum:"finished,stopped,failed,planned"`
	Error       string         `json:"error,omitempty"` // why the command failed
	Faults      []output.Fault `json:"faults"`
	RefusedRows []Row          `json:"refused_rows"`
	UnknownRows []Row          `json:"unknown_rows,omitempty"`
	DoubledRows []Row          `json:"doubled_rows,omitempty"`
	MissingRows []Row          `json:"missing_rows,omitempty"`

	Outcome string   `json:"-"` // a sentence that says what is done; may be empty
	IsWhole bool     `json:"-"` // Error is about the command as a whole and not about its rows
	Shard   string   `json:"-"` // the shard of the input that the command reads, empty if it reads all of it
	Input   string   `json:"-"` // the file or folder that the command reads; empty if it reads none
	Files   []string `json:"-"` // the files of the folder; nil if Input is no folder
	Subject []string `json:"-"` // for each request in order, names and ids of its records, if the command reads no rows of its own
}

// A Row is a row that was refused, of which nobody knows the outcome, or that the service holds twice or not at all. It has
// null for fields that do not apply.
type Row struct {
	File       string  `json:"file,omitempty"` // the name of a file of a folder
	Line       *int    `json:"line"`
	Row        *int    `json:"row"`    // the number that a spreadsheet shows for the row
	Record     *string `json:"record"` // the field and the value that name the record
	HTTPStatus *int    `json:"http_status"`
	Reason     string  `json:"reason"`
}

func Add(list *[]Row, row Row) {
	if len(*list) < MaxListed {
		*list = append(*list, row)
	}
}

// An entry is a fault or a row that a summary lists, or the error of the command.
type entry struct {
	kind string
	Row
	column string // of a fault
}

const (
	kindInvalid = "invalid"
	kindRefused = "refused"
	kindUnknown = "unknown"
	kindDoubled = "doubled"
	kindMissing = "missing"
)

func valueOf[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func (s *Summary) entries() []entry {
	var all []entry
	for _, f := range s.Faults {
		all = append(all, entry{kindInvalid, Row{File: f.File, Line: f.Line, Row: f.Row, Reason: f.Reason}, valueOf(f.Column)})
	}
	for _, list := range []struct {
		kind string
		rows []Row
	}{{kindRefused, s.RefusedRows}, {kindUnknown, s.UnknownRows}, {kindDoubled, s.DoubledRows}, {kindMissing, s.MissingRows}} {
		for _, r := range list.rows {
			all = append(all, entry{kind: list.kind, Row: r})
		}
	}
	return all
}

func (e entry) place() string {
	row := ""
	if line := valueOf(e.Line); line > 0 {
		row = fmt.Sprintf("line %d", line)
	} else if n := valueOf(e.Row.Row); n > 0 {
		row = fmt.Sprintf("row %d", n)
	}
	return phrase.List(row, e.column)
}

func (e entry) String() string {
	text, status := phrase.Refusal(e.place(), 0, phrase.Refusal(valueOf(e.Record), 0, e.Reason)), valueOf(e.HTTPStatus)
	if strings.Contains(text, fmt.Sprintf("(%d)", status)) {
		return text
	}
	return phrase.Refusal(text, status)
}

// path returns the path of a file of the input, empty for standard input.
func (s *Summary) path(file string) string {
	switch {
	case s.Input == "-":
		return ""
	case file != "":
		return strings.TrimSuffix(s.Input, "/") + "/" + file
	}
	return s.Input
}

type part struct {
	name    string
	failed  []entry
	skipped bool // the request was not made, or nobody knows whether all rows of the file were tried
}

// parts returns the files of the input, or the requests, which are made in their order, with the failures of each. If the
// command failed for a reason that is none of theirs, all of it is one more part. A run that names rows as unknown has ended for
// no other reason.
func (s *Summary) parts(entries []entry) []part {
	var all []part
	switch {
	case s.Subject != nil:
		for i, subject := range s.Subject {
			all = append(all, part{name: subject, skipped: i >= s.Sent+s.Refused})
		}
	case s.Files != nil:
		for _, file := range s.Files {
			all = append(all, part{name: s.path(file), skipped: s.State == StateFailed || s.State == StateStopped})
		}
	case s.Input != "":
		all = append(all, part{name: s.Input})
	}
	rest, places := part{name: s.Operation}, map[string]*part{}
	for i := range all {
		places[all[i].name] = &all[i]
	}
	other := &rest // for what is of no part
	if len(all) == 1 {
		other = &all[0]
	}
	for _, e := range entries {
		name := valueOf(e.Record)
		if s.Subject == nil {
			name = s.path(e.File)
		}
		of := cmp.Or(places[name], other)
		of.failed = append(of.failed, e)
	}
	if s.Error != "" && (s.IsWhole && s.UnknownRows == nil || len(entries) == 0 || s.Unknown > len(s.UnknownRows)) {
		other.failed = append(other.failed, entry{kind: s.State, Row: Row{Reason: s.Error}})
	}
	if rest.failed != nil || all == nil {
		all = append(all, rest)
	}
	return all
}
