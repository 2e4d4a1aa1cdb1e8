package bulkcmd

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/phrase"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/output"
	"reseller/output/encode"
	"reseller/output/summaryfile"
)

var (
	summaryColumns = []string{"job", "operation", "rows", "sent", "present", "differs", "duplicates", "invalid", "refused", "unknown", "requests", "retries", "seconds", "remaining"}
	stepColumns    = []string{"customers_complete", "steps", "steps_done"}
	verifyColumns  = []string{"doubled", "missing"}
	endColumns     = []string{"exit_code", "state"}
)

func shapeOf(names []string) output.Shape {
	return output.Shape{Single: true, Columns: encode.Columns(names...)}
}

// isForPeople reports whether the summary is printed as a table whose columns the program chooses.
func isForPeople(session *cli.Session, to *cli.Output) bool {
	format, _ := to.Format()
	return format == encode.Table && session.Flags.JQ == "" && len(session.Flags.Columns) == 0
}

// tellOutcome keeps the sentence that says what is done, and tells it: above a table, and as a note beside output for programs,
// unless the load succeeded.
func tellOutcome(f *cli.Frame, out *cli.Out, sentence string, succeeded bool) (err error) {
	switch f.Outcome.Summary.Outcome = sentence; {
	case sentence == "":
	case isForPeople(f.Session, f.Output) && !f.Flags.NoHeader:
		w, _, _ := out.Text()
		_, err = io.WriteString(w, safetext.Escape(sentence)+"\n\n")
	case !succeeded:
		f.Note("%s", sentence)
	}
	return err
}

func summaryRow(issue decode.Issue, status int) summaryfile.Row {
	return summaryfile.Row{
		File: issue.File, Line: cli.OrNull(issue.Line), Row: cli.OrNull(issue.Row), Record: cli.OrNull(issue.Record),
		HTTPStatus: cli.OrNull(status), Reason: safetext.Cut(issue.Reason, safetext.MaxMessage),
	}
}

// A subject has the words of a sentence about a load: nouns for one row and for many, and how the rows are once they are loaded.
type subject struct {
	one, many, done string
	// An account that differs from the file counts as done. A keyword that differs does not: it may be deactivated.
	isInDespite bool
}

// notDone returns words for rows that were loaded, but that the last reading of the service does not show as done.
func (s subject) notDone() string {
	if s.done == doneIn {
		return "not listed by the service"
	}
	return "shown otherwise by the service"
}

// twice warns of rows that are sent again, where the service stores them again.
func (s subject) twice() string {
	if s.many == "customers" || s.done == doneIn {
		return "; a row that the list shows late is then stored twice"
	}
	return ""
}

const (
	doneIn     = "in" // the service holds them
	doneAsFile = "as the file says"
)

var subjects = map[string]subject{
	"apply":                      {"customer", "customers", doneAsFile, false},
	"onboard":                    {"customer", "customers", doneIn, true},
	schema.OpAccountsV1Create.ID: {"account", "accounts", doneIn, true},
	schema.OpAccountsV2Create.ID: {"account", "accounts", doneIn, true},
	schema.OpAccountsV1Update.ID: {"account", "accounts", doneAsFile, false},
	schema.OpAccountsV2Update.ID: {"account", "accounts", doneAsFile, false},
	schema.OpAccountsStatus.ID:   {"account", "accounts", doneAsFile, false},
	schema.OpCredentials.ID:      {"set of credentials", "sets of credentials", doneIn, false},
	schema.OpKeywordsCreate.ID:   {"keyword", "keywords", doneIn, false},
	schema.OpKeywordsUpdate.ID:   {"keyword", "keywords", doneAsFile, false},
	schema.OpKeywordsDelete.ID:   {"keyword", "keywords", "deleted", false},
	schema.OpNotesUpdate.ID:      {"note", "notes", doneAsFile, false},
}

// A telling has the numbers and names of which the sentence about a load is made.
type telling struct {
	job.Summary
	shard            string
	rejects, unknown string // the files with such rows
	toSend, lookedUp int    // of a dry run: the rows that would be sent, and those of them that are looked up first
	sentInPart       int    // the rows sent that also say something that can't be changed
	isDryRun         bool
}

