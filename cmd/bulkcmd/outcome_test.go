package bulkcmd

import (
	"testing"

	"reseller/client/bulk/job"
)

// TestOutcomeSentence makes the sentence about a load from each of its counts with none, one and several rows.
func TestOutcomeSentence(t *testing.T) {
	load := func(operation string, rows int, s job.Summary) telling {
		s.Operation, s.Rows = operation, rows
		return telling{Summary: s, rejects: "rejects.csv", unknown: "unknown.csv"}
	}
	ofShard := load("keywords.create", 28, job.Summary{Sent: 28})
	ofShard.shard = "1/2"
	dryRun := func(operation string, rows, toSend int, s job.Summary) telling {
		o := load(operation, rows, s)
		o.toSend, o.isDryRun = toSend, true
		return o
	}
	for _, c := range []struct {
		name string
		of   telling
		want string
	}{
		{"all", load("onboard", 55, job.Summary{Sent: 55}), "all 55 customers are in"},
		{"the only one", load("onboard", 1, job.Summary{Sent: 1}), "1 customer is in"},
		{"no rows", load("onboard", 0, job.Summary{}), "the file has no customers"},
		{"repeated rows count once", load("keywords.create", 5, job.Summary{Sent: 3, Duplicates: 2}), "all 3 keywords are in"},
		{"rejects", load("onboard", 55, job.Summary{Sent: 50, Refused: 3, Invalid: 2, RejectsWritten: true}), "50 of 55 customers are in; 5 rows are in rejects.csv"},
		{"one rejected", load("onboard", 2, job.Summary{Sent: 1, Refused: 1, RejectsWritten: true}), "1 of 2 customers is in; 1 row is in rejects.csv"},
		{"no rejects file", load("onboard", 55, job.Summary{Sent: 50, Refused: 3, Invalid: 2}), "50 of 55 customers are in; 3 were refused; 2 are invalid"},
		{"all refused", load("keywords.create", 3, job.Summary{Refused: 3, RejectsWritten: true}), "none of 3 keywords is in; 3 rows are in rejects.csv"},
		{"the only one refused", load("keywords.create", 1, job.Summary{Refused: 1}), "the only keyword is not in; 1 was refused"},
		{"nothing to do", load("accounts.v2.create", 55, job.Summary{Present: 55}), "all 55 accounts were already in, so nothing was sent"},
		{"nothing to do for one", load("accounts.v2.update", 1, job.Summary{Present: 1}), "1 account was already as the file says, so nothing was sent"},
		{"some were there", load("accounts.v2.create", 55, job.Summary{Sent: 5, Present: 50}), "all 55 accounts are in"},
		{"held otherwise", load("keywords.create", 55, job.Summary{Present: 53, Differs: 2}), "53 of 55 keywords are in; 2 differ from the file"},
		{"the only one held otherwise", load("keywords.create", 1, job.Summary{Differs: 1}), "the only keyword is not in; 1 differs from the file"},
		{"an account that is held otherwise", load("accounts.v2.create", 1, job.Summary{Differs: 1}), "1 account is in and differs from the file"},
		{"both held otherwise", load("onboard", 2, job.Summary{Differs: 2}), "both customers are in and differ from the file"},
		{"some held otherwise", load("onboard", 4, job.Summary{Sent: 1, Differs: 2, Refused: 1, InPart: 1}), "3 of 4 customers are in, of which 2 differ from the file; the other is there in part; 1 was refused"},
		{"some held otherwise and sent in part", load("onboard", 4, job.Summary{Sent: 1, Differs: 3, SentInPart: 2}), "all 4 customers are in, of which 3 differ from the file, 2 sent in part"},
		{"the only one held otherwise and sent in part", load("onboard", 1, job.Summary{Differs: 1, SentInPart: 1}), "1 customer is in and differs from the file, 1 sent in part"},
		{"sent in part", load("apply", 2, job.Summary{Sent: 1, Differs: 1, SentInPart: 1}), "1 of 2 customers is as the file says; 1 differs from the file, 1 sent in part"},
		{"an update that is held otherwise", load("keywords.update", 5, job.Summary{Sent: 4, Differs: 1}), "4 of 5 keywords are as the file says; 1 differs from the file"},
		{"unknown", load("accounts.credentials.create", 5, job.Summary{Sent: 4, Unknown: 1, UnknownWritten: true}), "4 of 5 sets of credentials are known to be in; 1 has an unknown outcome, see unknown.csv"},
		{"unknown without a file", load("keywords.create", 5, job.Summary{Sent: 3, Unknown: 2}), "3 of 5 keywords are known to be in; 2 have an unknown outcome"},
		{"none known", load("keywords.create", 3, job.Summary{Unknown: 3}), "none of 3 keywords is known to be in; 3 have an unknown outcome"},
		{"all others in part", load("onboard", 40, job.Summary{Sent: 37, InPart: 3, Unknown: 3}), "37 of 40 customers are known to be in; 3 of the others are there in part; 3 have an unknown outcome"},
		{"stopped", load("keywords.create", 55, job.Summary{Sent: 12, Remaining: 43}), "12 of 55 keywords are known to be in; 43 are not done yet"},
		{"stopped before the first", load("keywords.create", 55, job.Summary{Remaining: 55}), "none of 55 keywords is known to be in; 55 are not done yet"},
		{"stopped between the steps of a customer", load("onboard", 5, job.Summary{Sent: 1, InPart: 1, Remaining: 4}), "1 of 5 customers is known to be in; 1 of the others is there in part; 4 are not done yet"},
		{"in part with an unknown outcome", load("onboard", 40, job.Summary{Sent: 34, InPart: 4, Unknown: 6}), "34 of 40 customers are known to be in; 4 of the others are there in part; 6 have an unknown outcome"},
		{"all in part", load("onboard", 30, job.Summary{InPart: 30, Remaining: 30}), "none of 30 customers is known to be in; 30 of them are there in part; 30 are not done yet"},
		{"the only one in part", load("onboard", 1, job.Summary{InPart: 1, Refused: 1}), "the only customer is not in; a part of it is there; 1 was refused"},
		{"applied in part", load("apply", 5, job.Summary{Sent: 1, InPart: 1, Remaining: 4}), "1 of 5 customers is known to be as the file says; 4 are not done yet"},
		{"deleted", load("keywords.delete", 2, job.Summary{Sent: 2}), "both keywords are deleted"},
		{"a shard", ofShard, "all 28 keywords of shard 1/2 are in"},
		{
			"verified", load("keywords.create", 5, job.Summary{Sent: 5, Verification: &job.Verification{Doubled: 1, Missing: 2}, MissingIn: job.ByState{job.StateSent: 2}}),
			"3 of 5 keywords are known to be in; 2 were acknowledged, and the service does not list them yet; 1 is there more than once",
		},
		{
			"rows that differ are not shown either", load("apply", 3, job.Summary{Sent: 2, Differs: 1, Verification: &job.Verification{Missing: 2}, MissingIn: job.ByState{job.StateSent: 1, job.StateDiffers: 1}}),
			"1 of 3 customers is as the file says; 1 differs from the file; 2 are shown otherwise by the service",
		},
		{"a dry run", dryRun("onboard", 55, 50, job.Summary{Present: 3, Invalid: 2}), "50 of 55 customers are to be sent; 3 are already in; 2 are invalid"},
		{"a dry run of rows that differ", dryRun("onboard", 6, 0, job.Summary{Present: 4, Differs: 1, Unknown: 1}), "0 of 6 customers are to be sent; 5 are already in, of which 1 differs from the file; 1 would have an unknown outcome"},
		{"a dry run of rows that all differ", dryRun("keywords.create", 3, 1, job.Summary{Differs: 2}), "1 of 3 keywords is to be sent; 2 differ from the file"},
		{"a dry run of updates", dryRun("keywords.update", 3, 1, job.Summary{Present: 1, Differs: 1}), "1 of 3 keywords is to be sent; 1 is already as the file says; 1 differs from the file"},
		{"a dry run of a stopped load", telling{Summary: job.Summary{Operation: "keywords.create", Rows: 4}, toSend: 4, lookedUp: 1, isDryRun: true}, "4 of 4 keywords are to be sent; 1 is looked up first"},
		{"a dry run of nothing", dryRun("keywords.delete", 2, 0, job.Summary{Present: 2}), "0 of 2 keywords are to be sent; 2 are already deleted"},
		{"an operation of no load", load("reports.keywords", 5, job.Summary{Sent: 5}), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.of.sentence(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
