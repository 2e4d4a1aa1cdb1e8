package customers

import (
	"testing"

	"reseller/client/bulk/job"
	"reseller/client/portfolio"
)

// TestStepsThatTheJournalLacks goes on with a job whose journal ends before all of its steps were recorded.
func TestStepsThatTheJournalLacks(t *testing.T) {
	rec := job.NewRecorder(1)
	rec.Record(job.StepItems(0, []uint32{0}))
	all := comparison{rows: []int{0}, plans: []portfolio.Plan{{Changes: []portfolio.Change{{Object: portfolio.ObjectPlan}}}}}
	tables := rec.Table().Steps()
	all.leaveOutSent(tables, stateIn(tables, (&compareFlags{}).stepNames()))
	if len(all.plans[0].Changes) != 1 {
		t.Errorf("got the changes %v, want that of the plan, which no step has sent", all.plans[0].Changes)
	}
}