// sentence says how many rows of the file are done, as far as that is known, and what became of the others.
func (o *telling) sentence() string {
	word, ok := subjects[o.Operation]
	if !ok {
		return ""
	}
	if o.shard != "" {
		word.one, word.many = word.one+" of shard "+o.shard, word.many+" of shard "+o.shard
	}
	n, done := o.Rows-o.Duplicates, o.Sent+o.Present-o.sentInPart-o.MissingIn[job.StateSent]-o.MissingIn[job.StatePresent]
	differ, despite := some(o.Differs, "differs from the file", "differ from the file"), ""
	if o.SentInPart > 0 {
		differ += fmt.Sprintf(", %d sent in part", o.SentInPart)
	}
	if word.isInDespite && o.Differs > 0 { // then a part of the sentence on the rows that are done tells of them
		done += o.Differs - o.MissingIn[job.StateDiffers]
		if despite, differ = ", of which "+differ, ""; done == o.Differs {
			_, differ, _ = strings.Cut(despite, " differ")
			despite, differ = " and differ"+differ, ""
		}
	}
	if o.isDryRun {
		return phrase.Sentences(phrase.Share(o.toSend, n, word.one, word.many)+" to be sent", some(o.lookedUp, "is looked up first", "are looked up first"),
			some(done, "is already "+word.done, "are already "+word.done)+despite, differ,
			some(o.Unknown, "would have an unknown outcome", "would have an unknown outcome"),
			some(o.Refused, "would be refused", "would be refused"), some(o.Invalid, "is invalid", "are invalid"))
	}
	rejected := phrase.Sentences(some(o.Refused, "was refused", "were refused"), some(o.Invalid, "is invalid", "are invalid"))
	if o.RejectsWritten {
		rejected = phrase.Count(o.Refused+o.Invalid, "row is", "rows are") + " in " + o.rejects
	}
	unknown := some(o.Unknown, "has an unknown outcome", "have an unknown outcome")
	if unknown != "" && o.UnknownWritten {
		unknown += ", see " + o.unknown
	}
	found, notDone := cmp.Or(o.Verification, &job.Verification{}), word.notDone()
	earlier, share := some(o.Earlier, word.one+" of an earlier run was not compared again", word.many+" of earlier runs were not compared again"), ""
	acknowledged := o.acknowledged(word)
	if done -= o.Earlier; done > 0 || o.Earlier == 0 {
		share = o.share(done, n, word) + despite
	}
	inPart := ""
	switch {
	case o.InPart == 0 || word.done != doneIn:
	case n == 1:
		inPart = "a part of it is there"
	case done == n-1:
		inPart = "the other is there in part"
	case done == 0:
		inPart = some(o.InPart, "of them is there in part", "of them are there in part")
	default:
		inPart = some(o.InPart, "of the others is there in part", "of the others are there in part")
	}
	return phrase.Sentences(share, inPart, earlier, some(o.pruned(), "that it does not name is deactivated", "that it does not name are deactivated"), differ,
		some(o.sentInPart, "was sent without what can't be changed", "were sent without what can't be changed"), rejected, unknown,
		some(acknowledged, "was acknowledged, and the service does not list it yet", "were acknowledged, and the service does not list them yet"),
		some(found.Missing-acknowledged, "is "+notDone, "are "+notDone), some(found.Doubled, "is there more than once", "are there more than once"),
		some(o.Remaining, "is not done yet", "are not done yet"))
}

func (o *telling) share(done, n int, word subject) string {
	if o.Remaining+o.Unknown+o.acknowledged(word) > 0 { // the service may hold such a row, too
		word.done = "known to be " + word.done
	}
	switch {
	case n == 0:
		return "the file has no " + word.many
	case n == 1 && done == 0:
		return "the only " + word.one + " is not " + word.done
	case done < n && done > 0:
		return phrase.Share(done, n, word.one, word.many) + " " + word.done
	case done == 0:
		return "none of " + phrase.Count(n, word.one, word.many) + " is " + word.done
	}
	all := phrase.Noun(n, "", "all ") + phrase.Count(n, word.one, word.many)
	if n == 2 {
		all = "both " + word.many
	}
	if o.Present == n && o.pruned() == 0 {
		return all + phrase.Noun(n, " was", " were") + " already " + word.done + ", so nothing was sent"
	}
	return all + phrase.Noun(n, " is ", " are ") + word.done
}

// acknowledged returns the number of rows that the service has acknowledged, and that the last reading does not list.
func (o *telling) acknowledged(word subject) int {
	if word.done == doneIn {
		return o.MissingIn[job.StateSent]
	}
	return 0
}

func (o *telling) pruned() int { return cmp.Or(o.StepCounts, &job.StepCounts{}).Pruned }

func some(n int, one, many string) string {
	if n == 0 {
		return ""
	}
	return phrase.Count(n, one, many)
}
