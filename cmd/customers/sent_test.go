package customers

import (
	"testing"

	"reseller/client/bulk/job"
	"reseller/client/portfolio"
	"reseller/client/schema"
	"reseller/cmd/bulkcmd"
)

// TestStepsThatTheJournalLacks goes on with a job whose journal ends before all of its steps were recorded.
func TestStepsThatTheJournalLacks(t *testing.T) {
	rec := job.NewRecorder(1)
	rec.Record(job.StepItems(0, []uint32{0}))
	all := &comparison{rows: []int{0}, plans: []portfolio.Plan{{Changes: []portfolio.Change{{Object: portfolio.ObjectPlan}}}}}
	(&customerLoad{comparison: all, tables: rec.Table().Steps(), flags: &compareFlags{}, file: &bulkcmd.FileFlags{}}).leaveOutSent("")
	if len(all.plans[0].Changes) != 1 {
		t.Errorf("got the changes %v, want that of the plan, which no step has sent", all.plans[0].Changes)
	}
}

// TestAccountThatWasCreatedAndDeactivated goes on with a job that has created a deactivated account: what is left is an update.
func TestAccountThatWasCreatedAndDeactivated(t *testing.T) {
	o, rec := &compareFlags{}, job.NewRecorder(1)
	for step, name := range o.stepNames() {
		rec.Record(job.StepItems(step, []uint32{0}))
		if name == stepAccount || name == stepStatus {
			rec.Step(step).Record(job.RowResult(job.Result{State: job.StateSent, Fields: `{"account_id":7,"campaign_id":70}`}, 0))
		}
	}
	all := &comparison{rows: []int{0}, plans: []portfolio.Plan{{Create: schema.Values{}, Status: portfolio.ActionDeactivate, Changes: []portfolio.Change{
		change("create", "account", "", "", ""), change("deactivate", "account", "status", "active", "deactivated"), change("add", "keyword", "a", "", "target"),
	}}}}
	(&customerLoad{comparison: all, tables: rec.Table().Steps(), flags: o, file: &bulkcmd.FileFlags{}}).leaveOutSent("")
	if p := &all.plans[0]; p.Outcome() != portfolio.ActionUpdate || p.Account != 7 || len(p.Changes) != 1 || p.Changes[0].Object != portfolio.ObjectKeyword {
		t.Errorf("got %s of account %d with %v, want an update of account 7 with the keyword", p.Outcome(), p.Account, p.Changes)
	}
}
